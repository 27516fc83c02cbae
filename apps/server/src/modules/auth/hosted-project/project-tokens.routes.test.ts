import { randomUUID } from 'node:crypto'
import { SignJWT, decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { aProjectDouble } from '../../../../test/support/accounts/project-double.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const JWKS = '/auth/v1/.well-known/jwks.json'

async function withDouble() {
  const project = await aProjectDouble()
  const key = await project.newKey('first')
  project.state.keys = [key.jwk]
  const app = await buildTestApp({ variables: project.variables })
  return { project, key, app }
}

const me = (app: TestApp, token: string) =>
  app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })
const status = async (app: TestApp, token: string) => (await me(app, token)).statusCode

describe('access tokens of a hosted project', () => {
  it('forged, expired and foreign tokens of a hosted project are refused without a request to the project', async () => {
    const { project, key, app } = await withDouble()
    const foreign = await project.newKey('first')
    const iat = Math.floor(app.clock.now().getTime() / SECOND_MS)
    const good = await project.sign(app.clock, key)
    const bad = await Promise.all([
      project.sign(app.clock, foreign),
      project.sign(app.clock, { ...foreign, kid: 'unknown' }),
      project.sign(app.clock, key, { iss: 'https://elsewhere.example.com/auth/v1' }),
      project.sign(app.clock, key, { aud: 'anon' }),
      project.sign(app.clock, key, { role: 'service_role' }),
      project.sign(app.clock, key, { exp: iat - 6 }),
      project.sign(app.clock, key, { session_id: undefined }),
      project.sign(app.clock, key, { sub: "' or true --" }),
      new SignJWT(decodeJwt(good))
        .setProtectedHeader({ alg: 'HS256', kid: 'first' })
        .sign(Buffer.from(JSON.stringify(key.jwk))),
    ])
    const unsigned = `${Buffer.from('{"alg":"none","kid":"first"}').toString('base64url')}.${good.split('.')[1]}.`
    for (const token of [...bad, unsigned, `${good}A`, 'a.b.c'])
      expect([token, await status(app, token)]).toEqual([token, 401])
    expect(project.calls.filter((path) => path !== JWKS)).toEqual([])
    expect(await app.database.sql`select id from accounts`).toEqual([])
    expect(await status(app, good)).toBe(200)
  })

  it('the key set of a hosted project is read at most every 600 seconds, or every 30 for unknown keys', async () => {
    const { project, key, app } = await withDouble()
    const reads = () => project.calls.filter((path) => path === JWKS).length
    expect(await status(app, await project.sign(app.clock, key))).toBe(200)
    const second = await project.newKey('second')
    const token = await project.sign(app.clock, second)
    project.state.keys.push(second.jwk)
    expect([await status(app, token), reads()]).toEqual([401, 1])
    app.clock.advance(30 * SECOND_MS)
    expect([await status(app, token), reads()]).toEqual([200, 2])
    expect(await status(app, await project.sign(app.clock, await project.newKey('third')))).toBe(401)
    expect(reads()).toBe(2)

    // A key that the project has withdrawn is valid until the cache is renewed.
    project.state.keys = [second.jwk]
    app.clock.advance(599 * SECOND_MS)
    expect([await status(app, await project.sign(app.clock, key)), reads()]).toEqual([200, 2])
    app.clock.advance(SECOND_MS)
    expect([await status(app, await project.sign(app.clock, key)), reads()]).toEqual([401, 3])
  })

  it('while a hosted project is down, tokens that were checked before are accepted for ten minutes, and no others', async () => {
    const { project, key, app } = await withDouble()
    const known = await project.sign(app.clock, key)
    expect(await status(app, known)).toBe(200)
    project.state.isDown = true
    app.clock.advance(9 * MINUTE_MS)
    expect(await status(app, known)).toBe(200)
    const other = await me(app, await project.sign(app.clock, key, { session_id: randomUUID() }))
    expect([other.statusCode, other.json().code]).toEqual([503, 'hosted_project_unavailable'])
    expect(other.json().detail).toMatch(/does not respond/)
    app.clock.advance(MINUTE_MS)
    expect(await status(app, known)).toBe(503)
    project.state.isDown = false
    app.clock.advance(6 * SECOND_MS)
    expect(await status(app, known)).toBe(200)
  })

  it('an unusable answer of the hosted project about one person locks out only that person', async () => {
    const { project, key, app } = await withDouble()
    const good = project.state.roles
    project.state.roles = [{ role_name: 7 }]
    expect(await status(app, await project.sign(app.clock, key))).toBe(503)
    project.state.roles = good
    expect(await status(app, await project.sign(app.clock, key))).toBe(200)
  })

  it('a person with two active roles in a hosted project is a viewer', async () => {
    const { project, key, app } = await withDouble()
    project.state.roles = ['admin', 'staff'].map((role) => ({ role_name: role, is_active: true }))
    const person = await me(app, await project.sign(app.clock, key))
    expect(person.json()).toMatchObject({ role: 'viewer', permissions: { can_view_orders: true } })
  })

  it('requests get 503 if the hosted project has never responded', async () => {
    const { project, key, app } = await withDouble()
    project.state.isDown = true
    const token = await project.sign(app.clock, key)
    expect(await status(app, token)).toBe(503)
    expect(await app.database.sql`select id from accounts`).toEqual([])
  })

  it('people with a second factor at the hosted project must pass the second step', async () => {
    const { project, key, app } = await withDouble()
    project.state.user['factors'] = [{ status: 'verified', factor_type: 'totp' }]
    const first = await me(app, await project.sign(app.clock, key))
    expect([first.statusCode, first.json().code]).toEqual([403, 'insufficient_aal'])
    const raised = await me(app, await project.sign(app.clock, key, { aal: 'aal2' }))
    expect(raised.json()).toMatchObject({ role: 'staff', second_factor: true })
  })

  it('tokens of people who are not in the hosted project, and of anonymous people, are refused', async () => {
    const { project, key, app } = await withDouble()
    project.state.user['is_anonymous'] = true
    expect(await status(app, await project.sign(app.clock, key))).toBe(403)
    project.state.user = { ...project.state.user, is_anonymous: false, id: randomUUID() }
    expect(await status(app, await project.sign(app.clock, key))).toBe(401)
  })

  it('with a hosted project, sign-in and account calls say that accounts are managed there', async () => {
    const { project, key, app } = await withDouble()
    project.state.roles = [{ role_name: 'owner', permissions: {}, is_active: true }]
    const headers = { authorization: `Bearer ${await project.sign(app.clock, key)}` }
    const signIn = {
      method: 'POST',
      url: '/auth/login',
      payload: { username: 'ada', password: 'secret-words' },
    } as const
    const create = {
      method: 'POST',
      url: '/api/auth/users',
      headers,
      payload: {
        email: 'new@example.com',
        username: 'new',
        full_name: '',
        role: 'owner',
        system_access: true,
      },
    } as const
    for (const request of [signIn, create]) {
      const answer = await app.http.inject(request)
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'in_hosted_project'])
      expect(answer.json().detail).toContain(project.url)
    }
    const grant = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email: 'ada@example.com', password: 'secret-words' },
    })
    expect(grant.json()).toMatchObject({ error_code: 'feature_disabled' })
    const people = await app.http.inject({ url: '/api/auth/users', headers })
    expect(people.json()).toMatchObject([{ email: 'ada@example.com', role: 'owner' }])
  })
})
