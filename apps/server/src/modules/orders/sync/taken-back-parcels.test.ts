import { readFile } from 'node:fs/promises'
import { UNDO_SHIPMENT_MS } from '@pegasus/contracts/orders/order-changes'
import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import { expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import { act, aWooApp, ordersOf, sync, wooOrder, reportParcels } from '../../../../test/support/shop-apps.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import { splitStatements } from '../../../platform/database/migrations/split-statements.ts'

/** Returns an order as the shop lists it after it has completed the order. */
const completedNow = ({ clock }: { clock: { now(): Date } }) =>
  wooOrder(7, { status: 'completed', date_modified_gmt: clock.now().toISOString().slice(0, -1) })

const NOT_CANCELLED =
  'This order was cancelled here, but not in the shop, which still shows it and its reported parcels. Cancel it there as well.'

/** Imports an order of two pieces. The stock has five. `one` is a request body that ships one piece. */
async function anImportedOrder() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id, items } = { id: '', items: [] }] = await ordersOf(app)
  const one = { items: [{ line_id: items[0]?.id, quantity: 1 }] }
  return { shop, app, id, one }
}

/** Imports an order with two reported parcels, and undoes the first one. The shop then lists the order as completed. */
async function aHalfTakenBackOrder() {
  const { shop, app, id, one } = await anImportedOrder()
  const first = await act(app, id, 'ship', one)
  await act(app, id, 'ship', one)
  await reportParcels(app)
  await act(app, id, 'undo-shipment', { shipment_id: first.shipments[0]?.id })
  shop.orders.set(7, completedNow(app))
  await sync(app)
  return { app, id }
}

it('a parcel taken back during or after its report to the shop is a problem until its pieces are shipped again', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  const takeBack = async () => {
    const [order] = await ordersOf(app)
    return act(app, id, 'undo-shipment', { shipment_id: order?.shipments[0]?.id })
  }
  const sentenceOf = (parcel: number) =>
    `The shop was told of parcel ${parcel}, which was undone here, and still shows its pieces as sent. Ship them again, or change the order in the shop.`
  await act(app, id, 'ship')
  expect(await takeBack()).toMatchObject({ shipments: [], shop_problem: null })
  await act(app, id, 'ship')
  await reportParcels(app)
  expect(await takeBack()).toMatchObject({ shipments: [], shop_problem: sentenceOf(2) })
  expect(await act(app, id, 'ship')).toMatchObject({ shop_problem: null })
  const reached = Promise.withResolvers<void>()
  const takenBack = Promise.withResolvers<void>()
  shop.behave((response, request) => {
    reached.resolve()
    void takenBack.promise.then(() => shop.take(request)(response, request))
  })
  const reporting = reportParcels(app)
  await reached.promise
  expect(await takeBack()).toMatchObject({ shop_problem: sentenceOf(2) })
  takenBack.resolve()
  await reporting
  expect(await ordersOf(app)).toMatchObject([{ shipments: [], shop_problem: sentenceOf(3) }])
})

it('a parcel that is taken back after its report is not shipped again if the shop lists the order as completed', async () => {
  const { shop, app } = await aWooApp()
  const itemId = await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  const shipped = await act(app, id, 'ship')
  await reportParcels(app)
  await act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  shop.orders.set(7, completedNow(app))
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([
    {
      status: 'in_progress',
      shipments: [],
      items: [{ shipped_quantity: 0 }],
      shop_problem: expect.stringContaining('parcel 1'),
    },
  ])
  expect(await act(app, id, 'ship')).toMatchObject({ status: 'completed', shop_problem: null })
  const item = await app.http.inject({ url: `/api/inventory/${itemId}`, headers: await app.as('viewer') })
  expect(item.json()).toMatchObject({ quantity: 3, reserved_quantity: 0 })
})

it('if only one of two parcels was taken back, an order that the shop shows as completed waits for a person', async () => {
  const { app, id } = await aHalfTakenBackOrder()
  expect(await ordersOf(app)).toMatchObject([
    {
      status: 'in_progress',
      shipments: [{ number: 2 }],
      items: [{ shipped_quantity: 1 }],
      shop_problem:
        'The shop shows this order as completed, but a shipment was undone here and pieces are left to ship. Ship them, or complete the order.',
    },
  ])
  expect(await act(app, id, 'ship')).toMatchObject({ status: 'completed', shop_problem: null })
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ status: 'completed', shop_problem: null }])
})

it.each([
  ['complete', { close_short: true }, 'completed', null],
  ['cancel', {}, 'cancelled', NOT_CANCELLED],
] as const)(
  'an order no longer says that pieces are left to ship after a person ends it with %s',
  async (step, body, status, problem) => {
    const { app, id } = await aHalfTakenBackOrder()
    expect(await ordersOf(app)).toMatchObject([{ shop_problem: expect.stringContaining('left to ship') }])
    expect(await act(app, id, step, body)).toMatchObject({ status, shop_problem: problem })
  },
)

it('an order that was cancelled here says that its shop still shows it, until the shop has cancelled it as well', async () => {
  const { shop, app, id } = await anImportedOrder()
  expect(await act(app, id, 'cancel')).toMatchObject({ status: 'cancelled', shop_problem: NOT_CANCELLED })
  app.clock.advance(MINUTE_MS)
  shop.orders.set(7, { ...completedNow(app), status: 'cancelled' })
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ status: 'cancelled', shop_problem: null }])
})

it('a parcel that was taken back before any report to the shop does not stop an order that the shop completes', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  const shipped = await act(app, id, 'ship')
  await act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  shop.orders.set(7, completedNow(app))
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([
    { status: 'completed', shop_problem: null, items: [{ shipped_quantity: 2 }] },
  ])
})

