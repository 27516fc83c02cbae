import type { Alert } from '@pegasus/contracts/alerts/alerts'
import { type Order, missingPiecesOf } from '@pegasus/contracts/orders/orders'
import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { SearchHit } from '@pegasus/contracts/search'
import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, anItem } from '../../../../test/support/stock-factories.ts'

const SENT = {
  order_number: 'WEB-1',
  customer_name: 'Ada',
  total_amount: 100,
  items: [
    { sku: 'HOOK', quantity: 9, unit_price: 1 },
    { sku: 'STRANGE', quantity: 4, unit_price: 1 },
    { sku: 'WRAP', quantity: 1, unit_price: 1 },
    { sku: 'NEST', quantity: 3, unit_price: 1 },
  ],
}

/** Returns how each view shows the only order: the short and the missing pieces of each line, and the sums. */
async function viewsOf(app: TestApp, { staff, shop }: Record<'staff' | 'shop', Record<string, string>>) {
  const get = async <T>(url: string) => (await app.http.inject({ url, headers: staff })).json<T>()
  const sent = await app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: shop,
    payload: SENT,
  })
  const linesOf = ({ items }: Pick<Order, 'items'>) =>
    items.map((line) => [
      line.short_by,
      line.missing_quantity,
      ...line.parts.map((part) => [part.short_by, part.missing_quantity]),
    ])
  const [listed] = await get<Order[]>('/api/orders')
  const order = await get<Order>(`/api/orders/${listed?.id}`)
  const plan = await get<OrderPlan>(`/api/orders/${order.id}/plan`)
  await app.alerts.run()
  const [alert] = await get<Alert[]>('/api/alerts')
  const { hits } = await get<{ hits: SearchHit[] }>('/api/search?search=WEB-1')
  const stats = await get<{ orders_ready_to_pack: number }>('/api/stats')
  const found = await Promise.all(
    ['ready', 'short'].map(async (stock) => (await get<Order[]>(`/api/orders?stock=${stock}`)).length),
  )
  const lines = linesOf(order)
  expect([linesOf(listed!), linesOf(sent.json<Order>())]).toEqual([lines, lines])
  const sums = [
    missingPiecesOf(order.items),
    plan.items.reduce((sum, line) => sum + line.missing, 0),
    alert?.facts,
  ]
  const ready = [
    order.ready_to_pack,
    stats.orders_ready_to_pack === 1,
    hits.find(({ kind }) => kind === 'order')?.ready_to_pack,
  ]
  return { id: order.id, lines, sums, ready, found, plan: plan.items }
}

it('the order page, the list, the plan, the integration, the alerts and the dashboard show the same number of missing pieces', async () => {
  const app = await buildTestApp()
  const [staff, shop] = [await app.as('staff'), keyHeader((await aKey(app, { role: 'staff' })).key)]
  const post = (url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url, headers: staff, payload })
  const hook = await anItem(app, { name: 'Hook', sku: 'HOOK', quantity: 4 })
  const egg = await anItem(app, { name: 'Egg', sku: 'EGG', quantity: 3 })
  const dragon = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity: 9 })
  await post('/api/orders/unknown-skus/ignore', { sku: 'WRAP' })
  const items = [
    { inventory_item_id: dragon, quantity: 1 },
    { inventory_item_id: egg, quantity: 2 },
  ]
  await post('/api/orders/unknown-skus/map', { sku: 'NEST', items })
  const first = await viewsOf(app, { staff, shop })
  // Missing are five hooks, four pieces of an unknown SKU, and three eggs, which the sets need.
  expect(first).toMatchObject({
    lines: [
      [5, 5],
      [4, 4],
      [0, 0],
      [2, 2, [0, 0], [3, 3]],
    ],
    sums: [12, 12, { pieces: 17, missing: 12 }],
    ready: [false, false, false],
    found: [0, 1],
  })
  expect(first.plan.map(({ sku, missing, plates }) => [sku, missing, plates])).toEqual([
    ['HOOK', 5, 1],
    ['STRANGE', 4, 0],
    ['WRAP', 0, 0],
    ['DRAGON', 0, 0],
    ['EGG', 3, 1],
  ])
  await aPrintJob(app, { itemId: hook, orderId: first.id, quantity: 6 })
  await anItem(app, { name: 'Strange', sku: 'STRANGE', quantity: 4 })
  expect(await viewsOf(app, { staff, shop })).toMatchObject({
    lines: [
      [5, 0],
      [0, 0],
      [0, 0],
      [2, 2, [0, 0], [3, 3]],
    ],
    sums: [3, 3, {}],
    ready: [false, false, false],
    found: [0, 1],
  })
  await post(`/api/inventory/${hook}/adjust`, { delta: 5, reason: 'printed' })
  await post(`/api/inventory/${egg}/adjust`, { delta: 3, reason: 'printed' })
  expect(await viewsOf(app, { staff, shop })).toMatchObject({
    sums: [0, 0, {}],
    ready: [true, true, true],
    found: [1, 0],
  })
  // While an order is on hold, free pieces go to other orders, so this order is short of all its pieces.
  await post(`/api/orders/${first.id}/hold`)
  expect(await viewsOf(app, { staff, shop })).toMatchObject({
    lines: [
      [9, 3],
      [4, 4],
      [0, 0],
      [3, 3, [3, 3], [6, 6]],
    ],
    sums: [16, 16, {}],
    ready: [false, false, false],
    found: [0, 0],
  })
})
