import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import type { AuditEntry } from '@pegasus/contracts/audit'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { anEntry, manyEntries } from '../../../test/support/audit-factories.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { originalText, readCsv } from '../../../test/support/read-csv.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { MINUTE_MS, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createAuditExport } from './audit-export.ts'
import { createAudit } from './audit.service.ts'

const EARLIER = new Date('2026-01-10T12:00:00Z')
const BEFORE_SIGN_INS = 'to=2026-01-11T00:00:00Z'
const PAGE_SIZE = 1000

const exported = async (app: TestApp, query: string, headers: Record<string, string>) => {
  const response = await app.http.inject({ url: `/api/audit/export?${query}`, headers })
  expect(response.statusCode, response.body).toBe(200)
  const [names = [], ...records] = readCsv(response.body.replace(/^\uFEFF/, ''))
  const entries = records.map((record) =>
    Object.fromEntries(names.map((name, index) => [name, originalText(record[index] ?? '')])),
  )
  return { response, entries }
}

const exportsWritten = (app: TestApp) =>
  app.database.sql<{ actor_name: string; after: unknown; ip: string; request_id: string }[]>`
    select actor_name, after, ip, request_id from audit_entries where action = 'audit.exported' order by at, id`

/** Reads `pages` pages of the audit. An export that nobody stopped would read as many pages in the same time. */
async function readPages(app: TestApp, pages: number): Promise<void> {
  const audit = createAudit({ database: app.database })
  for (let page = 0; page < pages; page += 1) await audit.list({}, { cursor: null, limit: PAGE_SIZE })
}

