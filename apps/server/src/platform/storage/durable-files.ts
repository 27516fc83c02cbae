import { randomUUID } from 'node:crypto'
import { copyFile, constants, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Flushes the entries of a folder to disk. Without this, a renamed file may vanish after a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some network and container file systems cannot flush a folder. We can do nothing about that.
    if (!hasErrorCode(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR')) throw error
  } finally {
    await handle.close()
  }
}

/** Creates the folder and its missing parents. Flushes the parent of each, so that a power failure cannot undo this. */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return
  for (let made = folder; ; made = dirname(made)) {
    await syncFolder(dirname(made))
    if (made === first) return
  }
}

/**
 * Writes a small file (mode 0600) if it does not exist yet. Even if several processes try this at once, only one
 * creates the file, and nobody sees an incomplete file. Returns whether this call created it.
 */
export async function createFileOnce(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${randomUUID()}`
  try {
    await writeSynced(temporary, content)
    const isMine = await linkOnce(temporary, path)
    if (isMine) await syncFolder(dirname(path))
    return isMine
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeSynced(path: string, content: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function linkOnce(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) throw error
  }
  // Without hard links, copy the file. The copy never overwrites a file, but others may see it incomplete.
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Renames a file and flushes the folder, so that the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Whether an error of the operating system has one of these codes (`ENOENT`, …). */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
