import { createHash, randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { addedItem, callsOf } from '../../../test/support/api-calls.ts'
import { anEmptyFolder, databaseAddress } from '../../../test/support/backups.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { isLongRun } from '../../../test/process/product-process.ts'
import { aModel } from '../../../test/process/write-load.ts'
import { tusCalls } from '../../../test/storage/resumable-upload.ts'
import { upload } from '../../../test/support/library/model-upload.ts'
import type { BulkConnection } from '../../platform/database/bulk-copy.ts'
import type { Database } from '../../platform/database/database.ts'
import { readRootSecret } from '../../platform/root-secret.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { backUpServer } from './backup-commands.ts'
import { listTables } from './copy-tables.ts'
import { restoreBackup } from './index.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const BACKUPS = isLongRun ? 20 : 2
/**
 * Number of models that are uploaded during each backup. It is small, because the server measures and draws each model.
 */
const MODELS_A_BACKUP = 2

/** The rows of each table as sorted lines of text, and the SHA-256 of each object by its key. */
interface Contents {
  tables: Map<string, string[]>
  objects: Map<string, string>
}

async function readTables(connection: BulkConnection): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>()
  for (const { name, columns } of await listTables(connection)) {
    const lines = (await text(connection.readTable(name, columns))).split('\n')
    tables.set(name, lines.filter((line) => line !== '').toSorted())
  }
  return tables
}

async function readObjects(storage: ObjectStorage): Promise<Map<string, string>> {
  const objects = new Map<string, string>()
  for await (const { key } of storage.list('')) {
    const opened = await storage.open(key)
    if (opened === null) continue
    const hash = createHash('sha256')
    for await (const chunk of opened.stream) hash.update(chunk as Buffer)
    objects.set(key, hash.digest('hex'))
  }
  return objects
}

/**
 * Returns a database for backups. Its bulk connection calls `atSnapshot` when a backup has just taken its snapshot.
 * `atSnapshot` gets a second connection that sees the same snapshot.
 */
const watchedDatabase = (
  database: Database,
  atSnapshot: (reader: BulkConnection) => Promise<void>,
): Database => ({
  ...database,
  withBulkConnection: (work) =>
    database.withBulkConnection((connection) =>
      work({
        ...connection,
        async run<Row extends object>(statements: string) {
          const rows = await connection.run<Row>(statements)
          if (!statements.startsWith('begin')) return rows
          const [snapshot] = await connection.run<{ id: string }>('select pg_export_snapshot() as id')
          await database.withBulkConnection(async (reader) => {
            await reader.run('begin isolation level repeatable read, read only')
            await reader.run(`set transaction snapshot '${snapshot?.id}'`)
            await atSnapshot(reader)
            await reader.run('commit')
          })
          return rows
        },
      }),
    ),
})

/**
 * Changes data through the app until it is stopped: items, quantities, models, and uploads that are created, written
 * and removed.
 */
async function startWrites(app: TestApp) {
  const headers = await app.as('staff')
  const staff = callsOf(app, headers)
  const uploads = tusCalls(app, headers, '/api/stl-files/uploads')
  let isStopped = false
  let written = 0
  let modelsLeft = MODELS_A_BACKUP
  const repeat = async (write: () => Promise<boolean>) => {
    while (!isStopped && (await write())) written += 1
  }
  const { id } = await addedItem(staff, { name: 'Hook', quantity: 10 })
  const writers = [
    async () => {
      await addedItem(staff, { name: `Item ${randomUUID()}`, notes: 'Line one\nLine two\t\\N' })
      return true
    },
    async () => {
      const answer = await staff(`POST /api/inventory/${id}/adjust`, { delta: 1, reason: 'a count' })
      expect(answer.status, answer.text).toBe(200)
      return true
    },
    async () => {
      const answer = await upload(app, headers, { name: 'model.stl', bytes: aModel(4) })
      expect(answer.statusCode, answer.body).toBe(201)
      modelsLeft -= 1
      return modelsLeft > 0
    },
    async () => {
      const made = await uploads.create(20, { filename: 'part.stl' })
      expect(made.statusCode, made.body).toBe(201)
      const address = new URL(String(made.headers.location), 'http://localhost').pathname
      expect((await uploads.write(address, 0, Buffer.alloc(10))).statusCode).toBe(204)
      expect((await uploads.remove(address)).statusCode).toBe(204)
      return true
    },
  ].map(repeat)
  return {
    count: () => written,
    async stop() {
      isStopped = true
      await Promise.all(writers)
    },
  }
}

