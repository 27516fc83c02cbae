import { expect, it } from 'vitest'
import { json, type SiteBehavior, type SiteRequest } from '../../../../../test/servers/main-site-server.ts'
import type { ShopifyOrder } from '../../../../../test/servers/shopify-parcels.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  orderOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

interface AnyShop {
  requests: readonly SiteRequest[]
  behave(behavior: SiteBehavior | null): void
  take(request: SiteRequest): SiteBehavior
}

interface Prepared {
  app: TestApp
  shop: AnyShop
  /** Returns whether a request sends a changed tracking to the customer. */
  isChange(request: SiteRequest): boolean
  /** Returns the tracking number that the customer was shown last. */
  shown(): string | undefined
}

/** Changes the tracking of a shipment as a member of staff. */
const changeTracking = async (
  app: TestApp,
  shipment: string,
  payload: { carrier?: string; tracking_number: string | null },
) =>
  app.http.inject({
    method: 'PATCH',
    url: `/api/orders/${shipment}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload,
  })

async function prepareWoo(): Promise<Prepared> {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  return {
    app,
    shop,
    isChange: ({ method, path, body }) =>
      method === 'POST' && path.includes('/notes') && JSON.stringify(body).includes('New tracking.'),
    shown: () => /JD\d+/.exec(shop.orders.get(7)?.notes.at(-1)?.note ?? '')?.[0],
  }
}

async function prepareShopify(): Promise<Prepared> {
  const { shop, app } = await aShopifyApp()
  const order: ShopifyOrder = {
    node: shopifyOrder('7'),
    open: [
      { id: 'line-1', sku: 'DRG', remainingQuantity: 1, parcel: 'first' },
      { id: 'line-2', sku: 'DRG', remainingQuantity: 1, parcel: 'second' },
    ],
    fulfillments: [],
  }
  shop.orders.set('7', order)
  return {
    app,
    shop,
    isChange: ({ body }) => JSON.stringify(body).includes('fulfillmentTrackingInfoUpdate'),
    shown: () =>
      (order.fulfillments[0]?.['trackingInfo'] as { number?: string | null } | undefined)?.number ??
      undefined,
  }
}

/** Ships an order without tracking by a bulk action, and reports its parcel to the shop. */
async function aShippedOrder(prepare: () => Promise<Prepared>) {
  const prepared = await prepare()
  const { app, shop, isChange } = prepared
  await anItem(app, { sku: 'DRG', quantity: 5 })
  await sync(app)
  const { id } = await orderOf(app)
  await app.http.inject({
    method: 'POST',
    url: '/api/orders/bulk',
    headers: await app.as('staff'),
    payload: { action: 'ship', ids: [id] },
  })
  await reportParcels(app)
  const parcelOf = async () => {
    const [parcel] = (await orderOf(app)).shipments
    if (!parcel) throw new Error('The order was not shipped.')
    return parcel
  }
  const type = async (trackingNumber: string | null) =>
    changeTracking(app, `${id}/shipments/${(await parcelOf()).id}`, {
      carrier: 'DHL',
      tracking_number: trackingNumber,
    })
  const changes = () => shop.requests.filter(isChange).length
  const again = async () => {
    app.clock.advance(MINUTE_MS)
    await app.shop.shipments.run()
  }
  return { ...prepared, id, parcelOf, type, changes, again }
}

/** Answers requests that change the tracking with an error. With `isLost`, the change still takes effect. */
const failingChanges =
  ({ shop, isChange }: Prepared, isLost: boolean): SiteBehavior =>
  (response, request) => {
    if (!isChange(request)) return shop.take(request)(response, request)
    if (isLost) shop.take(request)
    json(503, { message: 'Down' })(response, request)
  }

const DONE = { is_tracking_old_in_shop: false, is_tracking_due: false, tracking_problem: null }

const SHOPS: [string, () => Promise<Prepared>][] = [
  ['WooCommerce', prepareWoo],
  ['Shopify', prepareShopify],
]

it.each(SHOPS)('tracking entered after a bulk shipment reaches the shop once: %s', async (_, prepare) => {
  const { app, parcelOf, type, changes, shown, again } = await aShippedOrder(prepare)
  expect([shown(), changes()]).toEqual([undefined, 0])
  await type('JD01')
  expect(await parcelOf()).toMatchObject({
    sends_changed_tracking: true,
    is_tracking_old_in_shop: true,
    is_tracking_due: true,
  })
  await reportParcels(app)
  await again()
  expect([shown(), changes()]).toEqual(['JD01', 1])
  expect(await parcelOf()).toMatchObject({ tracking_number: 'JD01', ...DONE })
})

it.each(SHOPS)(
  'if the response to a changed tracking is lost, the customer still gets only one message: %s',
  async (_, prepare) => {
    const prepared = await aShippedOrder(prepare)
    const { app, shop, parcelOf, type, changes, shown, again } = prepared
    await type('JD01')
    shop.behave(failingChanges(prepared, true))
    await reportParcels(app)
    expect(await parcelOf()).toMatchObject({ is_tracking_due: true, tracking_problem: expect.any(String) })
    shop.behave(null)
    await again()
    expect([shown(), changes()]).toEqual(['JD01', 1])
    expect(await parcelOf()).toMatchObject(DONE)
  },
)

it.each(SHOPS)('a changed tracking that the shop did not get is sent again: %s', async (_, prepare) => {
  const prepared = await aShippedOrder(prepare)
  const { app, shop, parcelOf, type, shown, again } = prepared
  await type('JD01')
  shop.behave(failingChanges(prepared, false))
  await reportParcels(app)
  expect(shown()).toBeUndefined()
  shop.behave(null)
  await again()
  expect(shown()).toBe('JD01')
  expect(await parcelOf()).toMatchObject(DONE)
})

it.each(SHOPS)('of several changes of the tracking, the shop gets the last one: %s', async (_, prepare) => {
  const { app, type, changes, shown } = await aShippedOrder(prepare)
  await type('JD01')
  await type('JD02')
  await reportParcels(app)
  expect([shown(), changes()]).toEqual(['JD02', 1])
  await type('JD03')
  await type('JD02')
  await reportParcels(app)
  expect([shown(), changes()]).toEqual(['JD02', 1])
})

it.each(SHOPS)(
  'a tracking that is changed while the previous one is being sent is sent after it: %s',
  async (_, prepare) => {
    const { app, shop, isChange, parcelOf, type, shown } = await aShippedOrder(prepare)
    await type('JD01')
    shop.behave((response, request) => {
      if (!isChange(request)) return shop.take(request)(response, request)
      shop.behave(null)
      void type('JD02').then(() => shop.take(request)(response, request))
    })
    await reportParcels(app)
    expect([shown(), (await parcelOf()).is_tracking_due]).toEqual(['JD01', true])
    await reportParcels(app)
    expect(shown()).toBe('JD02')
    expect(await parcelOf()).toMatchObject(DONE)
  },
)

it.each(SHOPS)(
  'after a lost response, a tracking that is changed back is sent to the shop, too: %s',
  async (_, prepare) => {
    const prepared = await aShippedOrder(prepare)
    const { app, shop, parcelOf, type, shown } = prepared
    await type('JD01')
    await reportParcels(app)
    await type('JD02')
    shop.behave(failingChanges(prepared, true))
    await reportParcels(app)
    shop.behave(null)
    expect(shown()).toBe('JD02')
    await type('JD01')
    await reportParcels(app)
    expect(shown()).toBe('JD01')
    expect(await parcelOf()).toMatchObject(DONE)
  },
)

it.each(SHOPS)('the changed tracking of an undone shipment is not sent: %s', async (_, prepare) => {
  const { app, id, parcelOf, type, changes, again } = await aShippedOrder(prepare)
  await type('JD01')
  await act(app, id, 'undo-shipment', { shipment_id: (await parcelOf()).id })
  await reportParcels(app)
  await again()
  expect(changes()).toBe(0)
})

it('the customer of a WooCommerce shop gets a note about a tracking that was removed', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  await anItem(app, { sku: 'DRG', quantity: 5 })
  await sync(app)
  const { id } = await orderOf(app)
  const { shipments } = await act(app, id, 'ship', { tracking_number: 'JD01' })
  await reportParcels(app)
  await changeTracking(app, `${id}/shipments/${shipments[0]?.id}`, { tracking_number: null })
  await reportParcels(app)
  await reportParcels(app)
  expect(shop.orders.get(7)?.notes.map(({ note }) => note)).toEqual([
    'Parcel 1: 2 × Dragon. Sent with JD01.',
    'Parcel 1: Its tracking is no longer valid.',
  ])
})

it('each Shopify parcel of a shipment gets the changed tracking, except a parcel that was cancelled there', async () => {
  const { shop, app } = await aShopifyApp()
  const order: ShopifyOrder = {
    node: shopifyOrder('7'),
    open: [
      { id: 'line-1', sku: 'DRG', remainingQuantity: 1, parcel: 'first' },
      { id: 'line-2', sku: 'DRG', remainingQuantity: 1, parcel: 'second' },
    ],
    parcels: { second: { location: 'gid://shopify/Location/2' } },
    fulfillments: [],
  }
  shop.orders.set('7', order)
  await anItem(app, { sku: 'DRG', quantity: 5 })
  await sync(app)
  const { id } = await orderOf(app)
  const { shipments } = await act(app, id, 'ship')
  await reportParcels(app)
  const type = async (trackingNumber: string) => {
    await changeTracking(app, `${id}/shipments/${shipments[0]?.id}`, { tracking_number: trackingNumber })
    await reportParcels(app)
    return order.fulfillments.map((each) => (each['trackingInfo'] as { number: string }).number)
  }
  expect(await type('JD01')).toEqual(['JD01', 'JD01'])
  Object.assign(order.fulfillments[1]!, { status: 'CANCELLED' })
  expect(await type('JD02')).toEqual(['JD02', 'JD01'])
})

it('if the parcels of a Shopify shipment are unknown, its order says that people change the tracking there', async () => {
  const prepared = await aShippedOrder(async () => {
    const shopify = await prepareShopify()
    const { shop } = shopify
    // The response to the first report is lost. Without a tracking number, the parcel cannot be told apart from others.
    shop.behave((response, request) => {
      if (!JSON.stringify(request.body).includes('mutation Fulfil'))
        return shop.take(request)(response, request)
      shop.take(request)
      json(503, {})(response, request)
    })
    return shopify
  })
  const { app, shop, parcelOf, type, changes, again } = prepared
  shop.behave(null)
  await again()
  await type('JD01')
  await reportParcels(app)
  expect(changes()).toBe(0)
  expect(await parcelOf()).toMatchObject({
    told_at: expect.any(String),
    is_tracking_old_in_shop: true,
    is_tracking_due: false,
    tracking_problem: null,
  })
})
