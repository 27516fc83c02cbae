import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  folder: string
  /** Registers work for the end of the run. It runs in reverse order, in every case. */
  onEnd(undo: () => unknown): void
  end(): Promise<void>
}

/** A folder for one run, and everything that must end with it. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-bench-'))
  // Under root, PostgreSQL runs as another user, which needs access to this folder.
  await chmod(folder, 0o755)
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    // Something that is opened during the end (an interruption can come at any time) is closed as well.
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo()
      } catch (error) {
        // The rest must still run: a leftover database would outlive the bench.
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
