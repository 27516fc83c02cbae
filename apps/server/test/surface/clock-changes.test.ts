import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { dateIn, daysOfPeriod } from '../../src/platform/calendar.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { callsOf } from '../support/api-calls.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../support/build-test-app.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

const JUMPS = [
  ['ten minutes forwards', 10 * MINUTE_MS],
  ['half a minute backwards', -30 * SECOND_MS],
  ['ten minutes backwards', -10 * MINUTE_MS],
  ['an hour backwards', -HOUR_MS],
] as const

const tokenOf = (app: TestApp, grant: string, payload: object) =>
  app.http.inject({ method: 'POST', url: `/auth/v1/token?grant_type=${grant}`, payload })

const statusOf = async (app: TestApp, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.http.inject({ url: '/api/inventory', headers })).statusCode
}

describe('a clock that jumps', () => {
  it.each(JUMPS)('T108 people stay signed in and can sign in when the clock jumps %s', async (_, jumpMs) => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    const email = `${name}@example.com`
    const first = (await tokenOf(app, 'password', { email, password: PASSWORD })).json<Tokens>()
    expect(await statusOf(app, first.access_token)).toBe(200)
    app.clock.advance(jumpMs)
    // After a jump back, the token comes from the future and is refused. The client then refreshes its session.
    expect(await statusOf(app, first.access_token)).toBe(jumpMs > 0 ? 200 : 401)
    const refreshed = await tokenOf(app, 'refresh_token', { refresh_token: first.refresh_token })
    expect(refreshed.statusCode).toBe(200)
    const second = refreshed.json<Tokens>()
    expect(await statusOf(app, second.access_token)).toBe(200)
    expect(await statusOf(app, await app.signIn(name))).toBe(200)
    // The new token expires one hour after its issue by the new clock. The server tolerates five more seconds.
    app.clock.advance(HOUR_MS + 4 * SECOND_MS)
    expect(await statusOf(app, second.access_token)).toBe(200)
    app.clock.advance(2 * SECOND_MS)
    expect(await statusOf(app, second.access_token)).toBe(401)
    const third = await tokenOf(app, 'refresh_token', { refresh_token: second.refresh_token })
    expect(await statusOf(app, third.json<Tokens>().access_token)).toBe(200)
  })

  it.each(JUMPS.filter(([, jumpMs]) => jumpMs < 0))(
    'T108 an earlier access token is accepted only between its issue and its expiry when the clock jumps %s',
    async (_, jumpMs) => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('staff'))
      const issuedAt = app.clock.now().getTime()
      app.clock.advance(jumpMs)
      for (const [atMs, status] of [
        [jumpMs, 401],
        [-6 * SECOND_MS, 401],
        [0, 200],
        [HOUR_MS + 4 * SECOND_MS, 200],
        [HOUR_MS + 6 * SECOND_MS, 401],
      ] as const) {
        app.clock.advance(issuedAt + atMs - app.clock.now().getTime())
        expect(await statusOf(app, token), `${atMs} ms after its issue`).toBe(status)
      }
    },
  )

  it.each(JUMPS)(
    'T108 wrong passwords block a name for at most 15 minutes after the next attempt when the clock jumps %s',
    async (_, jumpMs) => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const attempt = async (password: string) => {
        const payload = { username: name, password }
        return (await app.http.inject({ method: 'POST', url: '/auth/login', payload })).statusCode
      }
      const block = async () => {
        let tries = 0
        while ((await attempt('wrong password')) !== 429 && tries < 60) tries += 1
        expect(tries).toBeLessThan(60)
        expect(await attempt(PASSWORD)).toBe(429)
      }
      await block()
      const failedAt = app.clock.now().getTime()
      app.clock.advance(jumpMs)
      const jumpedAt = app.clock.now().getTime()
      const freeMs = 15 * MINUTE_MS - Math.max(jumpMs, 0)
      for (const [atMs, status] of [
        [0, 429],
        [freeMs - 6 * MINUTE_MS, 429],
        [freeMs - MINUTE_MS, 429],
        [freeMs + SECOND_MS, 200],
      ] as const) {
        app.clock.advance(Math.max(0, jumpedAt + atMs - app.clock.now().getTime()))
        expect(await attempt(PASSWORD), `${atMs} ms after the jump`).toBe(status)
      }
      // When the clock reaches the time of the first failures again, these do not count a second time.
      app.clock.advance(Math.max(0, failedAt - app.clock.now().getTime()))
      expect(await attempt(PASSWORD)).toBe(200)
      // If nobody tries to sign in right after the jump, the block lasts for 15 minutes from the next attempt.
      await block()
      app.clock.advance(Math.min(jumpMs, 0))
      app.clock.advance(14 * MINUTE_MS)
      expect(await attempt(PASSWORD)).toBe(429)
      app.clock.advance(15 * MINUTE_MS)
      expect(await attempt(PASSWORD)).toBe(200)
    },
  )

  it.each(JUMPS)(
    'T108 when the clock jumps %s, the next email can be requested within two minutes',
    async (_, jumpMs) => {
      const app = await buildTestApp()
      const email = `${await app.anAccount('staff')}@example.com`
      const request = async () =>
        (await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })).statusCode
      expect([await request(), await request()]).toEqual([200, 429])
      app.clock.advance(jumpMs)
      // After a jump of up to a minute, the interval still applies, because the clocks of two replicas may differ by as
      // much.
      const isFree = Math.abs(jumpMs) > MINUTE_MS
      expect([await request(), await request()]).toEqual([isFree ? 200 : 429, 429])
      app.clock.advance((isFree ? 1 : 2) * MINUTE_MS)
      expect([await request(), await request()]).toEqual([200, 429])
    },
  )
})

