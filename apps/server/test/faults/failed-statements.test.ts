import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { anItem, anOrder } from '../support/stock-factories.ts'

/** The statements of one request, and the number of the statement that fails. */
const request = new AsyncLocalStorage<{ sent: number; failAt: number }>()

/** Makes PostgreSQL refuse the statement with the number `failAt` of a request, until the test ends. */
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

/** Returns the tables whose number of rows differs, with the difference. */
const changesOf = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]): [string, number] => [name, count - (before[name] ?? 0)])
      .filter(([, change]) => change !== 0),
  )

type Send = () => Promise<{ statusCode: number; body: string }>

/**
 * Sends the request that `prepare` returns, first without a failure. Then, for each statement of the request, sends a
 * new request in which this statement fails, and sends that request again as a retry. Returns the faults, and the
 * number of failures.
 */
async function failEach(app: TestApp, prepare: () => Promise<Send>) {
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
    const hasSucceeded = failed.statusCode < 300
    if (JSON.stringify(half) !== JSON.stringify(hasSucceeded ? full : {}))
      faults.push(`statement ${failAt}: ${failed.statusCode}, half done ${JSON.stringify(half)}`)
    if (repeated.statusCode >= 300 || JSON.stringify(whole) !== JSON.stringify(full))
      faults.push(`statement ${failAt}: retry ${repeated.statusCode}, ${JSON.stringify(whole)}`)
  }
  throw new Error('the request has too many statements')
}

it('T100 if any statement of a new order or of a shipment fails, nothing is half done, and a retry succeeds', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  failStatements()
  const post = (url: string, payload: object): Send => {
    const headers = { ...staff, 'idempotency-key': randomUUID() }
    return async () => await app.http.inject({ method: 'POST', url, headers, payload })
  }
  const line = async (sku: string) => ({
    sku,
    name: 'Hook',
    quantity: 2,
    itemId: await anItem(app, { name: sku, sku }),
  })
  const order = await failEach(app, async () =>
    post('/api/orders', {
      customer_name: 'Keisuke Yamanaka',
      items: [{ name: 'Hook', quantity: 2, unit_price: 5 }],
    }),
  )
  let orders = 0
  const shipment = await failEach(app, async () => {
    orders += 1
    const id = await anOrder(app, {
      lines: [{ ...(await line(`H-${orders}`)), unitPriceMinor: 500 }],
    } as never)
    return post(`/api/orders/${id}/ship`, { carrier: 'DHL', tracking_number: '1' })
  })
  expect(Math.min(order.failures, shipment.failures)).toBeGreaterThan(5)
  const faults = [...order.faults, ...shipment.faults]
  console.info(
    `T100 half done ${faults.length} of ${order.failures} and ${shipment.failures} failed statements`,
  )
  expect(faults).toEqual([])
})
