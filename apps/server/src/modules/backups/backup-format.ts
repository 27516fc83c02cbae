import type { BackupRun } from '@pegasus/contracts/backups'
import * as z from 'zod'

/** Version of the backup format. The restore refuses a backup with a later version. */
export const FORMAT = 1

export const MANIFEST_NAME = 'manifest.json'
/** Folder with the objects of all backups. Objects with equal content share one file. */
export const CONTENTS_FOLDER = 'objects'
export const TABLES_FOLDER = 'tables'
/** Suffix of the folder of a backup that is still being written and has no manifest yet. */
export const UNFINISHED_SUFFIX = '.unfinished'

/** Prefix of an object in the object store. The object marks that a backup is being restored into this store. */
export const RESTORES = 'restores/'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()

/** A stored file of the backup. The hash is that of the stored bytes, after compression and encryption. */
const storedFile = z.object({ file: z.string().regex(/^[\w./-]+$/), sizeBytes: count, sha256 })

const manifestTable = z.object({
  name: z.string().min(1),
  columns: z.array(z.string().min(1)).min(1),
  rows: count,
  ...storedFile.shape,
})

/**
 * An object from the object store. `contentSha256` is the hash of the object itself, before compression and encryption.
 */
const manifestObject = z.object({
  key: z.string().min(1),
  objectBytes: count,
  contentSha256: sha256,
  modifiedAt: z.string(),
  ...storedFile.shape,
})

export const manifest = z.object({
  format: z.literal(FORMAT),
  product: z.literal('pegasus-ops'),
  version: z.string(),
  /** Time of the database snapshot that the backup contains. */
  madeAt: z.iso.datetime(),
  /** The migrations of the database, in the order in which they were applied. */
  migrations: z.array(z.object({ name: z.string().min(1), sha256 })).min(1),
  tables: z.array(manifestTable).min(1),
  sequences: z.array(
    z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), isCalled: z.boolean() }),
  ),
  objects: z.array(manifestObject),
  /**
   * A hash of a key that is derived from the root secret. A restore uses it to check that it has the right root secret.
   */
  rootSecretCheck: sha256,
  /** The root secret itself. Null in unencrypted backups. */
  rootSecret: z.string().nullable(),
})

export type Manifest = z.output<typeof manifest>
export type ManifestTable = Manifest['tables'][number]
export type ManifestObject = Manifest['objects'][number]
export type StoredFile = z.output<typeof storedFile>

/** Thrown if a backup cannot be made or used. The message is written for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Counts the rows and files of a backup, and the bytes that a restore reads. */
export function sizesOf({ tables, objects }: Manifest): Pick<BackupRun, 'rows' | 'files' | 'size_bytes'> {
  const files = new Map([...tables, ...objects].map(({ file, sizeBytes }) => [file, sizeBytes]))
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: objects.length,
    size_bytes: [...files.values()].reduce((sum, bytes) => sum + bytes, 0),
  }
}
