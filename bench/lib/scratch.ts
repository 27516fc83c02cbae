import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  folder: string
  /** Registers clean-up work for the end of the run. It runs in reverse order, even after a failure. */
  onEnd(undo: () => unknown): void
  end(): Promise<void>
}

/** Creates the folder of one run, and keeps the list of its clean-up work. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-bench-'))
  // If root runs the bench, PostgreSQL runs as another user, who needs access to this folder.
  await chmod(folder, 0o755)
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    // The loop also closes resources that are opened while the run ends, because an interruption can come at
    // any time.
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
