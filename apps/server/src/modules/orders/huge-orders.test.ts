import { expect, it } from 'vitest'
import { callsOf } from '../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem } from '../../../test/support/stock-factories.ts'
import { createOrder } from './orders.service.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'

const BILLION = 1_000_000_000

/** Imports an order of the shop with three lines of a billion pieces each. */
async function aHugeOrder() {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  await anItem(app, { sku: 'DRG', quantity: 0 })
  const line = { sku: 'DRG', name: 'Dragon', quantity: BILLION, unitPriceMinor: 1 }
  const order = {
    orderNumber: 'HUGE-1',
    customerName: 'Ada',
    status: 'pending' as const,
    totalMinor: 1,
    currency: 'USD',
    source: 'main_site',
    dueAt: new Date('2027-01-01T00:00:00Z'),
    lines: [line, line, line],
  }
  const by = { actor: SYSTEM_ACTOR, now: app.clock.now() }
  const id = await app.database.transaction((tx) => createOrder(tx, order, by))
  return { app, staff, id }
}

it('pages that add up thousands of millions of pieces respond without an error', async () => {
  const { staff } = await aHugeOrder()
  const customer = await staff('GET /api/customers?name=Ada')
  expect(customer.status, customer.text).toBe(200)
  expect(customer.text).toContain(String(3 * BILLION))
  const items = [{ sku: 'DRG', name: 'Dragon', quantity: 1, unit_price: 1 }]
  const later = (await staff('POST /api/orders', { customer_name: 'Bo', items })).json<{
    id: string
    items: { id: string }[]
  }>()
  const account = await staff(`GET /api/orders/${later.id}/lines/${later.items[0]?.id}/account`)
  expect(account.status, account.text).toBe(200)
  expect(account.text).toContain(String(3 * BILLION))
})

it('the plan of an order names the line that needs more pieces than a print job can have', async () => {
  const { staff, id } = await aHugeOrder()
  const planned = await staff(`POST /api/orders/${id}/plan`, {})
  expect([planned.status, planned.detail()]).toEqual([
    409,
    '“Dragon” (DRG) needs 1000000000 pieces, but a print job can have at most 1000000.',
  ])
})

it('an order whose total is too high is refused with the highest total, when it is added and when it is edited', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const items = [{ sku: 'X', name: 'Gold', quantity: 1_000_000, unit_price: BILLION }]
  const refusal = [422, 'total_amount must be at most 90000000000000']
  const added = await staff('POST /api/orders', { customer_name: 'Ada', items })
  expect([added.status, added.detail()]).toEqual(refusal)
  const small = [{ sku: 'X', name: 'Gold', quantity: 1, unit_price: 1 }]
  const { id } = (await staff('POST /api/orders', { customer_name: 'Ada', items: small })).json<{
    id: string
  }>()
  const edited = await staff(`PUT /api/orders/${id}`, { items }, { 'if-match': '*' })
  expect([edited.status, edited.detail()]).toEqual(refusal)
})
