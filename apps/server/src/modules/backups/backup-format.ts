import * as z from 'zod'

/** The version of the format. A program refuses a backup of a later one. */
export const FORMAT = 1

export const MANIFEST_NAME = 'manifest.json'
/** Objects of all backups in a folder: one file for each content. */
export const CONTENTS_FOLDER = 'objects'
export const TABLES_FOLDER = 'tables'
/** A backup that is being written; it has no manifest yet. */
export const UNFINISHED_SUFFIX = '.unfinished'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()

/** A file of the backup. The hash is that of the stored file, compressed and perhaps encrypted. */
const storedFile = z.object({ file: z.string().regex(/^[\w./-]+$/), sizeBytes: count, sha256 })

const manifestTable = z.object({
  name: z.string().min(1),
  columns: z.array(z.string().min(1)).min(1),
  rows: count,
  ...storedFile.shape,
})

/** An object of the storage. `contentSha256` is that of the object itself. */
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
  /** The moment of the database's snapshot. */
  madeAt: z.iso.datetime(),
  /** The migrations that the database had, in their order. */
  migrations: z.array(z.object({ name: z.string().min(1), sha256 })).min(1),
  tables: z.array(manifestTable).min(1),
  sequences: z.array(
    z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), isCalled: z.boolean() }),
  ),
  objects: z.array(manifestObject),
  /** Tells whether a root secret is the one that the database was encrypted with. */
  rootSecretCheck: sha256,
  /** The root secret itself, in an encrypted backup only. */
  rootSecret: z.string().nullable(),
})

export type Manifest = z.output<typeof manifest>
export type ManifestTable = Manifest['tables'][number]
export type ManifestObject = Manifest['objects'][number]
export type StoredFile = z.output<typeof storedFile>

/** A backup cannot be used, in words for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}
