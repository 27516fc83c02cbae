import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups, readManifest } from './backup-folder.ts'
import { CONTENTS_FOLDER, UNFINISHED_SUFFIX } from './backup-format.ts'
import type { FileCipher } from './encrypted-files.ts'

/**
 * Removes all backups except the newest `keep`, and all object files that no remaining backup refers to.
 * Returns the names of the removed backups. If a remaining backup cannot be read with this key, throws
 * BackupError and removes nothing.
 */
export async function removeOldBackups(
  folder: string,
  { keep, cipher }: { keep: number; cipher: FileCipher | null },
): Promise<string[]> {
  const names = await listBackups(folder)
  const [old, kept] = [names.slice(0, -keep), names.slice(-keep)]
  const needed = new Set<string>()
  for (const name of kept)
    for (const { file } of (await readManifest(join(folder, name), cipher)).objects) needed.add(file)
  for (const name of old) await rm(join(folder, name), { recursive: true })
  for (const name of await readdir(folder))
    if (name.endsWith(UNFINISHED_SUFFIX)) await rm(join(folder, name), { recursive: true, force: true })
  const contents = join(folder, CONTENTS_FOLDER)
  const files = await readdir(contents, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    const file = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (entry.isFile() && !needed.has(file)) await rm(path, { force: true })
  }
  return old
}
