import { describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'

const MAX = 20
const limited = () =>
  buildTestApp({ variables: { REQUESTS_PER_SECOND: String(MAX), TRUSTED_PROXIES: '127.0.0.1' } })

/** Sends all requests at once, within one second. Returns the number of responses for each status. */
async function flood(
  app: TestApp,
  count: number,
  request: { url: string; headers?: Record<string, string>; from?: (index: number) => string },
): Promise<Record<number, number>> {
  const { url, headers = {}, from = () => '203.0.113.1' } = request
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      app.http.inject({ url, headers: { ...headers, 'x-forwarded-for': from(index) } }),
    ),
  )
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

const forged = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }
const me = '/api/auth/me'

describe('limits for floods of requests', () => {
  it('a flood of forged tokens is refused by IP address, but valid sessions at that address still work', async () => {
    const app = await limited()
    const good = { authorization: `Bearer ${await app.signIn('owner', 'correct horse battery')}` }
    const known = await app.http.inject({ url: me, headers: { ...good, 'x-forwarded-for': '203.0.113.1' } })
    expect(known.statusCode).toBe(200)
    const counts = await flood(app, 1000, { url: me, headers: forged })
    expect(counts[401]).toBeLessThanOrEqual(2 * MAX)
    expect((counts[401] ?? 0) + (counts[429] ?? 0)).toBe(1000)
    expect(await flood(app, MAX / 2, { url: me, headers: good })).toEqual({ 200: MAX / 2 })
    expect(await flood(app, 1, { url: me, headers: forged, from: () => '203.0.113.2' })).toEqual({ 401: 1 })
  })

  it('all addresses of an IPv6 network share one flood limit', async () => {
    const app = await limited()
    const from = (index: number) => `2001:db8:1:1::${(index + 1).toString(16)}`
    expect((await flood(app, 100, { url: me, from }))[429]).toBeGreaterThanOrEqual(100 - 2 * MAX)
    expect(await flood(app, 1, { url: me, from: () => '2001:db8:1:2::1' })).toEqual({ 401: 1 })
  })

  it('a flood of requests in one session is refused, even if they come from several addresses', async () => {
    const app = await limited()
    const good = { authorization: `Bearer ${await app.signIn('owner', 'correct horse battery')}` }
    const counts = await flood(app, 100, { url: me, headers: good, from: (index) => `203.0.113.${index}` })
    expect(counts[200]).toBeLessThanOrEqual(2 * MAX)
    expect(counts[429]).toBeGreaterThanOrEqual(100 - 2 * MAX)
  })

  it.each(['/api/config', '/api/openapi.json', '/api/docs'])(
    'a flood of requests to %s from one address is refused',
    async (url) => {
      const app = await limited()
      expect((await flood(app, 100, { url }))[429]).toBeGreaterThanOrEqual(100 - 2 * MAX)
    },
  )

  it('the flood limit for pages is ten times the limit for calls', async () => {
    const app = await limited()
    const counts = await flood(app, 15 * MAX, { url: '/' })
    expect(counts[404]).toBeGreaterThanOrEqual(10 * MAX)
    expect(counts[429]).toBeGreaterThan(0)
  })
})
