import { access, chmod, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../startup-error.ts'

/**
 * Creates the data folder if it does not exist. Everybody may enter the folder, because PostgreSQL runs under another
 * account if root starts the server. Subfolders with secrets are stricter. Throws StartupError if the folder is not
 * writable.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    const first = await mkdir(folder, { recursive: true })
    // Set the mode explicitly, because root's umask may be stricter.
    if (first !== undefined && process.getuid?.() === 0)
      for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, 0o711)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Returns the error for a data folder that is not writable. */
export function unwritable(folder: string, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError(`The data folder ${folder} cannot be written: ${reason}.`, { cause: error })
}
