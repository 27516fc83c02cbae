import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import { act, aWooApp, ordersOf, sync, wooOrder, reportParcels } from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

it('a corrected tracking is reported with the parcel, or shows as unknown to the shop if the parcel was reported before', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  const [parcel] = (await act(app, id, 'ship')).shipments
  const change = async (trackingNumber: string) => {
    const answer = await app.http.inject({
      method: 'PATCH',
      url: `/api/orders/${id}/shipments/${parcel?.id}`,
      headers: { ...(await app.as('staff')), 'if-match': '*' },
      payload: { tracking_number: trackingNumber },
    })
    const [{ is_tracking_old_in_shop: isOld } = { is_tracking_old_in_shop: null }] =
      answer.json<Order>().shipments
    return isOld
  }
  expect(await change('JD01')).toBe(false)
  const reached = Promise.withResolvers<void>()
  const corrected = Promise.withResolvers<void>()
  shop.behave((response, request) => {
    reached.resolve()
    void corrected.promise.then(() => shop.take(request)(response, request))
  })
  const reporting = reportParcels(app)
  await reached.promise
  // The report with the first number is on its way, so the shop does not get the second number.
  expect(await change('JD02')).toBe(false)
  corrected.resolve()
  await reporting
  const noteOf = JSON.stringify(shop.orders.get(7)?.notes)
  expect(noteOf).toContain('JD01')
  expect(noteOf).not.toContain('JD02')
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([
    { tracking_number: 'JD02', told_at: expect.any(String), is_tracking_old_in_shop: true },
  ])
  expect(await change('JD01')).toBe(false)
})

it.each([
  ['the shop got the first report', true],
  ['the first report did not reach the shop', false],
])(
  'if tracking is corrected between two attempts to report it, the page shows the tracking that the shop has: %s',
  async (_, isLost) => {
    const { shop, app } = await aWooApp()
    await anItem(app, { sku: 'DRG', quantity: 5 })
    shop.orders.set(7, wooOrder(7))
    await sync(app)
    const [{ id } = { id: '' }] = await ordersOf(app)
    const [parcel] = (await act(app, id, 'ship', { tracking_number: 'JD01' })).shipments
    shop.behave((response, request) => {
      if (request.method === 'GET') return shop.take(request)(response, request)
      if (isLost) shop.take(request)
      json(503, {})(response, request)
    })
    await reportParcels(app)
    shop.behave(null)
    const corrected = await app.http.inject({
      method: 'PATCH',
      url: `/api/orders/${id}/shipments/${parcel?.id}`,
      headers: { ...(await app.as('staff')), 'if-match': '*' },
      payload: { tracking_number: 'JD02' },
    })
    expect(corrected.json()).toMatchObject({ shipments: [{ told_at: null, is_tracking_old_in_shop: false }] })
    app.clock.advance(MINUTE_MS)
    await reportParcels(app)
    expect(JSON.stringify(shop.orders.get(7)?.notes)).toContain(isLost ? 'JD01' : 'JD02')
    expect((await ordersOf(app))[0]?.shipments).toMatchObject([
      { tracking_number: 'JD02', told_at: expect.any(String), is_tracking_old_in_shop: isLost },
    ])
  },
)

it('a parcel is read immediately before it is reported, so that a late correction is reported and an undone shipment is not', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const numbers = [7, 8, 9]
  for (const number of numbers) shop.orders.set(number, wooOrder(number))
  await sync(app)
  const found = await ordersOf(app)
  const shipped: Order[] = []
  for (const number of numbers) {
    const id = found.find((order) => order.order_number === String(number))?.id
    shipped.push(await act(app, id, 'ship', { tracking_number: 'JD01' }))
    app.clock.advance(MINUTE_MS)
  }
  const [, second, third] = shipped
  // During the report of the first parcel, the second parcel is taken back, and the third gets another number.
  shop.behave((response, request) => {
    shop.behave(null)
    void act(app, second?.id, 'undo-shipment', { shipment_id: second?.shipments[0]?.id })
      .then(async () =>
        app.http.inject({
          method: 'PATCH',
          url: `/api/orders/${third?.id}/shipments/${third?.shipments[0]?.id}`,
          headers: { ...(await app.as('staff')), 'if-match': '*' },
          payload: { tracking_number: 'JD02' },
        }),
      )
      .then(() => shop.take(request)(response, request))
  })
  await reportParcels(app)
  const notesOf = (number: number) => JSON.stringify(shop.orders.get(number)?.notes ?? [])
  expect([notesOf(7), notesOf(8), notesOf(9)]).toEqual([
    expect.stringContaining('JD01'),
    '[]',
    expect.stringContaining('JD02'),
  ])
})
