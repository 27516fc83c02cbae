import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { ADVISORY_LOCKS } from '../../platform/database/advisory-lock.ts'
import type { BulkConnection } from '../../platform/database/bulk-copy.ts'
import { makeFolder, syncFolder } from '../../platform/storage/durable-files.ts'
import { DEMOS, type ObjectStorage, PROBES } from '../../platform/storage/object-storage.ts'
import { STORE_CLAIM } from '../../platform/storage/store-claim.ts'
import { type FileCipher, writeFileWhole } from './encrypted-files.ts'
import { freeBackupName, type KnownObjects, readKnownObjects, writeManifest } from './backup-folder.ts'
import {
  BackupError,
  CONTENTS_FOLDER,
  FORMAT,
  type Manifest,
  type ManifestObject,
  type ManifestTable,
  RESTORES,
  TABLES_FOLDER,
  UNFINISHED_SUFFIX,
} from './backup-format.ts'
import { type CopiedTable, listMigrations, listSequences, listTables } from './copy-tables.ts'

export interface BackupSource {
  connection: BulkConnection
  storage: ObjectStorage
  version: string
  rootSecretCheck: string
  /** The root secret. Only encrypted backups contain it. */
  rootSecret: string | null
}

export interface WrittenBackup {
  path: string
  manifest: Manifest
  /** Number of objects whose files this backup has written. The files of all other objects already existed. */
  newObjects: number
}

const NEWLINE = 0x0a

/**
 * Writes a backup into a new folder inside `folder`, while people keep working. Reads all tables from one snapshot.
 * Copies the objects before the snapshot, and those that were added since then after it. The server deletes no object
 * between the snapshot and the second copy (`holdDeletions`). So the backup contains every object to which a row
 * refers. It may contain other objects as well, which the server removes after a restore. Throws BackupError if another
 * backup is being made.
 */
export async function writeBackup(
  folder: string,
  source: BackupSource,
  { cipher, now }: { cipher: FileCipher | null; now: () => Date },
): Promise<WrittenBackup> {
  const { connection, storage } = source
  const [lock] = await connection.run<{ held: boolean }>(
    `select pg_try_advisory_lock(${ADVISORY_LOCKS.backup}) as held`,
  )
  if (!lock?.held) throw new BackupError('Another backup is already running.')
  await makeFolder(folder)
  const objects = new ObjectCopies(folder, await readKnownObjects(folder, cipher), cipher)
  await objects.copyAll(storage)
  // A row of the snapshot may refer to any object. So prevent deletions from the snapshot until the second copy.
  await connection.run(`select pg_advisory_lock(${ADVISORY_LOCKS.objectDeletions})`)
  await connection.run('begin isolation level repeatable read, read only')
  const migrations = await listMigrations(connection)
  const madeAt = now()
  const name = await freeBackupName(folder, madeAt)
  const unfinished = join(folder, `${name}${UNFINISHED_SUFFIX}`)
  try {
    const tables: ManifestTable[] = []
    for (const table of await listTables(connection))
      tables.push(await writeTable(connection, unfinished, table, cipher))
    const sequences = await listSequences(connection)
    await connection.run('commit')
    await objects.copyAll(storage)
    // This statement fails if the connection was lost, and the lock with it.
    await connection.run(`select pg_advisory_unlock(${ADVISORY_LOCKS.objectDeletions})`)
    const manifest: Manifest = {
      format: FORMAT,
      product: 'pegasus-ops',
      version: source.version,
      madeAt: madeAt.toISOString(),
      migrations,
      tables,
      sequences,
      objects: objects.list(),
      rootSecretCheck: source.rootSecretCheck,
      rootSecret: cipher === null ? null : source.rootSecret,
    }
    await writeManifest(unfinished, manifest, cipher)
    const path = join(folder, name)
    await rename(unfinished, path)
    await syncFolder(folder)
    return { path, manifest, newObjects: objects.written }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Counts rows in the text format of PostgreSQL. Each row is one line, because line breaks in values are escaped. */
class RowCounter extends Transform {
  rows = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.rows += 1
    done(null, chunk)
  }
}

async function writeTable(
  connection: BulkConnection,
  backup: string,
  { name, columns }: CopiedTable,
  cipher: FileCipher | null,
): Promise<ManifestTable> {
  const counter = new RowCounter()
  const rows = connection.readTable(name, columns)
  rows.once('error', (error) => counter.destroy(error))
  const file = `${name}.copy.gz`
  const options = { cipher, isCompressed: true }
  const { sizeBytes, sha256 } = await writeFileWhole(
    join(backup, TABLES_FOLDER),
    file,
    rows.pipe(counter),
    options,
  )
  return { name, columns, rows: counter.rows, file: `${TABLES_FOLDER}/${file}`, sizeBytes, sha256 }
}

/**
 * Copies the objects into a backup. The folder contains equal files only once, even if they belong to several backups.
 */
class ObjectCopies {
  written = 0
  readonly #folder: string
  readonly #known: KnownObjects
  readonly #cipher: FileCipher | null
  readonly #copies = new Map<string, ManifestObject>()

  constructor(folder: string, known: KnownObjects, cipher: FileCipher | null) {
    this.#folder = folder
    this.#known = known
    this.#cipher = cipher
  }

  list(): ManifestObject[] {
    return [...this.#copies.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** Copies the objects that were not copied before, and those that were replaced since then. */
  async copyAll(storage: ObjectStorage): Promise<void> {
    for await (const { key, modifiedAt } of storage.list('')) {
      if ([PROBES, RESTORES, DEMOS, STORE_CLAIM].some((prefix) => key.startsWith(prefix))) continue
      const moment = modifiedAt.toISOString()
      if (this.#copies.get(key)?.modifiedAt === moment) continue
      const known = this.#known.byKey.get(key)
      const copy = known?.modifiedAt === moment ? known : await this.#copy(storage, key, moment)
      if (copy) this.#copies.set(key, copy)
    }
  }

  async #copy(storage: ObjectStorage, key: string, modifiedAt: string): Promise<ManifestObject | null> {
    const opened = await storage.open(key)
    // The object was deleted after it was listed.
    if (opened === null) return null
    const options = { cipher: this.#cipher, isCompressed: false }
    const placeOf = (sha256: string) => join(sha256.slice(0, 2), sha256)
    const written = await writeFileWhole(join(this.#folder, CONTENTS_FOLDER), placeOf, opened.stream, options)
    const same = this.#known.byContent.get(written.contentSha256)
    const file = `${CONTENTS_FOLDER}/${written.sha256.slice(0, 2)}/${written.sha256}`
    const { sizeBytes, sha256, contentBytes: objectBytes, contentSha256 } = written
    const copy = { key, modifiedAt, objectBytes, contentSha256, file, sizeBytes, sha256 }
    if (same === undefined) this.#known.byContent.set(contentSha256, copy)
    // Encrypting the same content again gives different bytes, so keep the earlier file.
    else if (same.file !== file) {
      await rm(written.path, { force: true })
      return { ...same, key, modifiedAt }
    }
    this.written += 1
    return copy
  }
}
