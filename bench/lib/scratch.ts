import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  folder: string
  /** To be undone at the end, last first, whatever happens. */
  onEnd(undo: () => unknown): void
  end(): Promise<void>
}

/** A folder for one run, and everything that has to end with it. */
export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-bench-'))
  // As root PostgreSQL runs under another account, which must be able to walk in.
  await chmod(folder, 0o755)
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    // What is opened while we are ending (an interruption comes at any time) is undone as well.
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo()
      } catch (error) {
        // The rest must still be undone: a database left running would outlive the run.
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
