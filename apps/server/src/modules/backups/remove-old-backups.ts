import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups, readManifest } from './backup-folder.ts'
import { CONTENTS_FOLDER, type Manifest, UNFINISHED_SUFFIX } from './backup-format.ts'
import { type FileCipher, sizeOfFile } from './encrypted-files.ts'

export interface RemovedBackups {
  /** Names of the removed backups. */
  removed: string[]
  /**
   * Names of the remaining backups that cannot be restored with this key. Their files are missing or have other sizes,
   * or their manifest cannot be read.
   */
  damaged: string[]
  /** Error messages about old backups and files that could not be removed. */
  failures: string[]
}

/**
 * Removes all backups that are older than the newest `keep` good ones, and all object files to which no remaining
 * backup refers. Damaged backups do not count, so they never cause a good one to be removed. The object files of a
 * backup that this key cannot read are unknown. While such a backup remains, no object file is removed. Does not throw,
 * because the new backup is good even if an old one cannot be removed. Call this only while no other backup is being
 * made in the folder.
 */
export async function removeOldBackups(
  folder: string,
  { keep, cipher }: { keep: number; cipher: FileCipher | null },
): Promise<RemovedBackups> {
  const result: RemovedBackups = { removed: [], damaged: [], failures: [] }
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      result.failures.push(error instanceof Error ? error.message : String(error))
      return false
    }
  }
  await attempt(async () => {
    const sizes = new Map<string, number | null>()
    const needed = new Set<string>()
    let [good, areFilesKnown] = [0, true]
    for (const name of (await listBackups(folder)).toReversed()) {
      const path = join(folder, name)
      if (good >= keep) {
        if (await attempt(() => rm(path, { recursive: true }))) result.removed.unshift(name)
        else areFilesKnown = false
        continue
      }
      const manifest = await readManifest(path, cipher).catch(() => null)
      for (const { file } of manifest?.objects ?? []) needed.add(file)
      if (manifest !== null && (await isWhole(path, manifest, sizes))) good += 1
      else result.damaged.unshift(name)
      areFilesKnown &&= manifest !== null
    }
    for (const name of await readdir(folder))
      if (name.endsWith(UNFINISHED_SUFFIX))
        await attempt(() => rm(join(folder, name), { recursive: true, force: true }))
    if (!areFilesKnown) return
    const contents = join(folder, CONTENTS_FOLDER)
    const files = await readdir(contents, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name)
      const file = path.slice(folder.length + 1).replaceAll('\\', '/')
      if (entry.isFile() && !needed.has(file)) await attempt(() => rm(path, { force: true }))
    }
  })
  return result
}

/**
 * Returns whether all files of a backup exist and have the right sizes. `sizes` caches the sizes of files that several
 * backups share.
 */
async function isWhole(
  backup: string,
  { tables, objects }: Manifest,
  sizes: Map<string, number | null>,
): Promise<boolean> {
  for (const { file, sizeBytes } of tables)
    if ((await sizeOfFile(join(backup, file)).catch(() => null)) !== sizeBytes) return false
  for (const { file, sizeBytes } of objects) {
    const size = sizes.get(file) ?? (await sizeOfFile(join(backup, '..', file)).catch(() => null))
    sizes.set(file, size)
    if (size !== sizeBytes) return false
  }
  return true
}
