import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { aMainSite } from '../servers/main-site-server.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { anAgent, claim, claimed, sendReport } from '../support/print-agents.ts'
import { DRAGON, aShop, post } from '../support/publishing.ts'
import { aPrintJob, anItem, anOrder } from '../support/stock-factories.ts'

/** The current request: the number of statements that it has sent, and the number of the statement that must fail. */
const request = new AsyncLocalStorage<{ sent: number; failAt: number }>()

/** Makes PostgreSQL refuse statement `failAt` of a request, counted from 1, until the test ends. */
function failStatements(): void {
  const original = Client.prototype.query
  const send = original as (this: Client, ...sent: unknown[]) => unknown
  Client.prototype.query = function query(this: Client, ...sent: unknown[]) {
    const current = request.getStore()
    if (current) current.sent += 1
    if (current?.sent === current?.failAt && current) return send.call(this, 'select 1 / 0')
    return send.apply(this, sent)
  } as typeof original
  onTestFinished(() => {
    Client.prototype.query = original
  })
}

/** Returns the number of rows of each table. */
async function countRows({ database }: TestApp): Promise<Record<string, number>> {
  const rows = await database.sql<{ name: string; count: number }[]>`
    select table_name as name,
           (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', table_name), false, true, '')))[1]::text::int as count
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/**
 * Tables that count attempts and the use of keys. The server counts failed requests as well, so these tables may
 * change.
 */
const COUNTERS: ReadonlySet<string> = new Set(['sign_in_failures', 'key_calls'])

/** Returns the tables whose number of rows differs, with the difference. */
const changesOf = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]): [string, number] => [name, count - (before[name] ?? 0)])
      .filter(([name, change]) => change !== 0 && !COUNTERS.has(name)),
  )

type Send = () => Promise<{ statusCode: number; body: string }>

/**
 * Sends the request that `prepare` returns, without a failure. Then fails each of its statements in turn: each time, a
 * new request gets the failure and is then sent again. Returns the faults, and the number of failed statements.
 * `refusal` is the status of the second request if the first one was done and only its response was lost.
 */
async function failEach(app: TestApp, prepare: () => Promise<Send>, refusal?: number) {
  const faults: string[] = []
  const clean = await prepare()
  const before = await countRows(app)
  expect((await clean()).statusCode).toBeLessThan(300)
  const full = changesOf(before, await countRows(app))
  expect(Object.keys(full).length).toBeGreaterThan(1)
  for (let failAt = 1; failAt < 500; failAt += 1) {
    const send = await prepare()
    const start = await countRows(app)
    const state = { sent: 0, failAt }
    const failed = await request.run(state, send)
    if (state.sent < failAt) return { faults, failures: failAt - 1 }
    const half = changesOf(start, await countRows(app))
    const repeated = await send()
    const whole = changesOf(start, await countRows(app))
    const isDone = failed.statusCode < 300 || repeated.statusCode === refusal
    if (JSON.stringify(half) !== JSON.stringify(isDone ? full : {}))
      faults.push(`statement ${failAt}: ${failed.statusCode}, half done ${JSON.stringify(half)}`)
    const isRefused = repeated.statusCode >= 300 && repeated.statusCode !== refusal
    if (isRefused || JSON.stringify(whole) !== JSON.stringify(full))
      faults.push(`statement ${failAt}: retry ${repeated.statusCode}, ${JSON.stringify(whole)}`)
  }
  throw new Error('the request has too many statements')
}

it('T100 if any statement of a new order or of a shipment fails, nothing is done in part, and a retry succeeds', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  failStatements()
  const send = (url: string, payload: object): Send => {
    const headers = { ...staff, 'idempotency-key': randomUUID() }
    return async () => await app.http.inject({ method: 'POST', url, headers, payload })
  }
  const line = async (sku: string) => ({
    sku,
    name: 'Hook',
    quantity: 2,
    itemId: await anItem(app, { name: sku, sku }),
  })
  let customers = 0
  const prepareOrder = async () => {
    customers += 1
    // Each name is new to the search, so that each order adds the same number of rows.
    const word = [...String(customers)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    return send('/api/orders', {
      customer_name: `customer${word}`,
      items: [{ name: 'Hook', quantity: 2, unit_price: 5 }],
    })
  }
  // The first order also adds the words that all orders share.
  await (await prepareOrder())()
  const order = await failEach(app, prepareOrder)
  let orders = 0
  const shipment = await failEach(app, async () => {
    orders += 1
    const id = await anOrder(app, {
      lines: [{ ...(await line(`H-${orders}`)), unitPriceMinor: 500 }],
    } as never)
    return send(`/api/orders/${id}/ship`, { carrier: 'DHL', tracking_number: '1' })
  })
  expect(Math.min(order.failures, shipment.failures)).toBeGreaterThan(5)
  const faults = [...order.faults, ...shipment.faults]
  console.info(
    `T100 half done ${faults.length} of ${order.failures} and ${shipment.failures} failed statements`,
  )
  expect(faults).toEqual([])
})

it.each(['approval', 'open'])(
  'T100 if any statement of a sign-up (%s) fails, no part of an account is left, and a retry succeeds',
  async (mode) => {
    const app = await buildTestApp({ variables: { SIGNUPS: mode } })
    failStatements()
    let people = 0
    const prepare = async () => {
      people += 1
      const payload = { email: `person-${people}@example.com`, password: PASSWORD }
      const remoteAddress = `10.2.${people >> 8}.${people % 256}`
      return async () =>
        await app.http.inject({ method: 'POST', url: '/auth/v1/signup', payload, remoteAddress })
    }
    // The last statements run after the account exists. A retry is then refused: with open sign-ups because the account
    // exists, and with approval because the next email may be sent only after a minute.
    const { faults, failures } = await failEach(app, prepare, mode === 'open' ? 422 : 429)
    console.info(`T100 half done ${faults.length} of ${failures} failed statements of a sign-up (${mode})`)
    expect(failures).toBeGreaterThan(5)
    expect(faults).toEqual([])
  },
)

it("T100 if any statement of an agent's claim or report fails, no change is done in part, and a retry succeeds", async () => {
  const app = await buildTestApp({ variables: { API_KEY_REQUESTS_PER_MINUTE: '1000000' } })
  const { key } = await anAgent(app)
  // The first claim also creates the printer of the agent.
  await aPrintJob(app)
  await claimed(app, key)
  failStatements()
  const claims = await failEach(app, async () => {
    await aPrintJob(app, { quantity: 2 })
    return async () => await claim(app, key)
  })
  const reports = await failEach(app, async () => {
    await aPrintJob(app, { quantity: 2 })
    const { id } = await claimed(app, key)
    return async () => await sendReport(app, key, id, 'complete')
  })
  const faults = [...claims.faults, ...reports.faults]
  console.info(
    `T100 half done ${faults.length} of ${claims.failures} and ${reports.failures} failed statements of claims and reports`,
  )
  expect(Math.min(claims.failures, reports.failures)).toBeGreaterThan(3)
  expect(faults).toEqual([])
})

it('T100 if any statement of a publication fails, the product is published once in the end', async () => {
  const site = await aMainSite()
  const { app, staff } = await aShop(site)
  failStatements()
  const faults: string[] = []
  let failAt = 0
  for (let isPast = false; !isPast; ) {
    failAt += 1
    const slug = `dragon-${failAt}`
    const state = { sent: 0, failAt }
    const failed = await request.run(state, async () => await post(app, staff, { ...DRAGON, slug }))
    isPast = state.sent < failAt
    // Let the background task take over the attempt, because its process did not record a result.
    app.clock.advance(2 * MINUTE_MS)
    await app.publications.run()
    const retried = await post(app, staff, { ...DRAGON, slug })
    const products = await app.database.sql<
      { status: string }[]
    >`select status from products where slug = ${slug}`
    const onSite = [...site.products.values()].filter(
      (product) => (product as { slug?: string }).slug === slug,
    )
    const isRight =
      retried.statusCode < 300 &&
      products.length === 1 &&
      products[0]?.status === 'published' &&
      onSite.length === 1
    if (!isRight)
      faults.push(
        `statement ${failAt}: ${failed.statusCode}, retry ${retried.statusCode} ${retried.body}, ${JSON.stringify(products)}, ${onSite.length} on the site`,
      )
  }
  console.info(`T100 lost or double ${faults.length} of ${failAt - 1} failed statements of a publication`)
  expect(failAt).toBeGreaterThan(10)
  expect(faults).toEqual([])
})
