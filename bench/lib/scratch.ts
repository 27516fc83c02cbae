import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  folder: string
  /** Registers work that cleans up at the end of the run, even after a failure. The last work registered runs first. */
  onEnd(undo: () => unknown): void
  end(): Promise<void>
}

/** Creates the temporary folder of one run, and the list of its clean-up work. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-bench-'))
  // If root runs the bench, PostgreSQL runs as another user, who needs access to this folder.
  await chmod(folder, 0o755)
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    // The run can be interrupted at any time. So the loop also does clean-up work that is registered while it runs.
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo()
      } catch (error) {
        // Continue with the remaining work, because a leftover database would outlive the bench.
        console.error(error)
      }
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  let ended: Promise<void> | null = null
  return {
    folder,
    onEnd: (undo) => void undos.push(undo),
    end: () => (ended ??= undoAll()),
  }
}
