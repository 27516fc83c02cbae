import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { findRunningPostgres } from '../../platform/database/embedded/running-postgres.ts'
import { migrate, readMigrations } from '../../platform/database/migrate.ts'
import { createRootSecret, keepRootSecret, readRootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { makeDataFolder } from '../../platform/storage/data-folder.ts'
import { type ObjectStorage, PROBES } from '../../platform/storage/object-storage.ts'
import { openStorage, type StorageOptions } from '../../platform/storage/open-storage.ts'
import { STORE_CLAIM, type Watch, findRunningHost } from '../../platform/storage/store-claim.ts'
import { identifyStore } from '../../platform/storage/store-identity.ts'
import { insertStoreUse } from '../../platform/storage/store-uses.queries.ts'
import { FileCipher } from './encrypted-files.ts'
import { type WrittenExport, writeExport } from './export/write-export.ts'
import { listBackups } from './backup-folder.ts'
import { insertCommandRun } from './backup-runs.queries.ts'
import { type RemovedBackups, removeOldBackups } from './remove-old-backups.ts'
import { BackupError, MANIFEST_NAME, type Manifest, RESTORES, sizesOf } from './backup-format.ts'
import { checkMigrations, checkOfRootSecret, restoreObjects, restoreTables } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

/** The parts of the configuration that a backup needs. */
export interface BackupConfig extends StorageOptions {
  databaseUrl: string | null
  rootSecret: string | null
  /** Passphrase that encrypts backups. If null, backups are unencrypted. */
  backupKey: string | null
}

interface Options {
  config: BackupConfig
  /** The folder of the migrations. */
  migrations: string
  version: string
  log: ServiceLog
}

/** The parts of a running server that are backed up. */
export interface BackedUpServer {
  config: BackupConfig
  database: Database
  storage: ObjectStorage
  version: string
}

const NOTHING_REMOVED: RemovedBackups = { removed: [], damaged: [], failures: [] }

type BackupKey = Pick<BackupConfig, 'backupKey'>

const cipherOf = ({ backupKey }: BackupKey) => (backupKey === null ? null : new FileCipher(backupKey))
const checkOf = (secret: string) => checkOfRootSecret(createRootSecret(secret).deriveKey('backup-check'))

type MadeBackup = WrittenBackup & RemovedBackups

/**
 * Backs up the database and the stored objects into a new folder inside `folder`, whether or not the server is running.
 * Keeps the newest `keep` backups; null keeps all. Throws BackupError or StartupError, with a message for the operator.
 */
export const makeBackup = (
  folder: string,
  { config, version, log, keep }: Options & { keep: number | null },
): Promise<MadeBackup> =>
  withDatabase(config, log, async (database) => {
    const beganAt = new Date()
    const storage = await openStorage(config, log)
    const made = await backUpServer(folder, { config, database, storage, version, keep })
    const { path, manifest } = made
    const run = { ...sizesOf(manifest), name: basename(path), beganAt, endedAt: new Date() }
    // The backup is good even if the page System cannot list it, for example because the database has an older version.
    await insertCommandRun(database.sql, run).catch((error: unknown) =>
      log.warn({ err: error }, 'the page System does not list this backup'),
    )
    return made
  })

/** Does the same as `makeBackup`, but with the database and the object store that the running server has open. */
export async function backUpServer(
  folder: string,
  { config, database, storage, version, keep }: BackedUpServer & { keep: number | null },
): Promise<MadeBackup> {
  const cipher = cipherOf(config)
  const rootSecret = config.rootSecret ?? (await readRootSecret(config.dataDir))
  if (rootSecret === null)
    throw new BackupError(`There is nothing to back up: ${config.dataDir} has no data of Pegasus Ops.`)
  return database.withBulkConnection(async (connection) => {
    const written = await writeBackup(
      resolve(folder),
      { connection, storage, version, rootSecret, rootSecretCheck: checkOf(rootSecret) },
      { cipher, now: () => new Date() },
    )
    // Remove old backups while the connection holds the lock. The files of another backup that is being made would look
    // like leftovers of a removed one.
    const removal =
      keep === null ? NOTHING_REMOVED : await removeOldBackups(resolve(folder), { keep, cipher })
    return { ...written, ...removal }
  })
}

/**
 * Exports all data of the database into a new archive at `path`, whether or not the server is running. Throws
 * BackupError or StartupError, with a message for the operator.
 */
export async function makeExport(path: string, { config, log }: Options): Promise<WrittenExport> {
  // Without this, the command would create an embedded database.
  if (config.databaseUrl === null && (await readRootSecret(config.dataDir)) === null)
    throw new BackupError(`There is nothing to export: ${config.dataDir} has no data of Pegasus Ops.`)
  return withDatabase(config, log, (database) =>
    database.withBulkConnection((connection) => writeExport(path, connection, () => new Date())),
  )
}

/**
 * Finds the backup at a path, which is the folder of a backup or a folder with several backups. Returns the newest of
 * several. Throws BackupError if there is none.
 */
export async function findBackup(path: string): Promise<string> {
  const folder = resolve(path)
  const isBackup = await readFile(join(folder, MANIFEST_NAME)).then(
    () => true,
    () => false,
  )
  if (isBackup) return folder
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) throw new BackupError(`There is no backup in ${folder}.`)
  return join(folder, newest)
}

/**
 * Compares a backup with its manifest, and returns the manifest. Throws BackupError if the backup is damaged or the
 * folder is not a backup.
 */
export const checkBackup = (backup: string, config: BackupKey): Promise<Manifest> =>
  verifyBackup(backup, cipherOf(config))

/**
 * Restores a backup into an empty installation: a data folder that does not exist yet, or an external database without
 * accounts. Verifies everything before it writes anything. The rows are written last, in one transaction, so an
 * interrupted restore can be repeated. Throws BackupError or StartupError, with a message for the operator.
 */
