import type { OwnSession } from '@pegasus/contracts/auth/own-account'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

const signInFrom = async (app: TestApp, username: string, userAgent: string, remoteAddress: string) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { 'user-agent': userAgent },
    remoteAddress,
    payload: { username, password: PASSWORD },
  })
  return { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` }
}

const list = (app: TestApp, headers: Record<string, string>, query = '') =>
  app.http.inject({ url: `/api/auth/sessions${query}`, headers })

const listed = async (app: TestApp, headers: Record<string, string>): Promise<OwnSession[]> =>
  (await list(app, headers)).json()

const end = (app: TestApp, headers: Record<string, string>, id: string) =>
  app.http.inject({ method: 'DELETE', url: `/api/auth/sessions/${id}`, headers })

const statusOf = async (app: TestApp, headers: Record<string, string>): Promise<number> =>
  (await app.http.inject({ url: '/api/auth/me', headers })).statusCode

describe("a user's own sessions", () => {
  describe("valid requests for a user's own sessions", () => {
    it("a user's sessions are listed newest first, with device, address, sign-in method and last use", async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const phone = await signInFrom(app, name, 'curl/8.14.1', '203.0.113.7')
      const openedAt = app.clock.now().toISOString()
      app.clock.advance(MINUTE_MS)
      const desk = await signInFrom(app, name, CHROME, '198.51.100.1')
      app.clock.advance(MINUTE_MS)
      await app.http.inject({ url: '/api/auth/me', headers: phone, remoteAddress: '203.0.113.99' })
      const usedAt = app.clock.now().toISOString()
      app.clock.advance(MINUTE_MS)
      const sessions = await listed(app, desk)
      expect(sessions).toMatchObject([
        { device: 'Chrome on Windows', user_agent: CHROME, is_current: true, methods: ['password'] },
        {
          device: 'curl',
          ip: '203.0.113.99',
          is_current: false,
          created_at: openedAt,
          last_used_at: usedAt,
        },
      ])
      expect(sessions[0]?.last_used_at).toBe(app.clock.now().toISOString())
    })

    it("a user's sessions are listed page by page, without ended sessions", async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      await app.signIn(name)
      app.clock.advance(14 * DAY_MS)
      for (let i = 0; i < 2; i += 1) {
        app.clock.advance(MINUTE_MS)
        await app.signIn(name)
      }
      const headers = { authorization: `Bearer ${await app.signIn(name)}` }
      const first = await list(app, headers, '?limit=2')
      expect([first.json<OwnSession[]>().length, first.headers['x-total-count']]).toEqual([2, '3'])
      const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
      expect((await app.http.inject({ url: next, headers })).json()).toHaveLength(1)
    })

    it('the list of sessions distinguishes a sign-in by link from a sign-in by password', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const email = `${name}@example.com`
      await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
      const { url } = await lastLinkTo(app, email)
      const { access_token: token } = fragmentOf((await app.http.inject(url)).headers.location)
      const [session] = await listed(app, { authorization: `Bearer ${token}` })
      expect(session?.methods).toEqual(['recovery'])
    })

    it('a user can end sessions one by one, including the current session, with effect from the next request', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const [here, there] = [
        { authorization: `Bearer ${await app.signIn(name)}` },
        { authorization: `Bearer ${await app.signIn(name)}` },
      ]
      const other = (await listed(app, here)).find((session) => !session.is_current)
      const answer = await end(app, here, other?.id ?? '')
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expect([await statusOf(app, there), await statusOf(app, here)]).toEqual([401, 200])
      const [current] = await listed(app, here)
      expect((await end(app, here, current?.id ?? '')).statusCode).toBe(204)
      expect(await statusOf(app, here)).toBe(401)
    })

    it('one call ends all other sessions of a user', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const elsewhere = await Promise.all(Array.from({ length: 5 }, () => app.signIn(name)))
      const here = { authorization: `Bearer ${await app.signIn(name)}` }
      const answer = await app.http.inject({
        method: 'POST',
        url: '/auth/v1/logout?scope=others',
        headers: here,
      })
      expect(answer.statusCode).toBe(204)
      const alive = await Promise.all(
        elsewhere.map((token) => statusOf(app, { authorization: `Bearer ${token}` })),
      )
      console.info(
        `T22 sessions alive after signing out everywhere else ${alive.filter((s) => s === 200).length} of 5`,
      )
      expect(alive).toEqual(Array(5).fill(401))
      expect(await listed(app, here)).toHaveLength(1)
    })

    it('the last use of a session is kept across a restart', async () => {
      const app = await buildTestApp()
      const other = await app.replica()
      const name = await app.anAccount('staff')
      const headers = { authorization: `Bearer ${await other.signIn(name)}` }
      app.clock.advance(MINUTE_MS)
      await other.http.inject({ url: '/api/auth/me', headers })
      await other.http.close()
      const [row] = await app.database.sql`select last_used_at, last_used_ip from sessions`
      expect(row).toEqual({ last_used_at: app.clock.now().toISOString(), last_used_ip: '127.0.0.1' })
    })
  })

  describe('requests for the sessions of other users', () => {
    it('T6 a request to end an unknown or invalid session, or a session of another user, returns 404 and ends nothing', async () => {
      const app = await buildTestApp()
      const victim = await app.as('owner')
      const [target] = await listed(app, victim)
      const attempts = [target?.id ?? '', '01890000-0000-7000-8000-000000000000', 'nonsense', '%00']
      const leaks: string[] = []
      for (const role of ['viewer', 'staff', 'admin', 'owner'] as const) {
        const headers = await app.as(role)
        for (const id of attempts)
          if ((await end(app, headers, id)).statusCode !== 404) leaks.push(`${role} ${id}`)
        const seen = await listed(app, headers)
        if (seen.length !== 1 || seen.some(({ id }) => id === target?.id)) leaks.push(`${role} list`)
      }
      console.info(`T6 other people's sessions seen or ended ${leaks.length} of ${attempts.length * 4 + 4}`)
      expect(leaks).toEqual([])
      expect(await statusOf(app, victim)).toBe(200)
    })
  })
})
