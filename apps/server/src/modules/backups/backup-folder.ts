import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { SECOND_MS, addMs } from '../../platform/clock.ts'
import { hasErrorCode } from '../../platform/storage/durable-files.ts'
import {
  type FileCipher,
  type FileOptions,
  isEncrypted,
  readFileWhole,
  sizeOfFile,
  writeFileWhole,
} from './encrypted-files.ts'
import { BackupError, MANIFEST_NAME, type Manifest, manifest as manifestSchema } from './backup-format.ts'

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const CHECKSUM_NAME = `${MANIFEST_NAME}.sha256`
const LATER_FORMAT = /"format":\s*([2-9]|\d{2,})\b/

/** Returns the folder that contains a backup. It also contains the files of the backup's objects. */
export const folderOf = (backup: string): string => join(backup, '..')

/** Returns the name of a backup made at this time. Sorting backups by name sorts them by age. */
const backupName = (madeAt: Date): string => `${madeAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Lists the names of the complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name)).toSorted()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Returns the name for a new backup. If a backup already has this name, uses the next free second. */
export async function freeBackupName(folder: string, madeAt: Date): Promise<string> {
  const names = new Set(await listBackups(folder))
  let at = madeAt
  while (names.has(backupName(at))) at = addMs(at, SECOND_MS)
  return backupName(at)
}

/** Returns the content of the file with the manifest's checksum, in the format of `sha256sum`. */
const checksumLine = (sha256: string): string => `${sha256}  ${MANIFEST_NAME}\n`

export const manifestOptions = (cipher: FileCipher | null): FileOptions => ({ cipher, isCompressed: false })

/** Writes the manifest and its checksum. A backup is complete only when it has a manifest. */
export async function writeManifest(
  backup: string,
  manifest: Manifest,
  cipher: FileCipher | null,
): Promise<void> {
  const source = Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))])
  const { sha256 } = await writeFileWhole(backup, MANIFEST_NAME, source, manifestOptions(cipher))
  const line = Readable.from([Buffer.from(checksumLine(sha256))])
  await writeFileWhole(backup, CHECKSUM_NAME, line, manifestOptions(null))
}

/**
 * Reads the manifest of a backup. Throws BackupError if it is missing or damaged, is not a manifest of this product,
 * has a later format, or is encrypted with another key.
 */
export async function readManifest(backup: string, cipher: FileCipher | null): Promise<Manifest> {
  const path = join(backup, MANIFEST_NAME)
  const isSecret = await isEncrypted(path)
  if (isSecret && cipher === null)
    throw new BackupError(
      `The backup ${backup} is encrypted: set BACKUP_KEY to the key that it was made with.`,
    )
  const expected = await readFile(join(backup, CHECKSUM_NAME), 'utf8').catch(() => '')
  const found = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  if (expected !== checksumLine(found))
    throw new BackupError(`The backup ${backup} was changed: ${MANIFEST_NAME} does not have its checksum.`)
  const written = await text(readFileWhole(path, manifestOptions(isSecret ? cipher : null)))
  const parsed = manifestSchema.safeParse(parseJson(written))
  if (parsed.success) return parsed.data
  throw new BackupError(
    LATER_FORMAT.test(written)
      ? `The backup ${backup} was made by a newer version of Pegasus Ops: restore it with that version.`
      : `${backup} is not a backup of Pegasus Ops.`,
  )
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}

/**
 * Objects whose files are already in the folder: by their key in the newest backup, and by the hash of their content.
 */
export interface KnownObjects {
  byKey: Map<string, Manifest['objects'][number]>
  byContent: Map<string, Manifest['objects'][number]>
}

/**
 * Reads which objects the newest backup contains, if this key can read it. A new backup need not write their files
 * again.
 */
export async function readKnownObjects(folder: string, cipher: FileCipher | null): Promise<KnownObjects> {
  const knownObjects: KnownObjects = { byKey: new Map(), byContent: new Map() }
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) return knownObjects
  const backup = join(folder, newest)
  const manifest = await readOwnManifest(backup, cipher).catch((error: unknown) => {
    if (error instanceof BackupError) return null
    throw error
  })
  for (const object of manifest?.objects ?? []) {
    if ((await sizeOfFile(join(folder, object.file))) !== object.sizeBytes) continue
    knownObjects.byKey.set(object.key, object)
    knownObjects.byContent.set(object.contentSha256, object)
  }
  return knownObjects
}

/**
 * Reads the manifest of an earlier backup. Returns null if only one of the two backups is encrypted. The new backup
 * must not share files with such a backup: an encrypted backup would contain readable files, or an unencrypted one
 * would need a key.
 */
async function readOwnManifest(backup: string, cipher: FileCipher | null): Promise<Manifest | null> {
  const isSecret = await isEncrypted(join(backup, MANIFEST_NAME))
  return isSecret === (cipher !== null) ? readManifest(backup, cipher) : null
}
