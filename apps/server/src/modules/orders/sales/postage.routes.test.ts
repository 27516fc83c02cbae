import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings, Sale } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { aSalesShop, goTo, line } from '../../../../test/support/sales-shop.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

const APRIL = new Date('2031-04-02T08:00:00Z')
const MAY = new Date('2031-05-02T08:00:00Z')

const setPostage = async (
  app: TestApp,
  { id, shipments }: Pick<Order, 'id' | 'shipments'>,
  amount: number | null,
) =>
  app.http.inject({
    method: 'PATCH',
    url: `/api/orders/${id}/shipments/${shipments.at(-1)?.id}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { postage_amount: amount },
  })

it('the margin of an order and of a month subtracts the postage and adds the shipping that the customer paid', async () => {
  const { app, act, send, report } = await aSalesShop()
  const id = await anOrder(app, {
    lines: [line('DRG', 2, 1000), line('STD', 2, 500)],
    totalMinor: 3600,
    shippingMinor: 600,
  })
  const [dragons] = (await send<Order>(`/api/orders/${id}`)).items
  const first = await act(id, 'ship', {
    items: [{ line_id: dragons?.id, quantity: 2 }],
    postage_amount: 4.99,
  })
  expect(first.shipments).toMatchObject([{ postage_amount: 4.99 }])
  // The parcel has two thirds of the value of the order, so it gets two thirds of the shipping.
  const earned = async () => send<OrderEarnings>(`/api/orders/${id}/earnings`)
  expect(await earned()).toMatchObject({
    revenue: 20,
    cost: 4,
    postage: 4.99,
    shipping_income: 4,
    margin: 15.01,
    parcels_without_postage: 0,
  })
  const march = { key: '2031-03', postage: 4.99, shipping_income: 4, margin: 15.01, pieces: 2 }
  expect(await report('by=month')).toMatchObject([march])
  goTo(app, APRIL)
  const both = await act(id, 'ship')
  expect(await earned()).toMatchObject({ postage: 4.99, shipping_income: 4, parcels_without_postage: 1 })
  // Postage that is entered later counts on the day of the entry, so a finished month stays as it is.
  goTo(app, MAY)
  const answer = await setPostage(app, both, 3.01)
  expect(answer.json<Order>().shipments).toMatchObject([{ postage_amount: 4.99 }, { postage_amount: 3.01 }])
  const may = { key: '2031-05', revenue: 0, postage: 3.01, shipping_income: 2, margin: -1.01, pieces: 0 }
  expect(await report('by=month')).toMatchObject([
    march,
    { key: '2031-04', revenue: 10, postage: 0, shipping_income: 0 },
    may,
  ])
  app.clock.advance(1000)
  expect((await setPostage(app, both, 5)).statusCode).toBe(200)
  expect(await earned()).toMatchObject({ postage: 9.99, shipping_income: 6 })
  expect(await send<Sale[]>('/api/reports/sales/lines?figure=postage')).toMatchObject([
    { sku: 'STD', postage: 1.99, shipping_income: 0, pieces: 0 },
    { sku: 'STD', postage: 3.01, shipping_income: 2 },
    { sku: 'DRG', postage: 4.99, shipping_income: 4 },
  ])
  // The lines behind the revenue of a row also add up to the other figures of the row.
  expect(await send<Sale[]>('/api/reports/sales/lines?figure=revenue&key=2031-05')).toMatchObject([
    { revenue: 0, postage: 1.99, shipping_income: 0 },
    { revenue: 0, postage: 3.01, shipping_income: 2 },
  ])
  const csv = await app.http.inject({
    url: '/api/reports/sales?by=product',
    headers: { ...(await app.as('staff')), accept: 'text/csv' },
  })
  const [names = [], ...rows] = readCsv(csv.body.replace(/^\uFEFF/, ''))
  const column = (name: string) => rows.map((row) => row[names.indexOf(name)])
  expect([column('key'), column('postage'), column('shipping_income')]).toEqual([
    ['DRG', 'STD'],
    ['4.99', '5'],
    ['4', '2'],
  ])
  // Clearing the postage removes it, together with the parcel's share of the shipping.
  await setPostage(app, both, null)
  expect(await earned()).toMatchObject({ postage: 4.99, shipping_income: 4, parcels_without_postage: 1 })
})

it('undoing a shipment takes its postage away, and the next shipment has its own', async () => {
  const { app, act, send } = await aSalesShop()
  const id = await anOrder(app, { lines: [line('DRG', 3, 1000)], totalMinor: 3400, shippingMinor: 400 })
  const { shipments } = await act(id, 'ship', { postage_amount: 5 })
  const earned = async () => send<OrderEarnings>(`/api/orders/${id}/earnings`)
  expect(await earned()).toMatchObject({ postage: 5, shipping_income: 4, margin: 23 })
  await act(id, 'undo-shipment', { shipment_id: shipments[0]?.id })
  expect(await earned()).toMatchObject({ postage: 0, shipping_income: 0, margin: null })
  await act(id, 'ship', { postage_amount: 0 })
  expect(await earned()).toMatchObject({ postage: 0, shipping_income: 4, margin: 28 })
})

it('an order that ends without some pieces counts all of its shipping, and an order without prices shares its postage by pieces', async () => {
  const { app, act, send } = await aSalesShop()
  const short = await anOrder(app, { lines: [line('DRG', 4, 1000)], totalMinor: 4500, shippingMinor: 500 })
  const [dragons] = (await send<Order>(`/api/orders/${short}`)).items
  await act(short, 'ship', { items: [{ line_id: dragons?.id, quantity: 1 }], postage_amount: 3 })
  expect(await send<OrderEarnings>(`/api/orders/${short}/earnings`)).toMatchObject({ shipping_income: 1.25 })
  await act(short, 'complete', { close_short: true })
  expect(await send<OrderEarnings>(`/api/orders/${short}/earnings`)).toMatchObject({ shipping_income: 5 })
  const free = await anOrder(app, { lines: [line('DRG', 2, 0), line('STD', 1, 0)] })
  await act(free, 'ship', { postage_amount: 1 })
  const rows = (await send<Sale[]>('/api/reports/sales/lines?figure=postage')).filter(
    ({ order_id: of }) => of === free,
  )
  expect(Object.fromEntries(rows.map(({ sku, postage }) => [sku, postage]))).toEqual({ DRG: 0.67, STD: 0.33 })
})

it.each([
  ['JPY', 500, 4.5, 500],
  ['KWD', 1.255, 1.2555, 1255],
] as const)(
  'postage in %s has the decimals of the currency of the order',
  async (currency, amount, refused, minor) => {
    const app = await buildTestApp({ variables: { CURRENCY: currency } })
    await anItem(app, { sku: 'DRG', quantity: 2 })
    const id = await anOrder(app, { lines: [line('DRG', 1, 3000)], currency })
    const ship = async (postage: unknown) =>
      app.http.inject({
        method: 'POST',
        url: `/api/orders/${id}/ship`,
        headers: await app.as('staff'),
        payload: { postage_amount: postage },
      })
    for (const wrong of [refused, -1, '5', 1e12]) expect((await ship(wrong)).statusCode).toBe(422)
    const shipped = await ship(amount)
    expect(shipped.statusCode, shipped.body).toBe(201)
    const order = shipped.json<Order>()
    expect(order.shipments).toMatchObject([{ postage_amount: amount }])
    expect([...(await app.database.sql`select postage_minor from shipments`)]).toEqual([
      { postage_minor: minor },
    ])
    expect((await setPostage(app, order, refused)).json()).toMatchObject({
      detail: expect.stringContaining(`more decimals than ${currency} has`),
    })
  },
)
