import type { AuditEntry } from '@pegasus/contracts/audit'
import { ROLES } from '@pegasus/contracts/roles'
import type { LightMyRequestResponse } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { anEntry, manyEntries } from '../../../test/support/audit-factories.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { refusalOf } from '../../../test/support/stock-factories.ts'
import type { Actor } from '../../platform/actor.ts'
import { SECOND_MS, addMs } from '../../platform/clock.ts'

const MAXI: Actor = { kind: 'user', id: uuidv7(), name: 'Maximiliane von Traunstein' }
const AGENT: Actor = { kind: 'api_key', id: uuidv7(), name: 'Printer agent 17' }
const KEY_ID = uuidv7()
const FROM = { ip: '203.0.113.7', requestId: uuidv7() }

/** A time before the entries that the sign-ins of the test add to the audit. */
const EARLIER = new Date('2026-01-10T12:00:00Z')

async function read(app: TestApp, query: Record<string, string>, role: 'admin' | 'owner' = 'admin') {
  const headers = await app.as(role)
  const response = await app.http.inject({ url: `/api/audit?${new URLSearchParams(query)}`, headers })
  expect(response.statusCode, response.body).toBe(200)
  return { response, entries: response.json<AuditEntry[]>() }
}

/** Writes five entries of different kinds, one second apart, the newest first. */
async function someEntries(app: TestApp): Promise<void> {
  const at = (index: number) => addMs(EARLIER, -index * SECOND_MS)
  const role = {
    action: 'account.updated',
    entity: 'account',
    entityId: uuidv7(),
    entityName: 'J. Okonkwo',
  } as const
  const key = { entity: 'api_key', entityId: KEY_ID, entityName: 'Webshop 50%' } as const
  await anEntry(app, {
    ...role,
    before: { role: 'staff', name: 'J.' },
    after: { role: 'admin', name: 'J.' },
    actor: MAXI,
    now: at(0),
    from: FROM,
  })
  await anEntry(app, {
    ...key,
    action: 'api_key.created',
    after: { scope: ['integration'] },
    actor: MAXI,
    now: at(1),
  })
  await anEntry(app, {
    ...key,
    action: 'api_key.deleted',
    actor: MAXI,
    now: at(2),
    from: { ...FROM, ip: '2001:db8::7' },
  })
  await anEntry(app, {
    action: 'access.refused',
    entity: 'endpoint',
    entityId: 'POST /api/integration/orders',
    actor: AGENT,
    now: at(3),
  })
  await anEntry(app, { action: 'account.created', entity: 'account', entityId: uuidv7(), now: at(4) })
}

const BEFORE_SIGN_INS = { to: '2026-01-11T00:00:00Z' }

/** Filters as query parameters, each with the actions of the entries that it must find. */
const FILTERS: readonly (readonly [Record<string, string>, readonly string[]])[] = [
  [{}, ['account.updated', 'api_key.created', 'api_key.deleted', 'access.refused', 'account.created']],
  [{ action: 'api_key.deleted' }, ['api_key.deleted']],
  [{ action: 'account.created,api_key.created,account.created' }, ['api_key.created', 'account.created']],
  [{ action: 'outbox.read' }, []],
  [{ entity: 'account' }, ['account.updated', 'account.created']],
  [{ entity_id: KEY_ID }, ['api_key.created', 'api_key.deleted']],
  [{ entity: 'account', entity_id: KEY_ID }, []],
  [{ actor: AGENT.id ?? '' }, ['access.refused']],
  [{ actor: KEY_ID }, []],
  [{ actor_kind: 'system' }, ['account.created']],
  [{ actor_kind: 'user', entity: 'api_key' }, ['api_key.created', 'api_key.deleted']],
  [{ from: '2026-01-10T11:59:58Z' }, ['account.updated', 'api_key.created', 'api_key.deleted']],
  [{ to: '2026-01-10T11:59:58Z' }, ['access.refused', 'account.created']],
  [{ from: '2026-01-10T13:59:59+02:00', to: '2026-01-10T14:00:00+02:00' }, ['api_key.created']],
  [{ from: '2026-01-11T00:00:00Z', to: '2026-01-10T00:00:00Z' }, []],
  [{ search: 'okonkwo' }, ['account.updated']],
  [{ search: 'TRAUN webshop' }, ['api_key.created', 'api_key.deleted']],
  [{ search: 'j' }, ['account.updated']],
  [{ search: 'ko' }, []],
  [{ search: '50%' }, ['api_key.created', 'api_key.deleted']],
  [{ search: '%' }, []],
  [{ search: '_' }, []],
  [{ search: '203.0.113' }, ['account.updated']],
  [{ search: '113.7' }, []],
  [{ search: '2001:DB8' }, ['api_key.deleted']],
  [{ search: '/api/integration' }, ['access.refused']],
  [{ search: KEY_ID }, ['api_key.created', 'api_key.deleted']],
  [{ search: AGENT.id?.toUpperCase() ?? '' }, ['access.refused']],
  [{ search: '17' }, ['access.refused']],
  [
    { search: '   ', entity_id: '', actor: '', action: '' },
    ['account.updated', 'api_key.created', 'api_key.deleted', 'access.refused', 'account.created'],
  ],
]

