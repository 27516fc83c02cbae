import type { IssuedServiceKey, ServiceKey } from '@pegasus/contracts/service-keys'
import { SERVICE_KEY_KINDS } from '@pegasus/contracts/service-keys'
import { AuthClient } from '@supabase/auth-js'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey, adminClient, asOwner } from '../../../../test/support/accounts/service-keys.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { withCheck } from '../key-format.ts'
import { makeOpaqueKey } from './service-key-format.ts'

type Headers = Record<string, string>

const VERSION = { 'x-supabase-api-version': '2024-01-01' }

const listUsers = (app: TestApp, headers: Headers) =>
  app.http.inject({ url: '/auth/v1/admin/users', headers: { ...VERSION, ...headers } })

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

const auditOf = (app: TestApp) =>
  app.database.sql<{ action: string; actor_kind: string; actor_name: string; entity_name: string | null }[]>`
    select action, actor_kind, actor_name, entity_name from audit_entries
    where action like 'service_key.%' or (action = 'access.refused' and actor_kind = 'api_key')
    order by at, id`

describe('service keys of the hosted protocol', () => {
  it('the owner can create a key of each kind, and each key is shown only once and stored as a hash', async () => {
    const app = await buildTestApp()
    const keys = new Map<string, IssuedServiceKey>()
    for (const kind of SERVICE_KEY_KINDS) keys.set(kind, await aServiceKey(app, kind, `The ${kind} key`))
    expect(keys.get('publishable')?.key).toMatch(/^sb_publishable_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect(keys.get('secret')?.key).toMatch(/^sb_secret_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    const issuer = `${app.config.publicUrl}/auth/v1`
    for (const kind of ['anon', 'service_role'] as const) {
      const { key, id } = keys.get(kind)!
      const claims = decodeJwt(key)
      expect([claims['role'], claims.iss, claims.jti, claims.sub]).toEqual([kind, issuer, id, undefined])
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe((10 * 365 * DAY_MS) / 1000)
    }
    // The official client verifies these JWTs, too, although it knows only the public keys.
    const client = await officialClient(app)
    const { data, error } = await client.getClaims(keys.get('service_role')?.key)
    expect([error, data?.claims.role]).toEqual([null, 'service_role'])
    const listed = (await app.http.inject({ url: '/api/service-keys', headers: await asOwner(app) })).json<
      ServiceKey[]
    >()
    expect(listed.map(({ kind }) => kind)).toEqual([...SERVICE_KEY_KINDS].reverse())
    const stored = JSON.stringify([
      listed,
      await app.database.sql`select * from service_keys`,
      await app.database.sql`select * from audit_entries`,
      await app.database.sql`select * from idempotency_keys`,
    ])
    for (const { key } of keys.values()) expect(stored).not.toContain(key.slice(-20))
    expect((await auditOf(app)).map(({ action, actor_kind: by }) => [action, by])).toEqual(
      SERVICE_KEY_KINDS.map(() => ['service_key.created', 'user']),
    )
  })

  it('a secret key or a service_role JWT can administer accounts, even if sent only in the apikey header; other keys cannot', async () => {
    const app = await buildTestApp()
    const answers: Record<string, unknown> = {}
    for (const kind of SERVICE_KEY_KINDS) {
      const { key } = await aServiceKey(app, kind)
      answers[kind] = [
        errorCodeOf(await listUsers(app, bearer(key))),
        errorCodeOf(await listUsers(app, { apikey: key })),
        errorCodeOf(await app.http.inject({ url: '/auth/v1/user', headers: { ...VERSION, ...bearer(key) } })),
        (await app.http.inject({ url: '/api/auth/me', headers: bearer(key) })).statusCode,
        (await app.http.inject({ url: '/api/inventory', headers: bearer(key) })).statusCode,
        (await app.http.inject({ url: '/api/integration/stock', headers: bearer(key) })).statusCode,
      ]
    }
    const elsewhere = ['403 bad_jwt', 401, 401, 401]
    const [admin, refused] = [
      ['200', '200', ...elsewhere],
      ['403 not_admin', '403 not_admin', ...elsewhere],
    ]
    expect(answers).toEqual({ publishable: refused, anon: refused, secret: admin, service_role: admin })
    const owner = await asOwner(app)
    expect(errorCodeOf(await listUsers(app, owner))).toBe('403 not_admin')
  })

  it('the list of service keys counts each use, while the audit records each kind of call once per minute', async () => {
    const app = await buildTestApp()
    const { key, id } = await aServiceKey(app, 'secret', 'Account sync')
    const { key: anon } = await aServiceKey(app, 'anon', 'Web page')
    for (let i = 0; i < 3; i += 1) await listUsers(app, bearer(key))
    await listUsers(app, bearer(anon))
    app.clock.advance(MINUTE_MS)
    await listUsers(app, bearer(key))
    const uses = (await auditOf(app)).filter(({ action }) => action !== 'service_key.created')
    expect(uses.map((entry) => [entry.action, entry.actor_kind, entry.actor_name])).toEqual([
      ['service_key.used', 'api_key', 'Account sync'],
      ['access.refused', 'api_key', 'Web page'],
      ['service_key.used', 'api_key', 'Account sync'],
    ])
    const owner = await asOwner(app)
    await expect
      .poll(
        async () => {
          const keys = (await app.http.inject({ url: '/api/service-keys', headers: owner })).json<
            ServiceKey[]
          >()
          return keys.find((each) => each.id === id)
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ usage_count: 4, last_used: app.clock.now().toISOString(), last_used_ip: '127.0.0.1' })
  })

  it('a rotated, revoked or expired service key stops working at once, on every replica', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const status = async (key: string) =>
      Promise.all([app, replica].map(async (each) => (await listUsers(each, bearer(key))).statusCode))
    const rotated = await aServiceKey(app)
    const revoked = await aServiceKey(app, 'service_role')
    const jwt = await aServiceKey(app, 'service_role')
    const publishable = await aServiceKey(app, 'publishable')
    const owner = await asOwner(app)
    const headers = { ...owner, 'idempotency-key': 'once' }
    const rotate = () =>
      app.http.inject({ method: 'POST', url: `/api/service-keys/${rotated.id}/rotate`, headers })
    const next = (await rotate()).json<IssuedServiceKey>()
    // A caller who lost the response repeats the request and gets the same new key.
    expect((await rotate()).json<IssuedServiceKey>().key).toBe(next.key)
    const revoke = (id: string) =>
      app.http.inject({ method: 'DELETE', url: `/api/service-keys/${id}`, headers: owner })
    expect((await revoke(revoked.id)).statusCode).toBe(204)
    expect((await revoke(revoked.id)).statusCode).toBe(404)
    expect(await status(rotated.key)).toEqual([401, 401])
    expect(await status(next.key)).toEqual([200, 200])
    expect(await status(revoked.key)).toEqual([401, 401])
    const settings = (key: string) =>
      app.http.inject({ url: '/auth/v1/settings', headers: { ...VERSION, apikey: key } })
    expect((await settings(publishable.key)).statusCode).toBe(200)
    await revoke(publishable.id)
    expect([errorCodeOf(await settings(publishable.key)), (await settings('any')).statusCode]).toEqual([
      '401 no_authorization',
      200,
    ])
    expect(await status(jwt.key)).toEqual([200, 200])
    app.clock.advance(10 * 365 * DAY_MS)
    expect(await status(jwt.key)).toEqual([401, 401])
    expect((await auditOf(app)).filter(({ action }) => /rotated|revoked/.test(action))).toHaveLength(3)
  })

  it('forged service keys and service keys of other instances are refused', async () => {
    const app = await buildTestApp()
    const other = await buildTestApp()
    const { key: foreign } = await aServiceKey(other, 'service_role')
    const { key: jwt } = await aServiceKey(app, 'anon')
    const [head, payload, signature] = jwt.split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const raised = encode({ ...claims, role: 'service_role' })
    const unsigned = encode({ alg: 'none', typ: 'JWT' })
    const { key } = await aServiceKey(app)
    const forged = {
      'an unknown secret key': makeOpaqueKey('secret').key,
      'a mistyped secret key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      'a key without its check': key.slice(0, -7),
      'a secret key as publishable': withCheck(key.slice(0, -7).replace('sb_secret_', 'sb_publishable_')),
      'a JWT of another instance': foreign,
      'a JWT with a raised role': `${head}.${raised}.${signature}`,
      'an unsigned JWT': `${unsigned}.${raised}.`,
      'a JWT signed with nothing': `${unsigned}.${raised}.AA`,
    }
    const opened: string[] = []
    for (const [name, token] of Object.entries(forged)) {
      const { statusCode } = await listUsers(app, bearer(token))
      if (statusCode !== 401 && statusCode !== 403) opened.push(`${name}: ${statusCode}`)
    }
    expect(opened).toEqual([])
  })

  it('only an owner with a recent sign-in can create service keys, and invalid input is refused with a message', async () => {
    const app = await buildTestApp()
    const post = async (payload: object, headers?: Headers) => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/service-keys',
        headers: headers ?? (await asOwner(app)),
        payload,
      })
      return [answer.statusCode, answer.json<{ errors?: { message: string }[] }>().errors?.[0]?.message]
    }
    const good = { kind: 'secret', label: 'Sync' }
    expect(await post({ ...good, label: ' ' })).toEqual([
      422,
      'Enter the name of the program that uses the key',
    ])
    expect((await post({ ...good, kind: 'root' }))[0]).toBe(422)
    for (const role of ['staff', 'admin'] as const)
      expect((await post(good, await app.as(role)))[0]).toBe(403)
    const owner = await asOwner(app)
    app.clock.advance(16 * MINUTE_MS)
    expect((await post(good, owner))[0]).toBe(403)
    await app.database.sql`
      insert into service_keys (id, kind, label, key_hint, key_hash, created_at, updated_at)
      select gen_random_uuid(), 'anon', 'many', 'x', sha256(n::text::bytea), now(), now() from generate_series(1, 50) n`
    expect((await post(good))[0]).toBe(409)
  })

  it('a service key can read the rows of all accounts in user_roles, while a person can read only their own rows', async () => {
    const app = await buildTestApp()
    await app.anAccount('staff')
    const { key } = await aServiceKey(app)
    const { key: anon } = await aServiceKey(app, 'anon')
    const rows = async (headers: Headers) => {
      const answer = await app.http.inject({
        url: '/rest/v1/user_roles?select=role_name&order=role_name',
        headers,
      })
      return answer.statusCode === 200
        ? answer.json<{ role_name: string }[]>().map((row) => row.role_name)
        : answer.statusCode
    }
    expect(await rows({ apikey: key, ...bearer(key) })).toEqual(['owner', 'staff'])
    expect(await rows(await app.as('viewer'))).toEqual(['viewer'])
    expect(await rows(bearer(anon))).toBe(401)
    const url = '/rest/v1/user_roles'
    for (const [headers, status] of [
      [bearer(key), 403],
      [{ apikey: key }, 403],
      [bearer(anon), 401],
      [{ apikey: anon }, 401],
    ] as const) {
      const write = await app.http.inject({ method: 'POST', url, headers, payload: {} })
      expect([write.statusCode, write.json()]).toEqual([
        status,
        { code: '42501', message: 'permission denied for table user_roles', details: null, hint: null },
      ])
    }
  })

  it('the official client reports a wrong service key as such, not as a missing permission', async () => {
    const app = await buildTestApp()
    const admin = await adminClient(app, makeOpaqueKey('secret').key)
    const { error } = await admin.listUsers()
    expect([error?.status, error?.code, error?.message]).toEqual([401, 'no_authorization', 'Invalid API key'])
    expect(admin).toBeInstanceOf(
      Object.getPrototypeOf(new AuthClient({ url: 'http://localhost' }).admin).constructor,
    )
  })
})
