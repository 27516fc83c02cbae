import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  reportParcels,
  shopifyLine,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../platform/clock.ts'

const STILL_SENT = expect.stringContaining('still shows its pieces as sent')

/**
 * Starts a Shopify shop with an order of two dragons, and one piece of each other SKU. The dragons were shipped here
 * and reported.
 */
async function aReportedOrder(...otherSkus: string[]) {
  const { shop, app } = await aShopifyApp()
  for (const sku of ['DRG', ...otherSkus]) await anItem(app, { sku, quantity: 5 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const placed = app.clock.now().toISOString()
  const lines = ['DRG', ...otherSkus].map((sku, index) => ({
    ...shopifyLine(sku, sku === 'DRG' ? 2 : 1, '20.00'),
    id: `gid://shopify/LineItem/${index + 1}`,
  }))
  shop.orders.set('7', {
    node: shopifyOrder('7', { createdAt: placed, updatedAt: placed, lineItems: { nodes: lines } }),
    open: lines.map((line, index) => ({
      id: `line${index}`,
      sku: line.sku,
      remainingQuantity: line.quantity,
      lineItem: line,
    })),
    fulfillments: [],
  })
  /** Marks the order as changed in the shop, runs a comparison, and returns the order. */
  const compare = async () => {
    app.clock.advance(MINUTE_MS)
    shop.orders.get('7')!.node.updatedAt = app.clock.now().toISOString()
    expect(await sync(app)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  await compare()
  const { id, items } = await orderOf(app)
  const ship = (sku: string) => {
    const line = items.find((each: { sku: string | null }) => each.sku === sku)
    return act(app, id, 'ship', { items: [{ line_id: line?.id, quantity: line?.quantity }] })
  }
  const shipped = await ship('DRG')
  await reportParcels(app)
  const undo = () => act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  const statuses = () => shop.fulfillmentsOf(shop.orders.get('7')!).map(({ status }) => status)
  const cancellations = () =>
    shop.requests.filter(({ body }) => JSON.stringify(body).includes('mutation CancelParcel')).length
  return { shop, app, id, compare, ship, undo, statuses, cancellations }
}

it('a reported shipment that is undone is cancelled in the shop once, and its pieces can be sent again', async () => {
  const { app, id, compare, undo, statuses, cancellations } = await aReportedOrder()
  await compare()
  expect(await undo()).toMatchObject({ shipments: [], shop_problem: STILL_SENT })
  await reportParcels(app)
  await reportParcels(app)
  expect([statuses(), cancellations()]).toEqual([['CANCELLED'], 1])
  expect(await compare()).toMatchObject({ status: 'in_progress', shipments: [], shop_problem: null })
  await act(app, id, 'ship')
  await reportParcels(app)
  expect(statuses()).toEqual(['CANCELLED', 'SUCCESS'])
  expect(await compare()).toMatchObject({
    status: 'completed',
    shop_problem: null,
    shipments: [{ number: 2, told_at: expect.any(String) }],
  })
  expect(cancellations()).toBe(1)
})

it.each([
  ['in part', 'PARTIALLY_FULFILLED', 'in_progress'],
  ['completely', 'FULFILLED', 'pending'],
])(
  'if a shipment of the same pieces is also undone, it is cancelled in a shop that shows the order as sent %s',
  async (_, displayFulfillmentStatus, status) => {
    const { shop, app, id, compare, undo, statuses } = await aReportedOrder()
    const order = shop.orders.get('7')!
    await compare()
    await undo()
    await reportParcels(app)
    const { shipments } = await act(app, id, 'ship')
    await reportParcels(app)
    Object.assign(order.node, { displayFulfillmentStatus })
    expect(await compare()).toMatchObject({ status: 'completed', shop_problem: null })
    await act(app, id, 'undo-shipment', { shipment_id: shipments[0]?.id })
    await reportParcels(app)
    expect(statuses()).toEqual(['CANCELLED', 'CANCELLED'])
    Object.assign(order.node, { displayFulfillmentStatus: 'UNFULFILLED' })
    expect(await compare()).toMatchObject({ status, shipments: [], shop_problem: null })
    order.sent = [{ status: 'SUCCESS', pieces: [{ sku: 'DRG', quantity: 2 }] }]
    expect(await compare()).toMatchObject({ shipments: [{ items: [{ quantity: 2 }] }] })
  },
)

it('an undone shipment is cancelled in the shop only after the shop has shown its pieces as sent', async () => {
  const { app, compare, undo, statuses } = await aReportedOrder()
  await undo()
  await reportParcels(app)
  expect(statuses()).toEqual(['SUCCESS'])
  await compare()
  await reportParcels(app)
  expect(statuses()).toEqual(['CANCELLED'])
  expect(await compare()).toMatchObject({ status: 'in_progress', shipments: [], shop_problem: null })
})

it('a delivered parcel stays as it is in the shop, the order says so, and the cancellation is tried again later', async () => {
  const { shop, app, compare, undo, statuses, cancellations } = await aReportedOrder()
  const [parcel = {}] = shop.orders.get('7')?.fulfillments ?? []
  parcel['displayStatus'] = 'DELIVERED'
  await compare()
  await undo()
  await reportParcels(app)
  await app.shop.shipments.run()
  expect([statuses(), cancellations()]).toEqual([['SUCCESS'], 1])
  expect(await compare()).toMatchObject({ shop_problem: STILL_SENT })
  app.clock.advance(HOUR_MS)
  await app.shop.shipments.run()
  expect(cancellations()).toBe(2)
})

it('a cancellation whose response was lost is not sent a second time', async () => {
  const { shop, app, compare, undo, statuses, cancellations } = await aReportedOrder()
  await compare()
  await undo()
  shop.behave((response, request) => {
    if (!JSON.stringify(request.body).includes('mutation CancelParcel'))
      return shop.take(request)(response, request)
    shop.take(request)
    return json(503, {})(response, request)
  })
  await reportParcels(app)
  shop.behave(null)
  app.clock.advance(HOUR_MS)
  await app.shop.shipments.run()
  expect([statuses(), cancellations()]).toEqual([['CANCELLED'], 1])
})

it('a shipment whose pieces were shipped and reported again stays in the shop', async () => {
  const { app, id, undo, compare, statuses } = await aReportedOrder()
  await undo()
  await act(app, id, 'ship')
  await reportParcels(app)
  await compare()
  await reportParcels(app)
  expect(statuses()).toEqual(['SUCCESS'])
  expect(await orderOf(app)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('the parcel of an undone shipment is cancelled in the shop even if a shipment of another line was reported later', async () => {
  const { app, compare, ship, undo, statuses } = await aReportedOrder('EGG')
  await undo()
  await ship('EGG')
  await reportParcels(app)
  for (let hour = 0; hour < 3; hour += 1) {
    await compare()
    app.clock.advance(HOUR_MS)
    await app.shop.shipments.run()
  }
  expect(statuses()).toEqual(['CANCELLED', 'SUCCESS'])
})

it('undone shipments whose pieces the shop has not shown as sent do not delay the cancellation of later ones', async () => {
  const { shop, app, compare, undo, statuses } = await aReportedOrder()
  const placed = app.clock.now().toISOString()
  shop.orders.set('8', {
    node: shopifyOrder('8', {
      createdAt: placed,
      updatedAt: placed,
      lineItems: { nodes: [shopifyLine('DRG', 60, '20.00')] },
    }),
    open: [],
    fulfillments: [],
  })
  await compare()
  const { sql } = app.database
  await sql`
    with waiting as (
      insert into shipments (id, order_id, number, created_at, undone_at, told_at, shop_parcel_ids, actor_kind, actor_name)
      select gen_random_uuid(), o.id, n, ${app.clock.now()}, ${app.clock.now()}, ${app.clock.now()}, array['gid://shopify/Fulfillment/' || n], 'system', 'A test'
      from orders o, generate_series(1, 60) n where o.order_number = '8'
      returning id, order_id
    )
    insert into shipment_lines (shipment_id, order_line_id, quantity)
    select w.id, l.id, 1 from waiting w join order_lines l on l.order_id = w.order_id`
  await undo()
  await reportParcels(app)
  await app.shop.shipments.run()
  expect(statuses()).toEqual(['CANCELLED'])
})