/** Pairs of a due time as it is written, and the same moment in UTC. */
const DUE_TIMES = [
  // 29 February ends first in the zone UTC+14. It begins last in the zone UTC-12.
  ['2028-02-29T23:59:59+14:00', '2028-02-29T09:59:59.000Z'],
  ['2028-02-29T00:00:00-12:00', '2028-02-29T12:00:00.000Z'],
  ['2028-03-01T00:00:00+14:00', '2028-02-29T10:00:00.000Z'],
  // The nights on which the clocks of Berlin and New York change.
  ['2027-03-28T01:59:59+01:00', '2027-03-28T00:59:59.000Z'],
  ['2027-03-28T03:00:00+02:00', '2027-03-28T01:00:00.000Z'],
  ['2027-10-31T02:30:00+02:00', '2027-10-31T00:30:00.000Z'],
  ['2027-10-31T02:30:00+01:00', '2027-10-31T01:30:00.000Z'],
  ['2027-03-14T03:00:00-04:00', '2027-03-14T07:00:00.000Z'],
  ['2027-11-07T01:30:00-05:00', '2027-11-07T06:30:00.000Z'],
  ['2027-12-31T23:59:59-12:00', '2028-01-01T11:59:59.000Z'],
] as const

it('T108 an order is overdue exactly after its due time, in every offset, on 29 February and when clocks change', async () => {
  const app = await buildTestApp()
  const wrong: string[] = []
  const moveTo = (time: string, byMs: number) =>
    app.clock.advance(Date.parse(time) + byMs - app.clock.now().getTime())
  for (const [written, utc] of DUE_TIMES) {
    moveTo(utc, -DAY_MS)
    // Each moment needs a session of its own, because the clock moves by months.
    const staff = callsOf(app, await app.as('staff'))
    const added = await staff('POST /api/orders', { customer_name: 'Ada', due_at: written })
    expect(added.status, added.text).toBe(201)
    const { id, due_at: dueAt } = added.json<Order>()
    if (new Date(dueAt ?? '').toISOString() !== utc) wrong.push(`${written} is stored as ${dueAt}`)
    for (const [byMs, isOverdue] of [
      [0, false],
      [1, true],
    ] as const) {
      moveTo(utc, byMs)
      const viewer = callsOf(app, await app.as('viewer'))
      const order = (await viewer(`GET /api/orders/${id}`)).json<Order>()
      if (order.is_overdue !== isOverdue) wrong.push(`${written} after ${byMs} ms`)
    }
  }
  const staff = callsOf(app, await app.as('staff'))
  for (const none of ['2027-02-29T10:00:00Z', '2028-02-30T10:00:00Z', '2027-13-01T10:00:00Z'])
    expect((await staff('POST /api/orders', { customer_name: 'Ada', due_at: none })).status, none).toBe(422)
  console.info(`T108 due times wrong ${wrong.length} of ${DUE_TIMES.length * 3}`)
  expect(wrong).toEqual([])
})

/** Triples of a moment, a time zone, and the date in that zone. */
const DATES = [
  ['2028-02-29T09:59:59Z', 'Pacific/Kiritimati', '2028-02-29'],
  ['2028-02-29T10:00:00Z', 'Pacific/Kiritimati', '2028-03-01'],
  ['2028-03-01T11:59:59Z', 'Etc/GMT+12', '2028-02-29'],
  ['2028-03-01T12:00:00Z', 'Etc/GMT+12', '2028-03-01'],
  ['2027-03-27T23:30:00Z', 'Europe/Berlin', '2027-03-28'],
  ['2027-10-30T22:30:00Z', 'Europe/Berlin', '2027-10-31'],
  ['2027-10-31T22:59:59Z', 'Europe/Berlin', '2027-10-31'],
  ['2027-11-08T04:59:59Z', 'America/New_York', '2027-11-07'],
] as const

it('T108 the days of a report have no gap and no repetition, on 29 February and when clocks change', () => {
  for (const [time, zone, date] of DATES) {
    expect(dateIn(new Date(time), zone), `${time} ${zone}`).toBe(date)
    const dates = daysOfPeriod(new Date(time), 400, zone)?.dates ?? []
    expect([dates.length, new Set(dates).size, dates.at(-1)]).toEqual([400, 400, date])
    const steps = new Set(dates.slice(1).map((day, at) => Date.parse(day) - Date.parse(dates[at] ?? '')))
    expect(steps).toEqual(new Set([DAY_MS]))
  }
})
