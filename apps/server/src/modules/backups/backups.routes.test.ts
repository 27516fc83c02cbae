import type { Alert } from '@pegasus/contracts/alerts/alerts'
import type { BackupRun } from '@pegasus/contracts/backups'
import type { SystemStatus } from '@pegasus/contracts/system'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { aBackedUpApp, anEmptyFolder, databaseAddress } from '../../../test/support/backups.ts'
import type { TestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { anItem } from '../../../test/support/stock-factories.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { checkBackup, makeBackup } from './index.ts'
import { expectOneResponse } from '../../../test/support/repeated-requests.ts'

const inbox = async (app: TestApp, headers: Record<string, string>): Promise<Alert[]> => {
  await app.alerts.run()
  return (await app.http.inject({ url: '/api/alerts', headers })).json<Alert[]>()
}

describe('a backup started by a person', () => {
  it('a manually started backup runs in the background, is complete, and reports its contents', async () => {
    const { app, folder, start, ended, read } = await aBackedUpApp({ BACKUP_KEY: 'a passphrase of a test' })
    await anItem(app, { sku: 'HOOK' })
    await app.storage.put('pictures/one', new Blob(['hello']).stream())
    const answer = await start()
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ cause: 'person', state: 'running', ended_at: null })
    const run = await ended()
    expect(run).toMatchObject({ id: answer.json().id, state: 'done', files: 1, failure: null })
    const manifest = await checkBackup(join(folder, run?.name ?? ''), { backupKey: 'a passphrase of a test' })
    expect(manifest.tables.find(({ name }) => name === 'items')?.rows).toBe(1)
    expect(run?.rows).toBe(manifest.tables.reduce((sum, { rows }) => sum + rows, 0))
    expect(await read()).toMatchObject({
      folder,
      is_encrypted: true,
      is_late: false,
      last_good: { id: run?.id },
    })
  })

  it('a request to start a backup during a backup returns the running one, without a second audit entry', async () => {
    const { app, start, ended, read } = await aBackedUpApp()
    const answers = await Promise.all([start(), start(), start()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
    await ended()
    const begun = new Set(answers.map((answer) => answer.json<BackupRun>().id))
    expect((await read()).runs.map(({ id }) => id).toSorted()).toEqual([...begun].toSorted())
    const entries = await app.database.sql<{ entity_id: string }[]>`
      select entity_id from audit_entries where action = 'backup.started'`
    expect(entries.map(({ entity_id: id }) => id).toSorted()).toEqual([...begun].toSorted())
  })

  it('T93 repeated requests to start a backup with one key start one backup, even after it has ended', async () => {
    const { app, admin, ended, read } = await aBackedUpApp()
    const start = { url: '/api/backups' }
    const item = { url: '/api/inventory', payload: { name: 'Hook' } }
    const started = await expectOneResponse(app, admin, start, item)
    expect(started.statusCode).toBe(202)
    await ended()
    const headers = { ...admin, 'idempotency-key': 'key of /api/backups' }
    const repeated = await app.http.inject({ method: 'POST', url: '/api/backups', headers })
    expect([repeated.statusCode, repeated.body]).toEqual([202, started.body])
    expect((await read()).runs).toHaveLength(1)
  })

  it('a failed backup alerts only administrators, with the reason, and does not prevent the next backup', async () => {
    const parent = await anEmptyFolder()
    const notAFolder = join(parent, 'file')
    await writeFile(notAFolder, 'in the way')
    const { app, admin, start, ended, read } = await aBackedUpApp({ BACKUP_DIR: notAFolder })
    await start()
    const run = await ended()
    const failure = `${notAFolder} is not a folder. Set BACKUP_DIR to a folder.`
    expect(run).toMatchObject({ state: 'failed', failure, name: null })
    expect(await inbox(app, admin)).toMatchObject([
      { kind: 'backup_failed', entity_id: run?.id, facts: { reason: failure } },
    ])
    expect(await inbox(app, await app.as('staff'))).toEqual([])
    expect(await inbox(app, admin)).toHaveLength(1)
    await rm(notAFolder)
    await start()
    expect(await ended()).toMatchObject({ state: 'done' })
    expect((await read()).runs).toHaveLength(2)
  })

  it('staff cannot start a backup', async () => {
    const { app } = await aBackedUpApp()
    const headers = await app.as('staff')
    const answer = await app.http.inject({ method: 'POST', url: '/api/backups', headers })
    expect(answer.statusCode).toBe(403)
  })
})

describe('the schedule of backups', () => {
  it('the schedule starts the first backup at once and later ones when they are due, and keeps only the newest', async () => {
    const { app, folder, schedule, ended, read } = await aBackedUpApp()
    await app.backups.run()
    expect((await read()).runs).toEqual([])
    expect((await schedule(24, 2)).json()).toEqual({ every_hours: 24, keep: 2 })
    for (const day of [0, 1, 2]) {
      await app.backups.run()
      expect(await ended()).toMatchObject({ state: 'done', cause: 'schedule' })
      await app.backups.run()
      expect((await read()).runs).toHaveLength(day + 1)
      app.clock.advance(24 * HOUR_MS)
    }
    const kept = (await readdir(folder)).filter((name) => name.endsWith('Z'))
    const names = (await read()).runs.map(({ name }) => name)
    expect(kept.toSorted().toReversed()).toEqual(names.slice(0, 2))
  })

  it('a damaged older backup does not make new backups fail, and its files stay as long as the backup itself', async () => {
    const { app, folder, schedule, start, ended } = await aBackedUpApp()
    await app.storage.put('pictures/only-in-the-first', new Blob(['hello']).stream())
    await schedule(24, 2)
    await start()
    const first = await ended()
    await app.storage.delete('pictures/only-in-the-first')
    const files = async () => (await readdir(join(folder, 'objects'), { recursive: true })).toSorted()
    const before = await files()
    await writeFile(join(folder, first?.name ?? '', 'manifest.json'), 'not a manifest')
    app.clock.advance(HOUR_MS)
    await start()
    expect(await ended()).toMatchObject({ state: 'done', failure: null })
    expect(await files()).toEqual(before)
    // The damaged backup is older than the two good backups to keep, so it is removed now.
    app.clock.advance(HOUR_MS)
    await start()
    const third = await ended()
    expect(third).toMatchObject({ state: 'done' })
    expect(await readdir(folder)).not.toContain(first?.name)
    // The removed object is in no remaining backup, so its file is removed.
    expect((await files()).length).toBeLessThan(before.length)
    await rm(join(folder, third?.name ?? '', 'manifest.json'))
    app.clock.advance(HOUR_MS)
    await start()
    expect(await ended()).toMatchObject({ state: 'done', failure: null })
  })

  it('damaged backups do not cause a good one to be deleted', async () => {
    const { app, folder, schedule, start, ended } = await aBackedUpApp()
    await schedule(24, 2)
    const next = async () => {
      app.clock.advance(HOUR_MS)
      await start()
      return (await ended())?.name ?? ''
    }
    const [good, cut] = [await next(), await next()]
    await rm(join(folder, cut, 'tables', 'accounts.copy.gz'))
    const third = await next()
    const left = (await readdir(folder)).filter((name) => name.endsWith('Z'))
    expect(left.toSorted()).toEqual([good, cut, third])
  })

  it('a backup is good even if an old one cannot be removed, and the log says why', async () => {
    const lines: string[] = []
    const { app, folder, schedule, start, ended } = await aBackedUpApp(
      {},
      { write: (line) => void lines.push(line) },
    )
    await schedule(24, 1)
    await start()
    const old = join(folder, (await ended())?.name ?? '')
    // File systems refuse longer paths. So the old backup cannot be removed while this folder is in it.
    const long = Array.from({ length: 10 }, () => 'd'.repeat(240)).join('/')
    const aside = await anEmptyFolder()
    for (const parent of [old, aside]) await mkdir(join(parent, long), { recursive: true })
    const [from, to] = [join(aside, 'd'.repeat(240)), join(old, long, 'inner')]
    await rename(from, to)
    app.clock.advance(HOUR_MS)
    await start()
    const run = await ended()
    await rename(to, from)
    expect(run).toMatchObject({ state: 'done', failure: null })
    expect(await readdir(folder)).toContain(run?.name)
    expect(lines.join('')).toMatch(/ENAMETOOLONG.*some old backups could not be removed/)
  })

  it('only one of two processes starts the scheduled backup', async () => {
    const { app, schedule, read, ended } = await aBackedUpApp()
    const replica = await app.replica()
    await schedule(1)
    await Promise.all([app.backups.run(), replica.backups.run(), app.backups.run(), replica.backups.run()])
    await ended()
    expect((await read()).runs).toHaveLength(1)
  })

  it('a backup by the command is listed as the last good one, and does not delay the schedule', async () => {
    const { app, folder, read, schedule } = await aBackedUpApp()
    await schedule(24)
    const { next_at: nextAt } = await read()
    const [{ name }] = await app.database.sql<[{ name: string }]>`select current_database() as name`
    const config = {
      ...app.config,
      databaseUrl: databaseAddress({ ...inject('postgres').connection, database: name }),
    }
    const options = { config, migrations: '', version: '0', log: silentLog, keep: null }
    const { path } = await makeBackup(folder, options)
    expect(await read()).toMatchObject({
      next_at: nextAt,
      last_good: { cause: 'command', state: 'done', name: basename(path), files: 0 },
    })
  })

  it('administrators get one alert each time the last good backup becomes too old', async () => {
    const { app, schedule, start, ended, read } = await aBackedUpApp()
    const alertsAfterRun = async () => {
      await app.alerts.run()
      return app.database.sql<{ entity_id: string | null; facts: object }[]>`
        select entity_id, facts from alerts where kind = 'backup_failed' order by created_at`
    }
    await schedule(24)
    await start()
    await ended()
    expect(await alertsAfterRun()).toEqual([])
    app.clock.advance(49 * HOUR_MS)
    expect(await read()).toMatchObject({ is_late: true })
    const late = { entity_id: null, facts: { reason: 'The last good backup is 49 hours old.' } }
    expect(await alertsAfterRun()).toEqual([late])
    expect(await alertsAfterRun()).toHaveLength(1)
    await start()
    await ended()
    expect(await read()).toMatchObject({ is_late: false })
    app.clock.advance(49 * HOUR_MS)
    expect(await alertsAfterRun()).toHaveLength(2)
  })

  it('the backup schedule accepts only possible values, and the audit records its changes', async () => {
    const { app, schedule, read } = await aBackedUpApp()
    for (const [hours, keep] of [
      [0, 14],
      [721, 14],
      [1.5, 14],
      [24, 0],
      [24, 366],
    ] as const)
      expect((await schedule(hours, keep)).statusCode, `${hours}, ${keep}`).toBe(422)
    expect((await read()).schedule).toEqual({ every_hours: null, keep: 14 })
    expect((await schedule(12, 30)).statusCode).toBe(200)
    const [entry] = await app.database.sql<{ before: object; after: object }[]>`
      select before, after from audit_entries where action = 'backup_schedule.updated'`
    expect(entry).toEqual({ before: { every_hours: null, keep: 14 }, after: { every_hours: 12, keep: 30 } })
  })
})

it('GET /api/system returns the versions, the free space, the delivery of emails and the background tasks', async () => {
  const { call, start, ended } = await aBackedUpApp()
  await start()
  await ended()
  const state = (await call('GET', '/api/system')).json<SystemStatus>()
  expect(state).toMatchObject({
    version: '0.0.0-test',
    node_version: process.versions.node,
    storage: { kind: 'folder' },
    mail: { delivery: 'outbox', unsent: 0 },
  })
  expect(state.database.migration).toMatch(/^\d{4}-.*\.sql$/)
  expect(state.database.size_bytes).toBeGreaterThan(1_000_000)
  expect(state.storage.free_bytes).toBeGreaterThan(0)
  expect(state.queues.find(({ name }) => name === 'backups.make')).toEqual({
    name: 'backups.make',
    waiting: 0,
    running: 0,
    failed: 0,
  })
})
