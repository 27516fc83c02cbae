import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { loadRootSecret } from '../../root-secret.ts'
import { StartupError } from '../../startup-error.ts'
import { makeDataFolder } from '../../storage/data-folder.ts'
import { findClusterProcesses } from './cluster-processes.ts'
import { openDatabase } from '../database.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const isLinux = process.platform === 'linux'
const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off' }

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pegasus-embedded-'))
  await chmod(dataDir, 0o755)
})

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

const start = (options: Partial<EmbeddedPostgresOptions> = {}) =>
  startEmbeddedPostgres({ dataDir, log: silentLog, settings, ...options })

async function query<T>(connection: Parameters<typeof open>[0], work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = await open(connection)
  try {
    return await work(database.sql)
  } finally {
    await database.close()
  }
}

type Sql = Awaited<ReturnType<typeof openDatabase>>['sql']
const open = (connection: Awaited<ReturnType<typeof start>>['connection']) =>
  openDatabase({ connection, log: silentLog, applicationName: 'test' })

/**
 * Starts a process that runs PostgreSQL on the data folder, sends it a statement that never ends, and reports when it
 * is ready.
 */
async function startEmbedder(): Promise<ChildProcess> {
  const code = `
    import { startEmbeddedPostgres } from '${new URL('./embedded-postgres.ts', import.meta.url)}'
    import { openDatabase } from '${new URL('../database.ts', import.meta.url)}'
    const ignore = () => undefined
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
    const { connection } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } })
    const { sql } = await openDatabase({ connection, log, applicationName: 'embedder' })
    await sql\`create table if not exists kept (at timestamptz)\`
    await sql\`insert into kept values (now())\`
    sql\`set statement_timeout = 0\`.then(() => sql\`select count(*) from generate_series(1, 1000000000000)\`).catch(ignore)
    await sql\`select 1\`
    console.log('working')
    setInterval(ignore, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('no output')
  await once(createInterface({ input: child.stdout }), 'line')
  return child
}

async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 60_000, interval: 20 }).toBe(true)
}

const clusterProcesses = () => findClusterProcesses(join(dataDir, 'postgres'), 'unused')

describe('the first start of the embedded PostgreSQL', () => {
  it.runIf(isRoot)(
    'the first start creates a data folder that the PostgreSQL account can traverse',
    async () => {
      const fresh = join(dataDir, 'one', 'two')
      const umask = process.umask(0o077)
      try {
        await makeDataFolder(fresh)
        await loadRootSecret({ dataDir: fresh })
      } finally {
        process.umask(umask)
      }
      const { stop } = await start({ dataDir: fresh })
      const [postmaster] = await findClusterProcesses(join(fresh, 'postgres'), 'unused')
      const status = await readFile(`/proc/${postmaster?.pid}/status`, 'utf8')
      await stop()
      expect((await stat(fresh)).mode & 0o777).toBe(0o711)
      expect((await stat(join(fresh, 'secrets'))).mode & 0o777).toBe(0o700)
      // The process runs under the account that owns the files, and this is not root.
      expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).toBe((await stat(join(fresh, 'postgres'))).uid)
      expect((await stat(join(fresh, 'postgres'))).uid).not.toBe(0)
    },
  )

  it('the first start creates a database whose owner is not a superuser, and later starts keep its data', async () => {
    const first = await start()
    const account = await query(first.connection, async (sql) => {
      await sql`create table kept (text text)`
      await sql`insert into kept values ('yes')`
      return sql`select session_user::text as name, current_setting('is_superuser') as superuser`
    })
    await first.stop()
    const second = await start()
    const kept = await query(second.connection, (sql) => sql`select text from kept`)
    await second.stop()
    expect([...account]).toEqual([{ name: 'pegasus', superuser: 'off' }])
    expect([...kept]).toEqual([{ text: 'yes' }])
  })

  it('the embedded PostgreSQL keeps its password secret and does not listen on the network', async () => {
    const { connection, stop } = await start()
    const { mode } = await stat(join(dataDir, 'secrets', 'postgres-password'))
    const addresses = await query(connection, (sql) => sql`select current_setting('listen_addresses') as on`)
    const wrong = open({ ...connection, password: 'wrong' })
    await expect(wrong).rejects.toThrow('refuses the user name or the password')
    await stop()
    expect(mode & 0o777).toBe(0o600)
    expect([...addresses]).toEqual([{ on: '' }])
    await expect(stat(connection.host)).rejects.toThrow('ENOENT')
  })

  it('the embedded PostgreSQL starts with less memory if the machine cannot allocate the configured amount', async () => {
    // Twice the memory of this machine. Most machines refuse to allocate that much, and on those that
    // overcommit, the memory is never touched.
    const asked = `${Math.floor((2 * totalmem()) / 1024 ** 3)}GB`
    const postgres = await start({ settings: { ...settings, shared_buffers: asked } })
    expect(await query(postgres.connection, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('if the first start of the embedded PostgreSQL was interrupted, the next start repeats it', async () => {
    await mkdir(join(dataDir, 'postgres.unfinished', 'cluster', 'base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres.unfinished', 'cluster', 'PG_VERSION'), '18\n')
    const { connection, stop } = await start()
    await query(connection, (sql) => sql`select 1`)
    await stop()
    await expect(stat(join(dataDir, 'postgres.unfinished'))).rejects.toThrow('ENOENT')
  })

  it('the embedded PostgreSQL listens on a loopback port if it cannot use a socket', async () => {
    const { connection, stop } = await start({ transport: 'loopback' })
    expect(connection.host).toBe('127.0.0.1')
    await query(connection, (sql) => sql`select 1`)
    await stop()
  })

  it.runIf(isRoot && isLinux)(
    'as root, the embedded PostgreSQL works in a folder that only root may enter, and after others get access to it',
    async () => {
      await chmod(dataDir, 0o700)
      const hidden = await start()
      await query(hidden.connection, (sql) => sql`create table kept ()`)
      await hidden.stop()
      await chmod(dataDir, 0o755)
      const visible = await start()
      await query(visible.connection, (sql) => sql`select * from kept`)
      await visible.stop()
    },
  )
})

describe('the embedded PostgreSQL refuses to start', () => {
  it('the embedded PostgreSQL refuses a second process on its data folder, with a readable error', async () => {
    const { connection, stop } = await start()
    const second = start()
    await expect(second).rejects.toBeInstanceOf(StartupError)
    await expect(second).rejects.toThrow(
      /is in use by another Pegasus Ops process \(\d+\): stop that one first/,
    )
    await query(connection, (sql) => sql`select 1`)
    await stop()
  })

  it('the embedded PostgreSQL refuses a second process even if the lock file was deleted', async () => {
    const { connection, stop } = await start()
    await rm(join(dataDir, 'pegasus.lock'))
    await expect(start()).rejects.toThrow(/is in use by another Pegasus Ops process \(\d+\)/)
    await query(connection, (sql) => sql`select 1`)
    await stop()
  })

  it('the embedded PostgreSQL refuses to open a database of another version', async () => {
    await start().then(({ stop }) => stop())
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(
      'was made by PostgreSQL 17, but this version of Pegasus Ops includes PostgreSQL 18',
    )
  })

  it('the embedded PostgreSQL refuses a folder with other files, without changing these files', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'mine.txt'), 'mine')
    await expect(start()).rejects.toThrow('holds files, but no database')
    expect(await readFile(join(dataDir, 'postgres', 'mine.txt'), 'utf8')).toBe('mine')
  })

  it('the embedded PostgreSQL refuses to open a database whose password file is missing', async () => {
    await start().then(({ stop }) => stop())
    await rename(join(dataDir, 'secrets', 'postgres-password'), join(dataDir, 'elsewhere'))
    await expect(start()).rejects.toThrow('password of the built-in database cannot be read')
  })
})

describe('the embedded PostgreSQL after a crash', () => {
  it('the embedded PostgreSQL ends when the process that runs it is killed, and cleans up at the next start', async () => {
    await killHard(await startEmbedder())
    const options = await readFile(join(dataDir, 'postgres', 'postmaster.opts'), 'utf8')
    const [, socketFolder = ''] = /unix_socket_directories=([^"]+)"/.exec(options) ?? []
    await until(async () => (await clusterProcesses()).length === 0)
    expect((await stat(socketFolder)).isDirectory()).toBe(true)
    await start().then(({ stop }) => stop())
    await expect(stat(socketFolder)).rejects.toThrow('ENOENT')
  })

  it('after kill -9, the embedded PostgreSQL still has every committed row', async () => {
    for (let run = 1; run <= 2; run += 1) {
      await killHard(await startEmbedder())
      const { connection, stop } = await start()
      const rows = await query(connection, (sql) => sql`select count(*) from kept`)
      await stop()
      expect([...rows]).toEqual([{ count: run }])
    }
  })

  it.runIf(isLinux)('PostgreSQL backends that outlive a killed postmaster are found and ended', async () => {
    const child = await startEmbedder()
    const postmaster = Number(
      (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
    )
    child.kill('SIGSTOP')
    process.kill(postmaster, 'SIGKILL')
    await killHard(child)
    await until(async () => (await clusterProcesses()).length === 1)
    const { connection, stop } = await start()
    const rows = await query(connection, (sql) => sql`select count(*) from kept`)
    await stop()
    expect([...rows]).toEqual([{ count: 1 }])
  })

  it('a stale PostgreSQL pid file that names an unrelated process is ignored', async () => {
    await start().then(({ stop }) => stop())
    const stranger = spawn('sleep', ['60'])
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n\n\n`,
    )
    const { stop } = await start()
    await stop()
    expect(stranger.exitCode).toBe(null)
    await killHard(stranger)
  })

  it('an embedded PostgreSQL that keeps crashing because a folder is missing recovers once the folder is back', async () => {
    const { connection, stop } = await start()
    const answers = async () =>
      (await query(connection, (sql) => sql`select 1 as one`).catch(() => []))[0]?.one === 1
    for (let crash = 1; crash <= 3; crash += 1) {
      await expect.poll(answers, { timeout: 15_000, interval: 50 }).toBe(true)
      if (crash === 3) await rename(join(dataDir, 'postgres', 'global'), join(dataDir, 'away'))
      for (const one of await clusterProcesses()) process.kill(one.pid, 'SIGKILL')
      await until(async () => !(await answers()))
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await rename(join(dataDir, 'away'), join(dataDir, 'postgres', 'global'))
    await expect.poll(answers, { timeout: 20_000, interval: 100 }).toBe(true)
    await stop()
    expect(await clusterProcesses()).toEqual([])
  }, 60_000)

  it('an embedded PostgreSQL server that crashes is restarted at the same address', async () => {
    const { connection, stop } = await start()
    const before = await clusterProcesses()
    for (const one of before) process.kill(one.pid, 'SIGKILL')
    await until(async () => {
      const answer = await query(connection, (sql) => sql`select 1 as one`).catch(() => [])
      return answer[0]?.one === 1
    })
    await stop()
    expect(await clusterProcesses()).toEqual([])
  })
})
