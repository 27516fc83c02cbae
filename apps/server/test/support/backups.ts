import type { BackupRun, BackupStatus } from '@pegasus/contracts/backups'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { DatabaseConnection } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { buildTestApp } from './build-test-app.ts'

/** Creates a folder that is removed when the test ends. */
export async function anEmptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-backups-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a test database's connection in the form of `DATABASE_URL`, for commands that read this variable. */
export const databaseAddress = ({ host, port, user, password, database }: DatabaseConnection): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** Builds an app whose backups go to a folder of their own, and the calls that make and read backups. */
export async function aBackedUpApp(
  variables: Record<string, string> = {},
  logTo?: { write(line: string): void },
) {
  const folder = await anEmptyFolder()
  const app = await buildTestApp({
    variables: { BACKUP_DIR: folder, ...variables },
    ...(logTo && { logTo }),
  })
  const admin = await app.as('admin')
  // Use a new session for each call, because the tests advance the clock by several days.
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.http.inject({ method, url, headers: await app.as('admin'), ...(payload && { payload }) })
  const read = async () => (await call('GET', '/api/backups')).json<BackupStatus>()
  return {
    app,
    admin,
    folder,
    call,
    read,
    start: () => call('POST', '/api/backups'),
    /** Waits until no backup is running. Returns the newest run. */
    async ended(): Promise<BackupRun | undefined> {
      await expect
        .poll(async () => (await read()).runs.every(({ state }) => state !== 'running'), { timeout: 60_000 })
        .toBe(true)
      return (await read()).runs[0]
    },
    schedule: (every_hours: number | null, keep = 14) =>
      call('PUT', '/api/backups/schedule', { every_hours, keep }),
  }
}