const BAD_QUERIES: readonly string[] = [
  'action=session.burned',
  'action=session.opened,',
  'action=a&action=b',
  `action=${'x'.repeat(3000)}`,
  'entity=ghost',
  `entity_id=${'x'.repeat(201)}`,
  'entity_id=%00',
  'actor=me',
  "actor=' or 1=1",
  'actor_kind=root',
  'from=yesterday',
  'from=2026-02-30T00:00:00Z',
  'from=2026-01-01',
  'from=0000-01-01T00:00:00Z',
  'from=0001-01-01T00:00:00+00:01',
  'to=2026-01-01T00:00:00',
  'to=9999-12-31T23:59:59-23:59',
  'search=%00',
  `search=${'x'.repeat(201)}`,
  `search=${'x+'.repeat(12)}`,
  'limit=0',
  'limit=1001',
  'cursor=nonsense',
]

describe('GET /api/audit', () => {
  describe('valid audit requests', () => {
    it('the audit shows who changed which object, when and from where, and lists only the changed fields', async () => {
      const app = await buildTestApp()
      await someEntries(app)
      const { entries } = await read(app, { ...BEFORE_SIGN_INS, limit: '1' })
      expect(entries).toEqual([
        {
          id: expect.any(String),
          at: '2026-01-10T12:00:00Z',
          actor: MAXI,
          actor_kind: 'user',
          action: 'account.updated',
          entity: 'account',
          entity_id: expect.any(String),
          entity_name: 'J. Okonkwo',
          before: { role: 'staff' },
          after: { role: 'admin' },
          ip: '203.0.113.7',
          request_id: FROM.requestId,
        },
      ])
    })

    it('an audit entry without a given name stores the current name of the account', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const [person] = await app.database.sql<
        [{ id: string }]
      >`select id from people where username = ${username}`
      await anEntry(app, { action: 'account.updated', entity: 'account', entityId: person.id, now: EARLIER })
      await app.database.sql`update profiles set full_name = 'Somebody Else' where account_id = ${person.id}`
      const { entries } = await read(app, BEFORE_SIGN_INS)
      expect(entries.map(({ entity_name }) => entity_name)).toEqual(['The staff'])
    })

    it('admins see in the audit what owners did', async () => {
      const app = await buildTestApp()
      await app.signIn('owner', 'correct horse battery')
      const { entries } = await read(app, { action: 'session.opened', search: 'owner' })
      expect(entries.length).toBeGreaterThan(0)
    })

    it('each audit filter finds the matching entries, alone and in combination with other filters', async () => {
      const app = await buildTestApp()
      await someEntries(app)
      const headers = await app.as('admin')
      for (const [query, actions] of FILTERS) {
        const url = `/api/audit?${new URLSearchParams({ ...BEFORE_SIGN_INS, ...query })}`
        const response = await app.http.inject({ url, headers })
        const found = response.json<AuditEntry[]>().map(({ action }) => action)
        expect([query, found]).toEqual([query, actions])
        expect(response.headers['x-total-count']).toBe(String(actions.length))
      }
    })

    it('GET /api/audit returns each entry once over all pages, even with a filter by several actions', async () => {
      const app = await buildTestApp()
      await manyEntries(app, 1200)
      for (const filter of ['limit=400', 'limit=400&action=session.opened,session.ended']) {
        const headers = await app.as('admin')
        const seen: string[] = []
        let url: string | undefined = `/api/audit?${filter}&to=${app.clock.now().toISOString()}`
        for (let pages = 0; url !== undefined; pages += 1) {
          const response: LightMyRequestResponse = await app.http.inject({ url, headers })
          expect(response.headers['x-total-count']).toBe('1000')
          expect(response.headers['x-total-count-capped']).toBe('true')
          seen.push(...response.json<AuditEntry[]>().map(({ entity_id }) => String(entity_id)))
          url = /<(.*)>; rel="next"/.exec(String(response.headers.link))?.[1]
          expect(pages).toBeLessThan(4)
        }
        expect(seen).toEqual(Array.from({ length: 1200 }, (_, index) => String(index + 1)))
      }
    })
  })

  describe('invalid audit requests', () => {
    it('the audit list and the audit export refuse invalid filters', async () => {
      const app = await buildTestApp()
      const headers = await app.as('admin')
      for (const query of BAD_QUERIES)
        for (const path of ['/api/audit', '/api/audit/export']) {
          if (path.endsWith('export') && /^(limit|cursor)=/.test(query)) continue
          const { statusCode, body } = await app.http.inject({ url: `${path}?${query}`, headers })
          expect([path, query, statusCode, body]).toEqual([
            path,
            query,
            422,
            expect.stringContaining('detail'),
          ])
        }
    })

    it('audit filters accept every time that a clock can show, in any time zone', async () => {
      const app = await buildTestApp()
      for (const moment of [
        '0001-01-02T00:00:00Z',
        '9999-12-31T00:00:00Z',
        '2026-01-01T00:00:00+23:59',
        '2026-01-01T00:00:00.123456789-23:59',
      ])
        await read(app, { from: moment, to: moment })
    })
  })

  describe('audit requests without permission', () => {
    it('no role below admin can read or export the audit', async () => {
      const app = await buildTestApp()
      for (const role of ROLES.filter((each) => each !== 'admin' && each !== 'owner')) {
        const headers = await app.as(role)
        for (const url of ['/api/audit', '/api/audit/export'])
          expect([role, (await app.http.inject({ url, headers })).statusCode]).toEqual([role, 403])
      }
    })
  })
})

