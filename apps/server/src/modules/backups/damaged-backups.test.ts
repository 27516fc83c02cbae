import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aBackedUpApp, anEmptyFolder, databaseAddress } from '../../../test/support/backups.ts'
import { readRootSecret } from '../../platform/root-secret.ts'
import { readEarlierHashes } from '../../platform/database/migrations/migration-hash.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { makeClaim } from '../../platform/storage/store-claim.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { anItem } from '../../../test/support/stock-factories.ts'
import { BackupError, checkBackup, findBackup, restoreBackup } from './index.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const KEY = 'a passphrase of a test'
const FLIPS = 50

/** Makes a backup of a shop with items and files. Returns its folder, its name and the shop's root secret. */
async function aBackup(
  backupKey: string | null,
): Promise<{ folder: string; name: string; rootSecret: string | null }> {
  const { app, folder, start, ended } = await aBackedUpApp(
    backupKey === null ? {} : { BACKUP_KEY: backupKey },
  )
  for (const sku of ['HOOK', 'LAMP', 'VASE']) await anItem(app, { sku })
  for (const content of ['hello', 'world', 'x'.repeat(100_000)])
    await app.storage.put(`pictures/${content.slice(0, 5)}`, new Blob([content]).stream())
  await start()
  const run = await ended()
  expect(run).toMatchObject({ state: 'done', files: 3 })
  return { folder, name: run?.name ?? '', rootSecret: await readRootSecret(app.dataDir) }
}

/**
 * Tries to restore the backup in `folder`, and checks that nothing was written: neither a data folder nor a folder for
 * files. Returns the error message.
 */
