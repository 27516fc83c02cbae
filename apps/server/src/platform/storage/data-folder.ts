import { access, chmod, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../startup-error.ts'

/**
 * Makes the data folder where there is none, before anything is put into it: what is secret closes its own folder, and
 * PostgreSQL, which as root runs under another account, must be able to walk through this one.
 * Throws StartupError when it cannot be written.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    const first = await mkdir(folder, { recursive: true })
    // Whatever root's umask is.
    if (first !== undefined && process.getuid?.() === 0)
      for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, 0o711)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** The one sentence for a data folder that nothing can be put into. */
export function unwritable(folder: string, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError(`The data folder ${folder} cannot be written: ${reason}.`, { cause: error })
}
