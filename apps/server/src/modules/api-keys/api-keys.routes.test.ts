import { type ApiKey, type IssuedApiKey, createApiKeyBody } from '@pegasus/contracts/api-keys'
import { describe, expect, it } from 'vitest'
import {
  KEYS_URL,
  actOnKey,
  aKey,
  aKeyOwner,
  accountId,
  auditOf,
  createKey,
  listKeys,
  readsWith,
  usageOf,
} from '../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { DAY_MS, addMs } from '../../platform/clock.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

describe('API keys', () => {
  describe('valid API key requests', () => {
    it('POST /api/api-keys gives a new API key the specified defaults, and shows it in full only once', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const username = await app.anAccount('staff')
      const answer = await createKey(app, admin, { user_id: await accountId(app, username) })
      expect(answer.statusCode).toBe(201)
      const { key, ...shown } = answer.json<IssuedApiKey>()
      expect(shown).toEqual({
        id: expect.any(String),
        key_prefix: key.slice(0, 16),
        label: 'Default',
        user_id: await accountId(app, username),
        username,
        owner_in_force: true,
        scope: ['integration', 'print-jobs'],
        is_active: true,
        expires_at: null,
        allowed_addresses: null,
        usage_count: 0,
        created_at: app.clock.now().toISOString(),
        last_used: null,
        last_used_ip: null,
      })
      expect(answer.headers['cache-control']).toContain('no-store')
      expect(await listKeys(app, admin)).toEqual([shown])
      expect(await usageOf(app, admin, shown.id)).toMatchObject({ ...shown, calls: [] })
      expect(await readsWith(app, key)).toBe(200)
      const [row] = await app.database.sql`select to_jsonb(k)::text as row from api_keys k`
      expect(String(row?.['row'])).not.toContain(key.slice(17))
    })

    it('a new API key can have a label, scopes, an expiry and allowed addresses', async () => {
      const app = await buildTestApp()
      const answer = await createKey(app, await app.as('owner'), {
        user_id: await aKeyOwner(app),
        label: '  Printer agent, south wall  ',
        scope: ['print-jobs', 'print-jobs'],
        expires_days: 365,
        allowed_addresses: ['10.1.2.3/8', '203.0.113.7', '2001:DB8::1/32'],
      })
      expect(answer.json<IssuedApiKey>()).toMatchObject({
        label: 'Printer agent, south wall',
        scope: ['print-jobs'],
        expires_at: addMs(app.clock.now(), 365 * DAY_MS).toISOString(),
        allowed_addresses: ['10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32'],
      })
    })

    it('API keys are listed newest first, page by page', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      for (const label of ['a', 'b', 'c']) {
        await aKey(app, { label })
        app.clock.advance(1000)
      }
      const first = await app.http.inject({ url: `${KEYS_URL}?limit=2`, headers: owner })
      expect(first.json<ApiKey[]>().map(({ label }) => label)).toEqual(['c', 'b'])
      expect(first.headers['x-total-count']).toBe('3')
      const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
      const second = await app.http.inject({ url: next, headers: owner })
      expect(second.json<ApiKey[]>().map(({ label }) => label)).toEqual(['a'])
      expect((await app.http.inject({ url: `${KEYS_URL}?limit=1001`, headers: owner })).statusCode).toBe(422)
    })

    it('rotating an API key replaces it with a new key that has the same rights', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const { key, ...before } = await aKey(app, { days: 10, label: 'Shop', addresses: ['127.0.0.1'] })
      const answer = await actOnKey(app, owner, before.id, 'rotate')
      expect(answer.statusCode).toBe(200)
      const { key: other, ...after } = answer.json<IssuedApiKey>()
      expect(after).toEqual({ ...before, key_prefix: other.slice(0, 16) })
      expect(other.slice(0, 16)).not.toBe(key.slice(0, 16))
      expect([await readsWith(app, key), await readsWith(app, other)]).toEqual([401, 200])
      expect((await app.database.sql`select 1 from api_keys`).length).toBe(1)
    })

    it('disabling, enabling or deleting an API key takes effect in every process with the next request', async () => {
      const app = await buildTestApp()
      const replica = await app.replica()
      const owner = await app.as('owner')
      const { key, id } = await aKey(app)
      const steps = [
        ['disable', 200, 401],
        ['disable', 200, 401],
        ['enable', 200, 200],
        ['enable', 200, 200],
        ['delete', 204, 401],
        ['delete', 404, 401],
        ['enable', 404, 401],
        ['rotate', 404, 401],
      ] as const
      for (const [what, status, then] of steps) {
        const answer = await actOnKey(app, owner, id, what)
        expect([what, answer.statusCode]).toEqual([what, status])
        if (status === 200) expect(answer.json<ApiKey>().is_active).toBe(what === 'enable')
        expect([what, await readsWith(app, key), await readsWith(replica, key)]).toEqual([what, then, then])
      }
      expect(await listKeys(app, owner)).toEqual([])
    })

    it('the details of an API key list the endpoints that its scopes and the rights of its owner open', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const username = await app.anAccount('staff')
      const { id } = await aKey(app, { username, scope: ['integration'] })
      const opens = async () =>
        (await usageOf(app, owner, id)).endpoints.map(({ method, path }) => `${method} ${path}`)
      expect((await opens()).toSorted()).toEqual([
        'GET /api/integration/products',
        'GET /api/integration/stock',
        'POST /api/integration/orders',
      ])
      await app.database.sql`
        update user_roles set role_name = 'viewer' where user_id = ${await accountId(app, username)}`
      expect((await opens()).toSorted()).toEqual([
        'GET /api/integration/products',
        'GET /api/integration/stock',
      ])
    })

    it('a repeated Idempotency-Key returns the same API key from a stored response, and this response is encrypted', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const body = { user_id: await aKeyOwner(app) }
      const answers = await Promise.all(Array.from({ length: 8 }, () => createKey(app, owner, body, 'once')))
      expect(new Set(answers.map(({ body: text }) => text)).size).toBe(1)
      expect(await listKeys(app, owner)).toHaveLength(1)
      const [first] = answers.map((answer) => answer.json<IssuedApiKey>())
      const { key, id } = first as IssuedApiKey
      expect(await readsWith(app, key)).toBe(200)
      expect((await createKey(app, owner, { ...body, label: 'x' }, 'once')).statusCode).toBe(409)
      const headers = { ...owner, 'idempotency-key': 'turn' }
      const turns = await Promise.all([1, 2, 3].map(() => actOnKey(app, headers, id, 'rotate')))
      expect(new Set(turns.map(({ body: text }) => text)).size).toBe(1)
      const rotated = turns[0]?.json<IssuedApiKey>().key as string
      expect(await readsWith(app, rotated)).toBe(200)
      const kept = await app.database.sql`select response_body::text as body from idempotency_keys`
      expect(kept).toHaveLength(2)
      for (const row of kept)
        for (const whole of [key, rotated]) expect(String(row['body'])).not.toContain(whole.slice(17, 60))
    })

    it('every change of an API key has an audit entry, and no entry contains the key itself', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const { key, id } = await aKey(app, { label: 'Shop', days: 1 })
      for (const what of ['disable', 'disable', 'enable', 'rotate', 'delete'] as const)
        await actOnKey(app, owner, id, what)
      const entries = await auditOf(app, 'api_key')
      expect(entries.map(({ action }) => action)).toEqual([
        'api_key.created',
        'api_key.disabled',
        'api_key.enabled',
        'api_key.rotated',
        'api_key.deleted',
      ])
      expect(entries[0]?.after).toMatchObject({
        label: 'Shop',
        scope: ['integration', 'print-jobs'],
        is_active: true,
      })
      expect(entries[1]).toMatchObject({ before: { is_active: true }, after: { is_active: false } })
      expect(JSON.stringify(entries)).not.toContain(key.slice(17, 60))
    })

    it('API keys do not change if the audit entry cannot be written', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const { key, id } = await aKey(app)
      await app.database.sql`
        alter table audit_entries add constraint full_disk check (action not like 'api_key%') not valid`
      for (const what of ['disable', 'rotate', 'delete'] as const)
        expect((await actOnKey(app, owner, id, what)).statusCode).toBe(500)
      expect((await createKey(app, owner, { user_id: await aKeyOwner(app) })).statusCode).toBe(500)
      expect(await readsWith(app, key)).toBe(200)
      expect(await listKeys(app, owner)).toHaveLength(1)
    })
  })

  describe('refused API key requests', () => {
    it('no API key is created without an owner, or for an account that may not own keys', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      for (const user_id of [undefined, '', null, 'abc', 7, {}]) {
        const answer = await createKey(app, owner, { user_id })
        expect([user_id, answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
          user_id,
          422,
          'Please select a user.',
        ])
      }
      const [gone, waiting, bare] = [
        await app.anAccount('staff', { isActive: false }),
        await app.anAccount('staff', { approved: false }),
        await app.anAccount('staff'),
      ]
      await app.database.sql`
        update profiles set system_access = false where account_id = ${await accountId(app, bare)}`
      const sentences = new Set<string>()
      for (const user_id of [
        NOBODY,
        ...(await Promise.all([gone, waiting, bare].map((name) => accountId(app, name)))),
      ]) {
        const answer = await createKey(app, owner, { user_id })
        expect(answer.statusCode).toBe(422)
        sentences.add(answer.json<{ detail: string }>().detail)
      }
      expect(sentences.size).toBe(3)
      expect(await listKeys(app, owner)).toEqual([])
    })

    it('every invalid value for a new API key is refused with 422, and no key is created', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const user_id = await aKeyOwner(app)
      const bad = [
        { scope: [] },
        { scope: ['admin'] },
        { scope: ['integration', '*'] },
        { scope: 'integration' },
        { scope: { 0: 'integration' } },
        { expires_days: 0 },
        { expires_days: -1 },
        { expires_days: 366 },
        { expires_days: 1.5 },
        { expires_days: '30' },
        { expires_days: 1e300 },
        { label: 'x'.repeat(101) },
        { label: 'two\nlines' },
        { label: 'zero\0' },
        { label: 'turned\u202e' },
        { label: 'half\ud800' },
        { label: 7 },
        { allowed_addresses: [] },
        { allowed_addresses: ['10.0.0.0/33'] },
        { allowed_addresses: ['::1/129'] },
        { allowed_addresses: ['example.com'] },
        { allowed_addresses: ["1.1.1.1'); drop table api_keys; --"] },
        { allowed_addresses: ['10.0.0.0/8', ''] },
        { allowed_addresses: '10.0.0.0/8' },
        { allowed_addresses: Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`) },
      ]
      for (const body of bad) {
        const answer = await createKey(app, owner, { user_id, ...body })
        expect([JSON.stringify(body), answer.statusCode]).toEqual([JSON.stringify(body), 422])
      }
      expect(await listKeys(app, owner)).toEqual([])
    })

    it('a new API key gets the default label instead of an empty one, and accepts every valid address range', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      const user_id = await aKeyOwner(app)
      for (const label of ['', '   '])
        expect((await createKey(app, owner, { user_id, label })).json<IssuedApiKey>().label).toBe('Default')
      const ranges = [
        '0.0.0.0/0',
        '::/0',
        '255.255.255.255/32',
        '::ffff:a00:1',
        '1:2:3:4:5:6:7:8/128',
        '127.1.2.3/1',
      ]
      for (const range of ranges) {
        expect(createApiKeyBody.safeParse({ user_id, allowed_addresses: [range] }).success).toBe(true)
        expect((await createKey(app, owner, { user_id, allowed_addresses: [range] })).statusCode).toBe(201)
      }
    })

    it('requests for unknown API keys return 404', async () => {
      const app = await buildTestApp()
      const owner = await app.as('owner')
      for (const id of [NOBODY, 'abc', "' or 1=1 --"]) {
        for (const what of ['rotate', 'enable', 'disable', 'delete'] as const)
          expect((await actOnKey(app, owner, encodeURIComponent(id), what)).statusCode).toBe(404)
        const usage = { url: `${KEYS_URL}/${encodeURIComponent(id)}/usage`, headers: owner }
        expect((await app.http.inject(usage)).statusCode).toBe(404)
      }
    })
  })
})
