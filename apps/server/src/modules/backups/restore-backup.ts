import { join } from 'node:path'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BulkConnection } from '../../platform/database/bulk-copy.ts'
import type { Migration } from '../../platform/database/migrate.ts'
import { isHashOf } from '../../platform/database/migrations/migration-hash.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { type FileCipher, readFileWhole } from './encrypted-files.ts'
import { folderOf } from './backup-folder.ts'
import { BackupError, type Manifest } from './backup-format.ts'
import { countRows, replaceTables, restoreSequences } from './copy-tables.ts'

/**
 * Throws BackupError if this version does not have all migrations of the backup. Such a backup comes from a newer
 * version or from another product.
 */
export function checkMigrations(manifest: Manifest, own: readonly Migration[]): void {
  for (const [index, { name, sha256 }] of manifest.migrations.entries()) {
    const ours = own[index]
    if (ours?.name === name && isHashOf(sha256, ours.text, ours.earlierHashes)) continue
    throw new BackupError(
      own.some((each) => each.name === name) || index < own.length
        ? `The backup does not belong to this version of Pegasus Ops: its migration ${name} is different.`
        : `The backup was made by Pegasus Ops ${manifest.version}, which is newer (it knows ${name}): restore it with that version.`,
    )
  }
}

/** Stores every object of a verified backup. Compares the content of each object with its hash again. */
export async function restoreObjects(
  backup: string,
  { manifest, storage, cipher }: { manifest: Manifest; storage: ObjectStorage; cipher: FileCipher | null },
): Promise<void> {
  for (const { key, file, contentSha256 } of manifest.objects) {
    const source = readFileWhole(join(folderOf(backup), file), { cipher, isCompressed: false })
    const stored = await storage.put(key, source)
    if (stored.sha256 !== contentSha256)
      throw new BackupError(`The stored object ${key} differs from the backup. Restore the backup again.`)
  }
}

/**
 * Replaces the rows of the database with those of a verified backup, in one transaction. The database must have exactly
 * the migrations of the backup.
 */
export async function restoreTables(
  connection: BulkConnection,
  backup: string,
  { manifest, cipher }: { manifest: Manifest; cipher: FileCipher | null },
): Promise<void> {
  const files = new Map(manifest.tables.map(({ name, file }) => [name, file]))
  const open = ({ name }: { name: string }): Readable =>
    readFileWhole(join(backup, files.get(name) ?? ''), { cipher, isCompressed: true })
  await connection.run('begin')
  await replaceTables(connection, manifest.tables, open)
  await restoreSequences(connection, manifest.sequences)
  for (const { name, rows } of manifest.tables) {
    const found = await countRows(connection, name)
    if (found !== rows)
      throw new BackupError(
        `The table ${name} has ${found} rows, but the backup has ${rows}. Nothing was restored.`,
      )
  }
  await connection.run('commit')
  await connection.run('analyze')
}

/**
 * Returns a hash of a key that is derived from a root secret. Equal hashes mean equal root secrets, and the hash
 * reveals neither.
 */
export const checkOfRootSecret = (key: Buffer): string => createHash('sha256').update(key).digest('hex')