it('the history of an order that the shop has completed shows which pieces were shipped', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  shop.orders.set(7, completedNow(app))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  const history = await app.http.inject({
    url: `/api/orders/${id}/history`,
    headers: await app.as('viewer'),
  })
  expect(history.json()).toMatchObject([
    { action: 'order.completed', changed_fields: [] },
    { action: 'order.shipped', items: [{ sku: 'DRG', quantity: 2 }] },
    { action: 'order.created' },
  ])
})

it('the note about two parcels that were taken back stays as long as the shop shows more pieces as sent', async () => {
  const { app, id, one } = await anImportedOrder()
  await act(app, id, 'ship', one)
  const { shipments } = await act(app, id, 'ship', one)
  await reportParcels(app)
  for (const parcel of shipments.toReversed()) await act(app, id, 'undo-shipment', { shipment_id: parcel.id })
  app.clock.advance(MINUTE_MS)
  expect(await act(app, id, 'ship', one)).toMatchObject({
    items: [{ quantity: 2, shipped_quantity: 1 }],
    shop_problem: expect.stringContaining('The shop was told of parcel 2,'),
  })
  expect(await act(app, id, 'ship', one)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('a shipment that is undone while the app offers Undo is never reported to the shop', async () => {
  const { shop, app, id, one } = await anImportedOrder()
  const undone = await act(app, id, 'ship', one)
  app.clock.advance(UNDO_SHIPMENT_MS)
  await app.shop.shipments.run()
  expect(shop.orders.get(7)?.notes).toEqual([])
  expect(await act(app, id, 'undo-shipment', { shipment_id: undone.shipments[0]?.id })).toMatchObject({
    shipments: [],
    shop_problem: null,
  })
  // Each parcel has its own time until its report. Parcel 2 of the order is still reported before parcel 3.
  await act(app, id, 'ship', one)
  app.clock.advance(UNDO_SHIPMENT_MS)
  await act(app, id, 'ship', one)
  await app.shop.shipments.run()
  expect(shop.orders.get(7)?.notes).toEqual([])
  app.clock.advance(3 * SECOND_MS)
  await app.shop.shipments.run()
  expect(shop.orders.get(7)?.notes).toMatchObject([{ note: expect.stringContaining('Parcel 2:') }])
  await reportParcels(app)
  expect(shop.orders.get(7)?.notes).toMatchObject([
    { note: expect.stringContaining('Parcel 2:') },
    { note: expect.stringContaining('Parcel 3:') },
  ])
})

it('the note about a parcel that was taken back stays until all of its pieces are shipped again', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id, items } = { id: '', items: [] }] = await ordersOf(app)
  const first = await act(app, id, 'ship')
  await reportParcels(app)
  await act(app, id, 'undo-shipment', { shipment_id: first.shipments[0]?.id })
  app.clock.advance(MINUTE_MS)
  const one = { items: [{ line_id: items[0]?.id, quantity: 1 }] }
  expect(await act(app, id, 'ship', one)).toMatchObject({
    items: [{ quantity: 2, shipped_quantity: 1 }],
    shop_problem: expect.stringContaining('The shop was told of parcel 1,'),
  })
  expect(await act(app, id, 'ship', one)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('if a note reached WooCommerce but the order could not be completed there, taking the parcel back shows a message', async () => {
  const { shop, app, id, one } = await anImportedOrder()
  const shipped = await act(app, id, 'ship')
  shop.behave((response, request) => {
    const answer = request.method === 'PUT' ? json(503, { message: 'Busy.' }) : shop.take(request)
    answer(response, request)
  })
  await reportParcels(app)
  expect(shop.orders.get(7)?.notes).toHaveLength(1)
  const [order] = await ordersOf(app)
  expect(order?.shipments).toMatchObject([{ told_at: null, is_partly_told: true, tell_problem: 'Busy.' }])
  expect(await act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })).toMatchObject({
    shop_problem: expect.stringContaining('The shop was told of a part of parcel 1'),
  })
  // The message stays until all pieces are shipped again.
  app.clock.advance(MINUTE_MS)
  expect(await act(app, id, 'ship', one)).toMatchObject({
    items: [{ quantity: 2, shipped_quantity: 1 }],
    shop_problem: expect.stringContaining('The shop was told of a part of parcel 1'),
  })
  expect(await act(app, id, 'ship', one)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('stored notes about shipments that were taken back get the current wording, and other notes stay the same', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const withdrawn = SHOP_NOTES.withdrawn('1 × Egg')
  const refunded = SHOP_NOTES.refunded('1 × Egg')
  const old = (note: string) =>
    note
      .replace('but a shipment was undone here', 'but a shipment was taken back here')
      .replace('undo their shipment here', 'take their shipment back here')
  const notes = [SHOP_NOTES.piecesLeft(), `${withdrawn}\n${SHOP_NOTES.piecesLeft()}`, withdrawn, refunded]
  for (const [index, note] of notes.entries()) {
    const id = await anOrder(app, { orderNumber: `PO-${index}` })
    await sql`update orders set shop_problem = ${old(note)} where id = ${id}`
  }
  const stored = async () =>
    (await sql<{ note: string }[]>`select shop_problem as note from orders order by order_number`).map(
      ({ note }) => note,
    )
  expect(await stored()).not.toEqual(notes)
  const file = new URL('../../../../migrations/0571-undone-shipments-in-notes.sql', import.meta.url)
  const [replace = ''] = splitStatements(await readFile(file, 'utf8'))
  while ((await sql.unsafe(replace)).length > 0);
  expect(await stored()).toEqual(notes)
})