describe('GET /api/audit/export', () => {
  it('the audit export returns the matching entries as CSV, newest first, and the export itself is recorded', async () => {
    const app = await buildTestApp()
    const after = { note: 'a,"b"\n=c', role: 'admin' }
    await anEntry(app, {
      action: 'account.updated',
      entity: 'account',
      entityName: 'J.',
      after,
      now: EARLIER,
    })
    await anEntry(app, { action: 'api_key.deleted', entity: 'api_key', now: addMs(EARLIER, SECOND_MS) })
    const { response, entries } = await exported(
      app,
      `${BEFORE_SIGN_INS}&search=pegasus`,
      await app.as('admin'),
    )
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="pegasus-ops-audit-${app.clock.now().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(response.rawPayload.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(entries.map(({ action }) => action)).toEqual(['api_key.deleted', 'account.updated'])
    expect(entries[1]).toEqual({
      at: '2026-01-10T12:00:00Z',
      actor_kind: 'system',
      actor_id: '',
      actor_name: 'Pegasus Ops',
      action: 'account.updated',
      entity: 'account',
      entity_id: '',
      entity_name: 'J.',
      before: '',
      after: JSON.stringify(after),
      ip: '',
      request_id: '',
      id: expect.any(String),
    })
    expect([...(await exportsWritten(app))]).toEqual([
      {
        actor_name: 'The admin',
        after: { to: '2026-01-11T00:00:00.000Z', search: 'pegasus' },
        ip: '127.0.0.1',
        request_id: response.headers['x-request-id'],
      },
    ])
  })

  it('T75 the audit export reproduces hostile names exactly, so that no name can forge a line', async () => {
    const app = await buildTestApp()
    const hostile = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(1)',
      '\t=1',
      '\r=1',
      '\n=1',
      '＝1',
      ' =1',
      "'=1",
      '"=1',
      'a\r\n2026-01-01,user',
      'a;=1',
      '="',
    ]
    for (const [index, text] of hostile.entries())
      await anEntry(app, {
        entityId: text,
        entityName: text,
        after: { text },
        actor: { ...SYSTEM_ACTOR, name: text },
        from: { ip: text, requestId: text },
        now: addMs(EARLIER, index * SECOND_MS),
      })
    const headers = await app.as('admin')
    const list = await app.http.inject({ url: `/api/audit?${BEFORE_SIGN_INS}`, headers })
    const { response, entries } = await exported(app, BEFORE_SIGN_INS, headers)
    const shown = list.json<AuditEntry[]>().map((entry) => ({
      at: entry.at,
      actor_kind: entry.actor_kind,
      actor_id: '',
      actor_name: entry.actor.name,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entity_id,
      entity_name: entry.entity_name,
      before: '',
      after: JSON.stringify(entry.after),
      ip: entry.ip,
      request_id: entry.request_id,
      id: entry.id,
    }))
    const wrong = shown.filter((entry, index) => JSON.stringify(entry) !== JSON.stringify(entries[index]))
    const computed = readCsv(response.body.slice(1))
      .flat()
      .filter((cell) => /^[\s"]*[=+\-@]/.test(cell.normalize('NFKC')))
    console.info(
      `T75 entries not given back ${wrong.length} of ${hostile.length}, cells computed ${computed.length}`,
    )
    expect(entries).toEqual(shown)
    expect(computed).toEqual([])
  })

  it('the audit export returns each entry once across many pages, without entries that were added after it began', async () => {
    const app = await buildTestApp()
    await manyEntries(app, 2 * PAGE_SIZE + 1)
    const { entries } = await exported(app, `to=${app.clock.now().toISOString()}`, await app.as('owner'))
    expect(entries.map(({ entity_id }) => entity_id)).toEqual(
      Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => String(index + 1)),
    )
    const everything = await exported(app, 'action=audit.exported', await app.as('owner'))
    expect(everything.entries).toHaveLength(1)
  })

  it('T84 the audit export reads no more entries than its reader consumes, and stops when the reader disconnects', async () => {
    const app = await buildTestApp()
    await manyEntries(app, 20 * PAGE_SIZE)
    let reads = 0
    const counted: Database = {
      ...app.database,
      transaction(work) {
        reads += 1
        return app.database.transaction(work)
      },
    }
    const body = await createAuditExport({ database: counted }).open(
      {},
      {},
      { actor: SYSTEM_ACTOR, now: app.clock.now() },
    )
    const chunks = body[Symbol.asyncIterator]()
    await chunks.next()
    await readPages(app, 30)
    expect(reads).toBeLessThanOrEqual(4)
    body.destroy()
    await once(body, 'close')
    const readBefore = reads
    await readPages(app, 30)
    expect(reads).toBe(readBefore)
  })

  it('T87 the audit export ends when its client disconnects', async () => {
    const app = await buildTestApp()
    await manyEntries(app, 20 * PAGE_SIZE)
    const bodies: Readable[] = []
    app.http.server.on('request', (_request, response) =>
      response.once('pipe', (body: Readable) => bodies.push(body)),
    )
    const address = await app.http.listen({ port: 0, host: '127.0.0.1' })
    expect((app.http.server.address() as AddressInfo).port).toBeGreaterThan(0)
    const leave = new AbortController()
    const response = await fetch(`${address}/api/audit/export`, {
      headers: await app.as('admin'),
      signal: leave.signal,
    })
    await response.body?.getReader().read()
    leave.abort()
    await expect.poll(() => bodies.map((body) => body.destroyed), { timeout: 10_000 }).toEqual([true])
    expect(bodies[0]?.readableEnded).toBe(false)
  })

  it('without a recent sign-in, an audit export is refused and not recorded', async () => {
    const app = await buildTestApp()
    const headers = await app.as('owner')
    app.clock.advance(16 * MINUTE_MS)
    const { statusCode, body } = await app.http.inject({ url: '/api/audit/export', headers })
    expect([statusCode, JSON.parse(body)]).toMatchObject([403, { code: 'reauthentication_required' }])
    expect(await exportsWritten(app)).toHaveLength(0)
  })

  it('a HEAD request for the audit export records nothing', async () => {
    const app = await buildTestApp()
    const { statusCode, headers } = await app.http.inject({
      method: 'HEAD',
      url: '/api/audit/export',
      headers: await app.as('owner'),
    })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(await exportsWritten(app)).toHaveLength(0)
  })

  it('T113 the audit export returns nothing if it cannot be recorded', async () => {
    const app = await buildTestApp()
    const headers = await app.as('owner')
    await anEntry(app, { entityName: `canary ${uuidv7()}`, now: EARLIER })
    await app.database
      .sql`alter table audit_entries add constraint refused check (action <> 'audit.exported')`
    const { statusCode, body } = await app.http.inject({ url: '/api/audit/export', headers })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('canary')
  })
})