export async function restoreBackup(
  backup: string,
  { config, migrations: migrationFolder, log, watch }: Options & { watch?: Watch },
): Promise<Manifest> {
  const cipher = cipherOf(config)
  const manifest = await verifyBackup(backup, cipher)
  const own = await readMigrations(migrationFolder)
  checkMigrations(manifest, own)
  const rootSecret = await findRootSecret(config, manifest)
  if (config.databaseUrl === null && (await findRunningPostgres(config.dataDir)) !== null)
    throw new BackupError(`A server uses ${config.dataDir}: stop it, and restore into an empty data folder.`)
  const marker = `${RESTORES}${restoreId(manifest)}`
  await assertOwnStore(config, { manifest, marker, log, watch })
  await makeDataFolder(config.dataDir)
  return withDatabase(config, log, async (database) => {
    await assertEmpty(database, config)
    if (rootSecret !== null) await keepRootSecret(config.dataDir, rootSecret)
    const beganAt = new Date()
    const storage = await openStorage(config, log)
    await storage.put(marker, Readable.from([Buffer.from(manifest.madeAt)]))
    // Nobody renews it, and the first start would watch it again.
    await storage.delete(STORE_CLAIM)
    await restoreObjects(backup, { manifest, storage, cipher })
    const names = new Set(manifest.migrations.map(({ name }) => name))
    await migrate({ database, folder: migrationFolder, log, isWanted: (name) => names.has(name) })
    await database.withBulkConnection((connection) => restoreTables(connection, backup, { manifest, cipher }))
    await storage.delete(marker)
    await migrate({ database, folder: migrationFolder, log })
    const { id: storeId } = await identifyStore(config)
    // Store that this server uses the object store. The server may then remove restored files to which no row refers,
    // as it does with its own.
    await insertStoreUse(database.sql, { id: randomUUID(), storeId, beganAt })
    return manifest
  })
}

/**
 * Returns the root secret that has to be stored in the data folder, or null if the configuration contains it. Throws
 * BackupError if no known secret matches the backup.
 */
async function findRootSecret(config: BackupConfig, manifest: Manifest): Promise<string | null> {
  const given = config.rootSecret ?? (await readRootSecret(config.dataDir)) ?? manifest.rootSecret
  if (given === null)
    throw new BackupError(
      `The backup needs the root secret of its installation: set ROOT_SECRET, or put the file into ${join(config.dataDir, 'secrets', 'root-secret')}.`,
    )
  if (checkOf(given) !== manifest.rootSecretCheck)
    throw new BackupError(
      'The root secret does not belong to this backup: ROOT_SECRET, or the file secrets/root-secret in DATA_DIR, is from another installation.',
    )
  return config.rootSecret === null ? given : null
}

/** Returns an id for restoring a backup. It is the same each time the same backup is restored. */
const restoreId = ({ madeAt, rootSecretCheck }: Manifest): string =>
  createHash('sha256').update(`${madeAt} ${rootSecretCheck}`).digest('hex')

/**
 * Throws BackupError if the object store has objects. They belong to another installation, perhaps even to the one that
 * was backed up, and this installation would remove its files as leftovers. Objects of the backup are allowed if the
 * marker shows that an interrupted restore of the same backup has written them.
 */
async function assertOwnStore(
  config: BackupConfig,
  {
    manifest,
    marker,
    log,
    watch,
  }: { manifest: Manifest; marker: string; log: ServiceLog; watch: Watch | undefined },
): Promise<void> {
  // Without a separate object store, the objects are in the data folder. This folder must be empty anyway.
  if (config.storageUrl === null && config.s3 === null) return
  const storage = await openStorage(config, log)
  const isRepeated = (await storage.stat(marker)) !== null
  const allowed = new Set(isRepeated ? [marker, ...manifest.objects.map(({ key }) => key)] : [])
  for await (const { key } of storage.list(''))
    if (!allowed.has(key) && !key.startsWith(PROBES) && key !== STORE_CLAIM)
      throw new BackupError(
        'The object store of STORAGE_URL already has files, so it may belong to another installation. Set STORAGE_URL to an empty folder or bucket. Nothing was restored.',
      )
  const host = await findRunningHost(storage, { log, watch })
  if (host !== null)
    throw new BackupError(
      `A server on ${host} uses the object store of STORAGE_URL: stop it, or set STORAGE_URL to another empty folder or bucket. Nothing was restored.`,
    )
}

async function assertEmpty({ sql }: Database, config: BackupConfig): Promise<void> {
  const [known] = await sql<
    { exists: boolean }[]
  >`select to_regclass('public.accounts') is not null as exists`
  const [first] = known?.exists ? await sql`select 1 from accounts limit 1` : []
  if (first === undefined) return
  throw new BackupError(
    config.databaseUrl === null
      ? `${config.dataDir} already has data. Move the folder away, or set DATA_DIR to another folder. Nothing was restored.`
      : 'The database of DATABASE_URL already has data. Restore into an empty database. Nothing was restored.',
  )
}

/**
 * Runs `work` with a database: an external one, that of the running server, or one that is started only for this work.
 */
async function withDatabase<T>(
  config: BackupConfig,
  log: ServiceLog,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const running = config.databaseUrl === null ? await findRunningPostgres(config.dataDir) : null
  const started =
    config.databaseUrl === null && running === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log })
      : null
  try {
    const connection = running ?? started?.connection
    const source = connection ? { connection } : { url: config.databaseUrl ?? '' }
    const database = await openDatabase({
      ...source,
      log,
      applicationName: 'pegasus-ops backup',
      maxConnections: 2,
    })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await started?.stop()
  }
}