describe('audit entries', () => {
  it('T113 an audit entry can be changed neither through the API nor in the database', async () => {
    const app = await buildTestApp()
    await someEntries(app)
    const headers = await app.as('owner')
    const rows = () => app.database.sql`select * from audit_entries order by at, id`
    const before = [...(await rows())]
    const id = String(before[0]?.id)
    const attempts: string[] = []
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const url of [
        '/api/audit',
        `/api/audit/${id}`,
        '/api/audit/export',
        `/api/audit?entity_id=${KEY_ID}`,
      ]) {
        const { statusCode } = await app.http.inject({
          method,
          url,
          headers,
          payload: { action: 'outbox.read' },
        })
        expect([404, 405]).toContain(statusCode)
        attempts.push(`${method} ${url}`)
      }
    const { sql } = app.database
    const statements = [
      sql`update audit_entries set actor_name = 'Nobody'`,
      sql`update audit_entries set after = null where id = ${id}`,
      sql`delete from audit_entries where id = ${id}`,
      sql`delete from audit_entries`,
      sql`truncate audit_entries`,
      sql`truncate audit_entries cascade`,
      sql`insert into audit_entries select * from audit_entries where id = ${id} on conflict (id) do update set ip = null`,
      sql`merge into audit_entries e using (select 1) s on e.id = ${id} when matched then delete`,
    ]
    for (const statement of statements) {
      const refusal = await refusalOf(statement)
      expect(refusal).not.toBeNull()
      attempts.push('statement')
    }
    const after = [...(await rows())]
    const changed = before.filter((row, index) => JSON.stringify(row) !== JSON.stringify(after[index]))
    console.info(`T113 entries changed ${changed.length} by ${attempts.length} attempts`)
    expect(after).toEqual(before)
  })

  it('T113 an audit entry is written with its change or not at all', async () => {
    const app = await buildTestApp()
    const count = async () => (await app.database.sql`select 1 from audit_entries`).length
    const before = await count()
    await expect(
      anEntry(app, { action: 'password.changed', after: { password: 'hunter2' }, now: EARLIER }),
    ).rejects.toThrow('password.changed would write down after.password, which may be a secret')
    await expect(
      app.database.transaction(async (tx) => {
        await tx`insert into audit_entries (id, at, actor_kind, actor_name, action, entity) values (${uuidv7()}, now(), 'system', 'x', 'x', 'x')`
        throw new Error('the change itself failed')
      }),
    ).rejects.toThrow('the change itself failed')
    expect(await count()).toBe(before)
  })

  it('an audit entry can store any text that people can type', async () => {
    const app = await buildTestApp()
    const odd = 'a\0b\ud800\r\n2026-01-01,forged'
    await anEntry(app, {
      entityId: odd,
      entityName: odd,
      after: { odd },
      actor: { ...MAXI, name: odd },
      now: EARLIER,
    })
    const [entry] = (await read(app, BEFORE_SIGN_INS)).entries
    const kept = 'a\uFFFDb\uFFFD\r\n2026-01-01,forged'
    expect(entry).toMatchObject({
      entity_id: kept,
      entity_name: kept,
      after: { odd: kept },
      actor: { name: kept },
    })
  })
})
