import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { choosePostgresAccount } from '../src/platform/database/postgres-account.ts'
import { locatePostgres } from '../src/platform/database/postgres-binaries.ts'
import { endpointArgs, openEndpoint } from '../src/platform/database/postgres-endpoint.ts'
import { type Postmaster, startPostmaster } from '../src/platform/database/postmaster.ts'
import { runToEnd } from '../src/platform/database/run-to-end.ts'
import { silentLog } from './silent-log.ts'

/** Where the Debian family installs its servers, one folder for each major version. */
const INSTALLED = '/usr/lib/postgresql'
const OLDEST = 15

export interface PostgresServer {
  name: string
  /** The folder of `initdb` and `postgres`. */
  locate(): Promise<string>
}

/** The PostgreSQL servers of this machine: the one that comes with the product, and those that are installed. */
export const POSTGRES_SERVERS: readonly PostgresServer[] = [
  { name: 'the embedded PostgreSQL', locate: async () => join((await locatePostgres()).folder, 'bin') },
  ...(existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
    .map((version) => ({ version, bin: join(INSTALLED, version, 'bin') }))
    .filter(({ version, bin }) => Number(version) >= OLDEST && existsSync(join(bin, 'postgres')))
    .map(({ version, bin }) => ({ name: `PostgreSQL ${version}`, locate: async () => bin })),
]

export interface ExternalPostgres {
  /** For `DATABASE_URL`; the database is empty. */
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** A server that the product did not start and knows by its address only; ended when the test ends. */
export async function startExternalPostgres(server: PostgresServer): Promise<ExternalPostgres> {
  const bin = await server.locate()
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-external-'))
  await chmod(folder, 0o755)
  const account = await choosePostgresAccount({ binaries: bin, data: folder })
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  await chown(data, account.uid, account.gid)
  const initdb = ['-D', data, '-U', 'pegasus', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await runToEnd(account, join(bin, 'initdb'), initdb)
  const endpoint = await openEndpoint(account, 'loopback')
  const args = ['-D', data, ...endpointArgs(endpoint), '-c', 'fsync=off', '-c', 'max_connections=60']
  let running: Postmaster | null = null
  const start = async () => {
    running = await startPostmaster({ account, postgres: join(bin, 'postgres'), args, log: silentLog })
  }
  const stop = async () => {
    await running?.stop()
    running = null
  }
  onTestFinished(async () => {
    await stop()
    await endpoint.close()
    await rm(folder, { recursive: true, force: true })
  })
  await start()
  return { url: `postgres://pegasus@${endpoint.host}:${endpoint.port}/postgres`, start, stop }
}