/** Restores a backup on an empty machine. Returns the rows and objects that the machine has afterwards. */
async function restored(backup: string, rootSecret: string | null): Promise<Contents> {
  const target = await anEmptyFolder()
  const { database, connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const storage = { dataDir: join(target, 'data'), storageUrl: `file://${join(target, 'files')}`, s3: null }
  const config = { ...storage, databaseUrl: databaseAddress(connection), rootSecret, backupKey: null }
  await restoreBackup(backup, { config, migrations: MIGRATIONS, version: '0', log: silentLog })
  return {
    tables: await database.withBulkConnection(readTables),
    objects: await readObjects(await openStorage(config, silentLog)),
  }
}

/** Compares a restored machine with the snapshot. Returns one difference for each row and object that differs. */
function differencesOf(snapshot: Contents, copy: Contents): string[] {
  const differences: string[] = []
  expect([...copy.tables.keys()]).toEqual([...snapshot.tables.keys()])
  for (const [table, lines] of snapshot.tables) {
    const found = copy.tables.get(table) ?? []
    const [wanted, given] = [new Set(lines), new Set(found)]
    for (const line of lines) if (!given.has(line)) differences.push(`${table} lacks ${line}`)
    for (const line of found) if (!wanted.has(line)) differences.push(`${table} also has ${line}`)
    if (lines.length !== found.length) differences.push(`${table}: ${found.length} of ${lines.length} rows`)
  }
  // The backup may also contain objects that were added after the snapshot, which do no harm.
  for (const [key, sha256] of snapshot.objects)
    if (copy.objects.get(key) !== sha256) differences.push(`object ${key}: ${copy.objects.get(key)}`)
  return differences
}

it(`T109 each of ${BACKUPS} backups that are made while people write is restored with every row and byte of its snapshot`, {
  timeout: isLongRun ? 3_600_000 : 300_000,
}, async () => {
  const app = await buildTestApp()
  const folder = await anEmptyFolder()
  const rootSecret = await readRootSecret(app.dataDir)
  const differences: string[] = []
  let [rows, objects, during] = [0, 0, 0]
  for (let number = 0; number < BACKUPS; number += 1) {
    const snapshot: Contents = { tables: new Map(), objects: new Map() }
    let before = 0
    const writes = await startWrites(app)
    const database = watchedDatabase(app.database, async (reader) => {
      before = writes.count()
      snapshot.tables = await readTables(reader)
      // Until the backup has copied the objects, none is removed. So this list contains all objects of the snapshot.
      snapshot.objects = await readObjects(app.storage)
    })
    const options = { config: app.config, database, storage: app.storage, version: '0', keep: null }
    const made = backUpServer(folder, options)
    await Promise.allSettled([made])
    await writes.stop()
    const { path } = await made
    during += writes.count() - before
    const copy = await restored(path, rootSecret)
    differences.push(...differencesOf(snapshot, copy).map((difference) => `backup ${number}: ${difference}`))
    rows += [...snapshot.tables.values()].reduce((sum, lines) => sum + lines.length, 0)
    objects += snapshot.objects.size
  }
  console.info(
    `T109 differences ${differences.length} of ${rows} rows and ${objects} objects, in ${BACKUPS} backups with ${during} writes between their snapshot and their end`,
  )
  expect(differences).toEqual([])
  expect(during).toBeGreaterThan(BACKUPS)
})
