import { expect, it } from 'vitest'
import { act, aWooApp, ordersOf, sync, wooOrder } from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

it('a parcel that is taken back during or after its report to the shop shows as a problem until its pieces are shipped again', async () => {
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
    `The shop was told of parcel ${parcel}, which was taken back here, and still shows its pieces as sent. Ship them again, or change the order in the shop.`
  await act(app, id, 'ship')
  expect(await takeBack()).toMatchObject({ shipments: [], shop_problem: null })
  await act(app, id, 'ship')
  await app.shop.shipments.run()
  expect(await takeBack()).toMatchObject({ shipments: [], shop_problem: sentenceOf(2) })
  expect(await act(app, id, 'ship')).toMatchObject({ shop_problem: null })
  const reached = Promise.withResolvers<void>()
  const takenBack = Promise.withResolvers<void>()
  shop.behave((response, request) => {
    reached.resolve()
    void takenBack.promise.then(() => shop.take(request)(response, request))
  })
  const telling = app.shop.shipments.run()
  await reached.promise
  expect(await takeBack()).toMatchObject({ shop_problem: sentenceOf(2) })
  takenBack.resolve()
  await telling
  expect(await ordersOf(app)).toMatchObject([{ shipments: [], shop_problem: sentenceOf(3) }])
})
