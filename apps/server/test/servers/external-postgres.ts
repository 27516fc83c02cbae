import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  EMBEDDED_POSTGRES,
  type PostgresServer,
  type RunningPostgres,
  runPostgres,
} from './postgres-server.ts'

/** The folder in which Debian installs PostgreSQL. It has one folder for each major version. */
const INSTALLED = '/usr/lib/postgresql'
const OLDEST = 15

/** The PostgreSQL servers on this machine: the embedded server and the installed servers. */
export const POSTGRES_SERVERS: readonly PostgresServer[] = [
  EMBEDDED_POSTGRES,
  ...(existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
    .map((version) => ({ version, bin: join(INSTALLED, version, 'bin') }))
    .filter(({ version, bin }) => Number(version) >= OLDEST && existsSync(join(bin, 'postgres')))
    .map(({ version, bin }) => ({ name: `PostgreSQL ${version}`, locate: async () => bin })),
]

/**
 * Starts a database server that Pegasus Ops did not start and can reach only by its address. It is stopped when the
 * test ends.
 */
export async function startExternalPostgres(server: PostgresServer): Promise<RunningPostgres> {
  const postgres = await runPostgres(server)
  onTestFinished(() => postgres.remove())
  return postgres
}