async function refusalOf(folder: string, backupKey: string | null): Promise<string> {
  const target = await anEmptyFolder()
  const config = {
    dataDir: join(target, 'data'),
    storageUrl: `file://${join(target, 'files')}`,
    s3: null,
    databaseUrl: null,
    rootSecret: null,
    backupKey,
  }
  const refusal = await findBackup(folder)
    .then((backup) => restoreBackup(backup, { config, migrations: MIGRATIONS, version: '0', log: silentLog }))
    .then(
      () => 'restored',
      (error: unknown) => (error instanceof BackupError ? error.message : `unclear: ${String(error)}`),
    )
  expect(await readdir(target), refusal).toEqual([])
  return refusal
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/**
 * Returns `count` places in these files, as pairs of file and byte. If there are enough, each file gets its first byte,
 * its last byte and some between them. Otherwise, `count` of the files get one place each, at different shares of their
 * length.
 */
async function placesIn(files: string[], count: number): Promise<{ file: string; at: number }[]> {
  const places: { file: string; at: number }[] = []
  const perFile = Math.ceil(count / files.length)
  const chosen = perFile > 1 ? files : files.slice(0, count)
  for (const [index, file] of chosen.entries()) {
    const { length } = await readFile(file)
    for (let place = 0; place < perFile; place += 1) {
      const share = perFile > 1 ? place / (perFile - 1) : index / Math.max(1, chosen.length - 1)
      places.push({ file, at: Math.floor(share * (length - 1)) })
    }
  }
  return places.slice(0, count)
}

const FOUND = /was changed|is damaged|BACKUP_KEY is wrong|There is no backup/

it.each([
  ['an encrypted backup', KEY],
  ['an unencrypted backup', null],
])(
  'T110 a restore finds one changed byte anywhere in %s, or a truncated file, before it writes anything',
  { timeout: 300_000 },
  async (_, key) => {
    const { folder, name } = await aBackup(key)
    const files = await listFiles(folder)
    const tables = files.filter((file) => file.endsWith('.copy.gz'))
    const others = files.filter((file) => !tables.includes(file))
    expect(others).toHaveLength(5)
    const missed: string[] = []
    /** Damages a file, tries to restore the backup, and repairs the file. */
    const check = async (file: string, damage: string, change: (content: Buffer) => Buffer | null) => {
      const whole = await readFile(file)
      const changed = change(Buffer.from(whole))
      await (changed === null ? rm(file) : writeFile(file, changed))
      const refusal = await refusalOf(folder, key)
      if (!FOUND.test(refusal)) missed.push(`${basename(file)}, ${damage}: ${refusal}`)
      await writeFile(file, whole)
    }

    const places = [...(await placesIn(others, 30)), ...(await placesIn(tables, FLIPS - 30))]
    for (const { file, at } of places)
      await check(file, `byte ${at}`, (content) => {
        content[at] = (content[at] ?? 0) ^ (1 << (at % 8))
        return content
      })
    const missedBytes = missed.length
    console.info(`T110 changed bytes not found ${missedBytes} of ${places.length}`)
    const cutFiles = [...others, ...tables.slice(0, 2)]
    for (const file of cutFiles) {
      await check(file, 'empty', () => Buffer.alloc(0))
      await check(file, 'half', (content) => content.subarray(0, content.length >> 1))
      await check(file, 'without its last byte', (content) => content.subarray(0, -1))
      await check(file, 'removed', () => null)
    }
    console.info(`T110 cuts not found ${missed.length - missedBytes} of ${cutFiles.length * 4}`)
    expect(missed).toEqual([])
    // The repaired backup is complete, so all refusals above were due to the damage.
    await checkBackup(join(folder, name), { backupKey: key })
  },
)

/** Returns the configuration of an empty machine whose files are in a folder of their own. */
async function anEmptyMachine(rootSecret: string | null) {
  const target = await anEmptyFolder()
  const storageUrl = `file://${join(target, 'files')}`
  const config = { dataDir: join(target, 'data'), storageUrl, s3: null, databaseUrl: null, rootSecret }
  return { target, config: { ...config, backupKey: null }, storage: await openStorage(config, silentLog) }
}

/** Returns the address of a migrated database without rows. */
async function anEmptyDatabase(): Promise<string> {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  return databaseAddress(connection)
}

const OPTIONS = { migrations: MIGRATIONS, version: '0', log: silentLog }

it('a restore into the object store of another installation is refused, and its files stay', async () => {
  const { folder, rootSecret } = await aBackup(null)
  const backup = await findBackup(folder)
  // The store is refused even if its file is one of the backup. It might belong to the installation that was backed up.
  for (const [key, content] of [
    ['pictures/live', 'live'],
    ['pictures/hello', 'hello'],
  ] as const) {
    const { target, config, storage } = await anEmptyMachine(rootSecret)
    await storage.put(key, new Blob([content]).stream())
    await expect(restoreBackup(backup, { config, ...OPTIONS })).rejects.toThrow(
      /may belong to another installation.*Nothing was restored/,
    )
    expect(await readdir(target)).toEqual(['files'])
    expect(await storage.stat(key)).not.toBeNull()
    expect(await storage.stat('pictures/world')).toBeNull()
  }
})

it('a restore into an empty object store is refused while a server renews its claim of the store', async () => {
  const { folder, rootSecret } = await aBackup(null)
  const backup = await findBackup(folder)
  const { target, config, storage } = await anEmptyMachine(rootSecret)
  const useId = randomUUID()
  const renew = () => makeClaim(storage, { useId, claimedAt: new Date().toISOString() })
  await renew()
  let refusal: string | undefined
  const restore = restoreBackup(backup, { config, ...OPTIONS, watch: { durationMs: 60_000, pauseMs: 5 } })
  void restore.catch((error: unknown) => (refusal = String(error)))
  await expect.poll(() => renew().then(() => refusal)).toBeDefined()
  expect(refusal).toMatch(/A server on .* uses the object store of STORAGE_URL.*Nothing was restored/)
  expect(await readdir(target)).toEqual(['files'])
})

it('an interrupted restore can be repeated, and leaves neither a marker nor an old claim in the object store', async () => {
  const { folder, name, rootSecret } = await aBackup(null)
  const backup = join(folder, name)
  const path = join(backup, 'manifest.json')
  const written = await readFile(path, 'utf8')
  const withManifest = async (content: string) => {
    await writeFile(path, content)
    const checksum = createHash('sha256').update(content).digest('hex')
    await writeFile(`${path}.sha256`, `${checksum}  manifest.json\n`)
  }
  const { config: machine, storage } = await anEmptyMachine(rootSecret)
  const config = { ...machine, databaseUrl: await anEmptyDatabase() }
  // A wrong number of rows makes the restore fail only after it has stored the files.
  await withManifest(written.replace(/("name": "items",.*?"rows": )3/s, '$14'))
  await expect(restoreBackup(backup, { config, ...OPTIONS })).rejects.toThrow(/items has 3 rows/)
  await withManifest(written)
  // A server that has crashed has left its claim.
  await makeClaim(storage, { useId: randomUUID(), claimedAt: new Date().toISOString() })
  await restoreBackup(backup, { config, ...OPTIONS, watch: { durationMs: 20, pauseMs: 5 } })
  const keys: string[] = []
  for await (const { key } of storage.list('')) keys.push(key)
  expect(keys.toSorted()).toEqual(['pictures/hello', 'pictures/world', 'pictures/xxxxx'])
})

it('T110 a backup with another key, of a newer version or of another product is refused before anything is written', async () => {
  const encrypted = await aBackup(KEY)
  expect(await refusalOf(encrypted.folder, 'another passphrase')).toMatch(/BACKUP_KEY is wrong/)
  expect(await refusalOf(encrypted.folder, null)).toMatch(/is encrypted: set BACKUP_KEY/)

  const { folder, name } = await aBackup(null)
  const path = join(folder, name, 'manifest.json')
  const written = await readFile(path, 'utf8')
  const { migrations, ...rest } = JSON.parse(written) as { migrations: { name: string; sha256: string }[] }
  const last = migrations.at(-1)
  const sha256 = '0'.repeat(64)
  /** Replaces the manifest and its checksum, and tries to restore the backup. Returns the error message. */
  const withManifest = async (content: string) => {
    await writeFile(path, content)
    await writeFile(
      `${path}.sha256`,
      `${createHash('sha256').update(content).digest('hex')}  manifest.json\n`,
    )
    return refusalOf(folder, null)
  }
  const changed = (change: object) => withManifest(JSON.stringify({ ...rest, migrations, ...change }))
  expect(await withManifest(written.replace('"format": 1', '"format": 2'))).toMatch(/made by a newer version/)
  expect(await changed({ product: 'another' })).toMatch(/is not a backup of Pegasus Ops/)
  expect(await changed({ migrations: [...migrations, { name: '9999-later.sql', sha256 }] })).toMatch(
    /which is newer \(it knows 9999-later\.sql\)/,
  )
  expect(await changed({ migrations: [...migrations.slice(0, -1), { ...last, sha256 }] })).toMatch(
    /its migration .* is different/,
  )
  const earlier = new Map(
    [...(await readEarlierHashes(MIGRATIONS))].map(([stored, statements]) => [statements, stored]),
  )
  const ofEarlierVersion = migrations.map((each) => ({
    ...each,
    sha256: earlier.get(each.sha256) ?? each.sha256,
  }))
  expect(ofEarlierVersion[0]).not.toEqual(migrations[0])
  expect(await changed({ migrations: ofEarlierVersion })).toMatch(/needs the root secret/)
  expect(await changed({ rootSecretCheck: sha256 })).toMatch(/needs the root secret/)
  expect(await withManifest('{}')).toMatch(/is not a backup/)
  expect(await withManifest(written)).toMatch(/needs the root secret/)
})
