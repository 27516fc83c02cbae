import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups, readManifest } from './backup-folder.ts'
import { BackupError, CONTENTS_FOLDER, UNFINISHED_SUFFIX } from './backup-format.ts'
import type { FileCipher } from './encrypted-files.ts'

export interface RemovedBackups {
  /** Names of the removed backups. */
  removed: string[]
  /** Names of the remaining backups that cannot be read: they are damaged, or encrypted with another key. */
  unreadable: string[]
}

/**
 * Removes all backups except the newest `keep`, and all object files that no remaining backup refers to. While
 * a remaining backup cannot be read with this key, its object files are unknown, so no object file is removed.
 * Call it only while no other backup is being made in the folder.
 */
export async function removeOldBackups(
  folder: string,
  { keep, cipher }: { keep: number; cipher: FileCipher | null },
): Promise<RemovedBackups> {
  const names = await listBackups(folder)
  const [old, kept] = [names.slice(0, -keep), names.slice(-keep)]
  const needed = new Set<string>()
  const unreadable: string[] = []
  for (const name of kept)
    try {
      for (const { file } of (await readManifest(join(folder, name), cipher)).objects) needed.add(file)
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      unreadable.push(name)
    }
  for (const name of old) await rm(join(folder, name), { recursive: true })
  for (const name of await readdir(folder))
    if (name.endsWith(UNFINISHED_SUFFIX)) await rm(join(folder, name), { recursive: true, force: true })
  if (unreadable.length > 0) return { removed: old, unreadable }
  const contents = join(folder, CONTENTS_FOLDER)
  const files = await readdir(contents, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    const file = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (entry.isFile() && !needed.has(file)) await rm(path, { force: true })
  }
  return { removed: old, unreadable }
}
