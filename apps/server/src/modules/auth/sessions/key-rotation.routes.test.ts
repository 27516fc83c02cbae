import type { SigningKey } from '@pegasus/contracts/auth/signing-keys'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { OWNER_PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aServiceKey, asOwner } from '../../../../test/support/accounts/service-keys.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const keySetOf = async (app: TestApp) => (await app.http.inject('/auth/v1/.well-known/jwks.json')).json()
const kidsOf = async (app: TestApp): Promise<string[]> =>
  (await keySetOf(app)).keys.map(({ kid }: { kid: string }) => kid)
const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''
const signIn = (app: TestApp) => app.signIn('owner', OWNER_PASSWORD)

const status = async (app: TestApp, token: string): Promise<number> =>
  (await app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode

const rotate = async (app: TestApp) =>
  app.http.inject({ method: 'POST', url: '/api/signing-keys/rotate', headers: await asOwner(app) })

describe('rotation of the signing key', () => {
  it('the key set contains a new signing key before it signs, and an old one until its tokens have expired', async () => {
    const app = await buildTestApp()
    const replica = await app.replica()
    const both = [app, replica]
    const [old = ''] = await kidsOf(app)
    const early = await signIn(app)
    const { key: serviceKey } = await aServiceKey(app, 'service_role')
    const answer = await rotate(app)
    const states = answer.json<SigningKey[]>().map(({ state }) => state)
    expect([answer.statusCode, states]).toEqual([200, ['waits', 'signs']])
    expect((await rotate(replica)).json()).toMatchObject({ code: 'signing_key_waiting' })
    const next = answer.json<SigningKey[]>()[0]?.kid ?? ''

    // The new key is published before it signs. So verifiers with a cached key set get the key in time.
    app.clock.advance(10 * MINUTE_MS - 1)
    for (const each of both) {
      expect(await kidsOf(each)).toEqual([next, old])
      expect(kidOf(await signIn(each))).toBe(old)
    }
    const last = await signIn(replica)
    app.clock.advance(1)
    const fresh = await Promise.all(both.map(signIn))
    expect(fresh.map(kidOf)).toEqual([next, next])
    for (const each of both)
      for (const token of [early, last, ...fresh]) expect(await status(each, token)).toBe(200)
    const verified = await jwtVerify(last, createLocalJWKSet(await keySetOf(replica)), {
      currentDate: app.clock.now(),
    })
    expect(verified.protectedHeader.kid).toBe(old)

    // Tokens are accepted for five seconds after their expiry, because clocks differ.
    app.clock.advance(HOUR_MS + 5 * SECOND_MS)
    expect([await status(app, last), await status(replica, last)]).toEqual([401, 401])
    app.clock.advance(MINUTE_MS)
    for (const each of both) expect(await kidsOf(each)).toEqual([next])
    await app.auth.purge()
    expect(await app.database.sql`select kid from signing_keys`).toEqual([{ kid: next }])
    // The server recognizes a service key by its hash. So the key stays valid after the signing key of its JWT was
    // deleted.
    const users = await replica.http.inject({
      url: '/auth/v1/admin/users',
      headers: { authorization: `Bearer ${serviceKey}` },
    })
    expect(users.statusCode).toBe(200)
  })

  it('with SIGNING_KEY_DAYS, the signing key is replaced on schedule, and two replicas create only one new key', async () => {
    const app = await buildTestApp({ variables: { SIGNING_KEY_DAYS: '30' } })
    const replica = await app.replica()
    app.clock.advance(30 * DAY_MS - MINUTE_MS)
    await app.auth.purge()
    expect(await kidsOf(app)).toHaveLength(1)
    app.clock.advance(MINUTE_MS)
    await Promise.all([app.auth.purge(), replica.auth.purge()])
    expect(await kidsOf(app)).toHaveLength(2)
    const entries = await app.database
      .sql`select actor_kind from audit_entries where action = 'signing_key.rotated'`
    expect(entries).toEqual([{ actor_kind: 'system' }])
  })

  it('only an owner with a recent sign-in can replace the signing key', async () => {
    const app = await buildTestApp()
    const call = async (headers: Record<string, string>) =>
      (await app.http.inject({ method: 'POST', url: '/api/signing-keys/rotate', headers })).statusCode
    expect(await call(await app.as('admin'))).toBe(403)
    const owner = await asOwner(app)
    app.clock.advance(16 * MINUTE_MS)
    expect(await call(owner)).toBe(403)
    expect(await kidsOf(app)).toHaveLength(1)
  })
})
