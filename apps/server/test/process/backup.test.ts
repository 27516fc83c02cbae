import type { SystemStatus } from '@pegasus/contracts/system'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { cleanEnvironment } from '../../../../scripts/lib/environment.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import type { DatabaseConnection } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { findRunningPostgres } from '../../src/platform/database/embedded/running-postgres.ts'
import { listTables } from '../../src/modules/backups/copy-tables.ts'
import { STORE_CLAIM } from '../../src/platform/storage/store-claim.ts'
import { BackupError, findBackup, restoreBackup } from '../../src/modules/backups/index.ts'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import { bearer, makeDataFolder, signIn, startProduct, until } from './product-process.ts'

const COMMANDS = fileURLToPath(new URL('../../../../scripts/commands', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const KEY = 'a passphrase for the tests'

/** Runs a command in the same way as npm. Returns its exit code and everything that it printed. */
async function run(
  command: 'backup' | 'restore' | 'export',
  args: string[],
  variables: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [join(COMMANDS, `${command}.ts`), ...args], {
    env: cleanEnvironment({ BACKUP_KEY: KEY, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** Returns a hash of the rows of each table. */
async function readRows(
  source: { url: string } | { connection: DatabaseConnection },
): Promise<Map<string, string>> {
  const database = await openDatabase({
    ...source,
    log: silentLog,
    applicationName: 'test',
    maxConnections: 1,
  })
  try {
    return await database.withBulkConnection(async (connection) => {
      const rows = new Map<string, string>()
      for (const { name, columns } of await listTables(connection)) {
        const hash = createHash('sha256')
        const copied = connection.readTable(name, columns) as AsyncIterable<Buffer>
        for await (const chunk of copied) hash.update(chunk)
        rows.set(name, hash.digest('hex'))
      }
      return rows
    })
  } finally {
    await database.close()
  }
}

/** Returns the rows that a backup must keep. The row of the backup itself is finished only after the backup. */
const kept = (rows: Map<string, string>) => [...rows].filter(([table]) => table !== 'backup_runs')

/** Returns the hashes of the rows of a running server with an embedded database. */
async function readEmbeddedRows(dataDir: string): Promise<Map<string, string>> {
  const connection = await findRunningPostgres(dataDir)
  if (connection === null) throw new Error('The database does not run.')
  return readRows({ connection })
}

/** The identity of a folder, and the claim of the server that uses it. */
const OWN_FILES = ['.store-id', STORE_CLAIM]

/** Returns the stored files of a folder with their hashes, without unfinished ones and the files of the folder itself. */
async function readObjects(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && !OWN_FILES.includes(entry.name) && !entry.parentPath.includes('.pending'),
  )
  const hashes = files.map(async ({ parentPath, name }) => {
    const bytes = await readFile(join(parentPath, name))
    return [name, createHash('sha256').update(bytes).digest('hex')] as const
  })
  return new Map(await Promise.all(hashes))
}

/** A small tetrahedron as STL. */
const MODEL = `solid t
${[
  ['0 0 0', '0 10 0', '10 0 0'],
  ['0 0 0', '10 0 0', '0 0 10'],
  ['0 0 0', '0 0 10', '0 10 0'],
  ['10 0 0', '0 10 0', '0 0 10'],
]
  .map(
    (corners) =>
      `facet normal 0 0 0\nouter loop\n${corners.map((corner) => `vertex ${corner}`).join('\n')}\nendloop\nendfacet`,
  )
  .join('\n')}
endsolid t
`

async function addItem(url: string, token: string, name: string): Promise<void> {
  const answer = await fetch(`${url}/api/inventory`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ name, quantity: 3, notes: 'Line one\nLine two\t\\N' }),
  })
  expect(answer.status).toBe(201)
}

/** Returns whether no background task is waiting or running. */
async function isIdle(url: string, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/system`, { headers: bearer(token) })
  const { queues } = (await answer.json()) as SystemStatus
  return queues.every(({ waiting, running }) => waiting + running === 0)
}

it('T109 a backup of a running shop is restored on an empty machine with every row and file', async () => {
  const source = await makeDataFolder()
  const shop = await startProduct(source)
  const token = (await signIn(shop.url)).access_token
  for (const name of ['Dragon', 'Castle']) await addItem(shop.url, token, name)
  const form = new FormData()
  form.append('file', new Blob([MODEL]), 'tetrahedron.stl')
  const upload = await fetch(`${shop.url}/api/stl-files/upload`, {
    method: 'POST',
    headers: bearer(token),
    body: form,
  })
  expect(upload.status, await upload.clone().text()).toBe(201)
  const folder = join(source, '..', 'backups')
  // People work while the first backup is made.
  const [first] = await Promise.all([
    run('backup', [folder], { DATA_DIR: source }),
    ...Array.from({ length: 20 }, (_, index) => addItem(shop.url, token, `Item ${index}`)),
  ])
  expect(first, first.output).toMatchObject({ code: 0 })
  // The model's pictures may be drawn late. In that case, only the second backup contains them.
  expect(await until(() => isIdle(shop.url, token), 60_000)).toBe(true)
  await run('backup', [folder], { DATA_DIR: source })
  const exported = await run('export', [join(source, '..', 'shop.tar.gz')], { DATA_DIR: source })
  expect(exported).toMatchObject({ code: 0, output: expect.stringContaining('as CSV and as JSON Lines') })
  expect(await run('export', [], { DATA_DIR: source })).toMatchObject({ code: 1 })
  shop.signal('SIGTERM')
  await shop.ended

  const second = await run('backup', [folder, '--keep', '1'], { DATA_DIR: source })
  expect(second.output).toMatch(/, 0 of them new\.\n(removed the old backup \d{4}-\S+\n){2}/)
  const [name = ''] = (await readdir(folder)).filter((each) => each !== 'objects')
  const backup = join(folder, name)
  expect(await run('backup', ['--verify', folder], {})).toMatchObject({ code: 0 })

  /** Returns the message of a refused restoration, and checks that no data folder is left behind. */
  const refusalOf = async (from: string, backupKey: string | null = KEY) => {
    const dataDir = `${source}-2`
    const config = { dataDir, storageUrl: null, s3: null, databaseUrl: null, rootSecret: null, backupKey }
    const options = { config, migrations: MIGRATIONS, version: '0', log: silentLog }
    const refusal = await findBackup(from)
      .then((found) => restoreBackup(found, options))
      .then(
        () => 'restored',
        (error: unknown) => (error instanceof BackupError ? error.message : String(error)),
      )
    expect(await readdir(join(source, '..'))).not.toContain('data-2')
    return refusal
  }

  // Without the key, no part of the backup can be read.
  const bytes = await readFile(join(backup, 'manifest.json'))
  expect(bytes.includes('pegasus-ops')).toBe(false)
  expect(await refusalOf(folder, null)).toMatch(/is encrypted: set BACKUP_KEY/)
  expect(await refusalOf(folder, 'another passphrase')).toMatch(/BACKUP_KEY is wrong/)

  // Each kind of damage is refused before anything is written.
  const spoiled = join(source, '..', 'spoiled')
  const spoil = async (damage: (path: string) => Promise<void>, sentence: RegExp) => {
    await rm(spoiled, { recursive: true, force: true })
    await cp(folder, spoiled, { recursive: true })
    await damage(join(spoiled, name))
    expect(await refusalOf(spoiled)).toMatch(sentence)
  }
  const table = (path: string) => join(path, 'tables', 'accounts.copy.gz')
  const flip = async (path: string) => {
    const content = await readFile(path)
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
    await writeFile(path, content)
  }
  await spoil((path) => flip(table(path)), /accounts\.copy\.gz was changed.*Nothing was restored/s)
  await spoil((path) => truncate(table(path), 40), /accounts\.copy\.gz has 40 of \d+ bytes/)
  await spoil((path) => rm(table(path)), /accounts\.copy\.gz is missing/)
  await spoil((path) => flip(join(path, 'manifest.json')), /manifest\.json does not have its checksum/)
  await spoil((path) => rm(join(path, '..', 'objects'), { recursive: true }), /objects\/.* is missing/)

  const target = `${source}-3`
  const restored = await run('restore', [folder], { DATA_DIR: target })
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await readObjects(join(target, 'objects'))).toEqual(await readObjects(join(source, 'objects')))
  const again = await run('restore', [folder], { DATA_DIR: target })
  expect(again.output).toMatch(/already has data/)

  // Restoring the same backup into an external database and another folder also works.
  const { url } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const files = join(source, '..', 'files')
  const moved = await run('restore', [folder], {
    DATA_DIR: `${source}-4`,
    DATABASE_URL: url,
    STORAGE_URL: pathToFileURL(files).href,
  })
  expect(moved, moved.output).toMatchObject({ code: 0 })
  expect(await readObjects(files)).toEqual(await readObjects(join(source, 'objects')))
  const movedRows = await readRows({ url })

  const old = await startProduct(source)
  const rows = await readEmbeddedRows(source)
  old.signal('SIGTERM')
  await old.ended
  const copy = await startProduct(target)
  const copied = await readEmbeddedRows(target)
  expect(kept(copied)).toEqual(kept(rows))
  expect(kept(movedRows)).toEqual(kept(rows))
  // The old password works. A token from the old machine works too, which requires the same root secret.
  await signIn(copy.url)
  const list = await fetch(`${copy.url}/api/inventory?limit=100`, { headers: bearer(token) })
  expect(((await list.json()) as object[]).length).toBe(22)
  // New items can be added. Their numbers continue after the restored ones.
  await addItem(copy.url, token, 'After the restoration')
}, 600_000)
