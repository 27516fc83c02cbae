import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  folder: string
  /** Registers work for the end of the run. The work runs in reverse order, also after a failure. */
  onEnd(undo: () => unknown): void
  end(): Promise<void>
}

/** Creates the folder of one run, and keeps a list of everything that must end with the run. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-bench-'))
  // If root runs the bench, PostgreSQL runs as another user, who needs access to this folder.
  await chmod(folder, 0o755)
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    // Things that are opened while the run ends are closed as well, because an interruption can come at any time.
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo()
      } catch (error) {
        // The rest must still run, because a leftover database would outlive the bench.
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
