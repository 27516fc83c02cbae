import { join } from 'node:path'
import { type FileCipher, measureFile } from './encrypted-files.ts'
import { folderOf, readManifest } from './backup-folder.ts'
import { BackupError, type Manifest, type StoredFile } from './backup-format.ts'

/** Maximum number of differences that a message lists. It only gives the number of the others. */
const SHOWN = 5

/**
 * Reads a whole backup, and compares every file with the manifest. Changes nothing. Returns the manifest. Throws
 * BackupError if a file is missing, truncated or changed, if the key is wrong, or if the folder is not a backup.
 */
export async function verifyBackup(backup: string, cipher: FileCipher | null): Promise<Manifest> {
  const manifest = await readManifest(backup, cipher)
  const wrong: string[] = []
  const check = async (root: string, { file, sizeBytes, sha256 }: StoredFile) => {
    const found = await measureFile(join(root, file))
    if (found === null) wrong.push(`${file} is missing`)
    else if (found.sizeBytes !== sizeBytes) wrong.push(`${file} has ${found.sizeBytes} of ${sizeBytes} bytes`)
    else if (found.sha256 !== sha256) wrong.push(`${file} was changed`)
  }
  for (const table of manifest.tables) await check(backup, table)
  const contents = new Map(manifest.objects.map((object) => [object.file, object]))
  for (const object of contents.values()) await check(folderOf(backup), object)
  if (wrong.length === 0) return manifest
  const more = wrong.length > SHOWN ? `, and ${wrong.length - SHOWN} more` : ''
  throw new BackupError(
    `The backup ${backup} is damaged: ${wrong.slice(0, SHOWN).join(', ')}${more}. Nothing was restored.`,
  )
}
