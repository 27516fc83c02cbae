import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { act, aWooApp, ordersOf, sync, wooOrder } from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

it('tracking that is corrected before its report is reported, and a later correction shows that the shop has the earlier one', async () => {
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
      headers: await app.as('staff'),
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
  const telling = app.shop.shipments.run()
  await reached.promise
  // The report with the first number is under way, so the shop does not get the second number.
  expect(await change('JD02')).toBe(false)
  corrected.resolve()
  await telling
  const noteOf = JSON.stringify(shop.orders.get(7)?.notes)
  expect(noteOf).toContain('JD01')
  expect(noteOf).not.toContain('JD02')
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([
    { tracking_number: 'JD02', told_at: expect.any(String), is_tracking_old_in_shop: true },
  ])
  expect(await change('JD01')).toBe(false)
})
