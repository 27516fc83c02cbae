import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

describe('the audit of refused requests', () => {
  it('refused requests are audited once per minute for each account and endpoint, across all processes', async () => {
    const app = await buildTestApp()
    const other = await app.replica()
    const viewer = await app.as('viewer')
    const reach = (target: TestApp, method: 'GET' | 'POST', url: string) =>
      target.http.inject({ method, url, headers: viewer })
    const storm = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) => reach(i % 2 === 0 ? app : other, 'POST', '/api/auth/users')),
      )
    const refused = async () =>
      (await entriesOf(app))
        .filter(({ action }) => action === 'access.refused')
        .map((entry) => entry.entity_id)
    expect((await storm()).every(({ statusCode }) => statusCode === 403)).toBe(true)
    expect(await refused()).toEqual(['POST /api/auth/users'])
    await reach(app, 'GET', '/api/auth/users')
    await reach(app, 'GET', '/api/outbox-mails')
    expect(await refused()).toEqual(['POST /api/auth/users', 'GET /api/auth/users', 'GET /api/outbox-mails'])
    app.clock.advance(MINUTE_MS)
    await storm()
    const entries = await refused()
    console.info(`refusals written down ${entries.length} of 82, one a minute for each person and endpoint`)
    expect(entries).toHaveLength(4)
    await app.http.inject({
      method: 'POST',
      url: '/api/auth/users',
      headers: await app.as('staff'),
    })
    expect(await refused()).toHaveLength(5)
    app.clock.advance(MINUTE_MS)
    await app.cleanup.run()
    expect(await app.database.sql`select 1 from access_refusals`).toHaveLength(0)
  })

  it('sign-ins that are refused despite the right password are audited at most once a minute', async () => {
    const app = await buildTestApp()
    const username = await app.anAccount('viewer', { approved: false })
    const login = () =>
      app.http.inject({ method: 'POST', url: '/auth/login', payload: { username, password: PASSWORD } })
    const reasons = async () =>
      (await entriesOf(app))
        .filter(({ action }) => action === 'session.refused')
        .map(({ after }) => after?.reason)
    const answers = await Promise.all(Array.from({ length: 25 }, login))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(25).fill(403))
    expect(await reasons()).toEqual(['not_approved'])
    app.clock.advance(MINUTE_MS)
    await login()
    expect(await reasons()).toEqual(['not_approved', 'not_approved'])
  })

  it('the audit records no refusal if the person only has to sign in again, or if the request was allowed', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    app.clock.advance(15 * MINUTE_MS)
    const payload = { email: 'a@example.com', username: 'a' }
    const answer = await app.http.inject({ method: 'POST', url: '/api/auth/users', headers: admin, payload })
    expect(answer.statusCode).toBe(403)
    await app.http.inject({ url: '/api/auth/users', headers: admin })
    const entries = await entriesOf(app)
    expect(entries.filter(({ action }) => action === 'access.refused')).toEqual([])
  })
})
