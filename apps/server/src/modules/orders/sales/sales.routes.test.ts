import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings, Sale, SalesRow } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { aSalesShop, goTo, line } from '../../../../test/support/sales-shop.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

it('the sales report shows revenue, cost, fees, margin and returns by month (in a given time zone), by product and by shop', async () => {
  const { app, dragon, act, report, costs, send } = await aSalesShop()
  const first = await anOrder(app, {
    source: 'main_site',
    lines: [line('DRG', 4, 1000)],
    totalMinor: 4200,
    shippingMinor: 600,
    discountMinor: 400,
    feeMinor: 200,
  })
  await act(first, 'ship')
  const keptAtShipping = 'a later price of the item changes nothing that was shipped'
  await costs(dragon, 9)
  const [dragons] = (await send<Order>(`/api/orders/${first}`)).items
  await act(first, 'return', { items: [{ line_id: dragons?.id, quantity: 1, to: 'stock' }] })
  await act(first, 'return', { items: [{ line_id: dragons?.id, quantity: 1, to: 'scrap' }] })
  const second = await anOrder(app, { lines: [line('STD', 3, 200), line('WRAP', 1, 100)] })
  goTo(app, new Date('2031-04-01T21:00:00Z'))
  await send('/api/orders/unknown-skus/ignore', { sku: 'WRAP' })
  await act(second, 'ship')
  // Four pieces minus two returned ones, each at 10.00 minus the 10 % discount.
  const march = {
    revenue: 18,
    cost: 6,
    fees: 2,
    postage: 0,
    shipping_income: 0,
    margin: 10,
    pieces: 4,
    returns: 2,
    orders: 1,
    pieces_without_cost: 0,
  }
  const april = {
    revenue: 7,
    cost: 0,
    fees: 0,
    postage: 0,
    shipping_income: 0,
    margin: 7,
    pieces: 4,
    returns: 0,
    orders: 1,
    pieces_without_cost: 3,
  }
  expect(await report('by=month'), keptAtShipping).toEqual([
    { key: '2031-03', label: 'March 2031', ...march },
    { key: '2031-04', label: 'April 2031', ...april },
  ])
  expect((await report('by=month&time_zone=Europe/Vienna')).map(({ key, pieces }) => [key, pieces])).toEqual([
    ['2031-04', 8],
  ])
  expect(await report('by=shop')).toEqual([
    { key: 'main_site', label: 'Main site', ...march },
    { key: 'manual', label: 'Entered by hand', ...april },
  ])
  expect((await report('by=product')).map(({ key, label, revenue }) => [key, label, revenue])).toEqual([
    ['DRG', 'Dragon', 18],
    ['STD', 'Stand', 6],
    ['WRAP', 'A WRAP', 1],
  ])
  expect((await report('by=month&from=2031-04-01&to=2031-04-30')).map(({ key }) => key)).toEqual(['2031-04'])
  const rows = await send<Sale[]>('/api/reports/sales/lines?by=product&key=DRG')
  expect(
    rows.map(({ order_id: id, pieces, returns, revenue, cost }) => [id, pieces, returns, revenue, cost]),
  ).toEqual(
    expect.arrayContaining([
      [first, 4, 0, 36, 8],
      [first, 0, 1, -9, -2],
      [first, 0, 1, -9, 0],
    ]),
  )
  expect(rows).toHaveLength(3)
  expect(await send<OrderEarnings>(`/api/orders/${first}/earnings`)).toEqual({
    currency: 'USD',
    total: 42,
    tax: 0,
    shipping: 6,
    revenue: 18,
    kept: 0,
    fees: 2,
    postage: 0,
    shipping_income: 0,
    cost: 6,
    margin: 10,
    parcels_without_postage: 1,
    pieces: 4,
    returns: 2,
    pieces_without_cost: 0,
    pieces_to_ship: 0,
  })
  expect(await send<OrderEarnings>(`/api/orders/${second}/earnings`)).toMatchObject({
    pieces_without_cost: 3,
    margin: null,
  })
})

it('the order page and the report show the margin of the shipped pieces, before and after the order ends', async () => {
  const { app, act, report, send } = await aSalesShop()
  const id = await anOrder(app, {
    source: 'main_site',
    lines: [line('DRG', 5, 1000), line('DRG', 5, 1000)],
    totalMinor: 11_700,
    shippingMinor: 900,
    taxMinor: 800,
    discountMinor: 1000,
    feeMinor: 500,
  })
  const figures = ({ revenue, cost, fees, margin, pieces, returns }: OrderEarnings | SalesRow) => ({
    revenue,
    cost,
    fees,
    margin,
    pieces,
    returns,
  })
  /** Returns the figures of the order, after checking that the report has the same figures. */
  const earned = async (orderId: string, by = 'by=shop') => {
    const ofOrder = await send<OrderEarnings>(`/api/orders/${orderId}/earnings`)
    const [row] = await report(by)
    expect(row && figures(row)).toEqual(figures(ofOrder))
    return [ofOrder.revenue, ofOrder.cost, ofOrder.fees, ofOrder.margin, ofOrder.pieces_to_ship]
  }
  expect(await send<OrderEarnings>(`/api/orders/${id}/earnings`)).toMatchObject({
    revenue: 0,
    margin: null,
    pieces: 0,
    pieces_to_ship: 10,
  })
  const [first] = (await send<Order>(`/api/orders/${id}`)).items
  // Two of ten pieces, each at 10.00 minus 1.00 discount, with 0.50 of the fees and a cost of 2.00.
  await act(id, 'ship', { items: [{ line_id: first?.id, quantity: 2 }] })
  expect(await earned(id)).toEqual([18, 4, 1, 13, 8])
  await act(id, 'return', { items: [{ line_id: first?.id, quantity: 1, to: 'scrap' }] })
  expect(await earned(id)).toEqual([9, 4, 1, 4, 8])
  // The shop still pays all fees, although eight pieces are never shipped.
  await act(id, 'complete', { close_short: true })
  expect(await earned(id)).toEqual([9, 4, 5, 0, 0])

  const gift = await anOrder(app, { lines: [line('DRG', 2, 0), line('DRG', 1, 0)], feeMinor: 30 })
  await act(gift, 'ship', {
    items: [{ line_id: (await send<Order>(`/api/orders/${gift}`)).items[0]?.id, quantity: 2 }],
  })
  await act(gift, 'cancel')
  expect(await send<OrderEarnings>(`/api/orders/${gift}/earnings`)).toMatchObject({
    revenue: 0,
    cost: 4,
    fees: 0.3,
    margin: -4.3,
  })
})

it('the sales report divides the price of a set among its pieces, and does not count an undone shipment', async () => {
  const { app, dragon, stand, act, report, send } = await aSalesShop()
  const id = await anOrder(app, { lines: [line('SET', 2, 900)] })
  await send('/api/orders/unknown-skus/map', {
    sku: 'SET',
    items: [
      { inventory_item_id: dragon, quantity: 1 },
      { inventory_item_id: stand, quantity: 2 },
    ],
  })
  const shipped = await act(id, 'ship')
  const rows = (await report('by=product')).map(({ key, pieces, revenue }) => [key, pieces, revenue])
  expect(rows).toEqual([
    ['STD', 4, 12],
    ['DRG', 2, 6],
  ])
  await act(id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  expect(await report('by=product')).toEqual([])
})

it('the lines behind a number of the sales report add up to exactly that number, in JSON and in CSV', async () => {
  const { app, staff, act, report, send } = await aSalesShop()
  // Three equal lines cannot share this discount and this fee without a remainder.
  const id = await anOrder(app, {
    source: 'main_site',
    lines: [line('DRG', 1, 1000), line('STD', 1, 1000), line('WRAP', 1, 1000)],
    discountMinor: 100,
    feeMinor: 50,
  })
  await send('/api/orders/unknown-skus/ignore', { sku: 'WRAP' })
  const [dragons] = (await act(id, 'ship')).items
  await act(id, 'return', { items: [{ line_id: dragons?.id, quantity: 1, to: 'stock' }] })
  await act(await anOrder(app, { lines: [line('DRG', 2, 700)] }), 'ship')
  const linesOf = (query: string) => send<Sale[]>(`/api/reports/sales/lines?${query}`)
  const total = (rows: readonly (Sale | SalesRow)[], figure: 'revenue' | 'cost' | 'fees' | 'margin') =>
    Math.round(rows.reduce((sum, row) => sum + row[figure], 0) * 100) / 100
  const all = await linesOf('')
  expect([all.length, total(all, 'revenue'), total(all, 'fees')]).toEqual([5, 33.33, 0.5])
  for (const by of ['month', 'product', 'shop'])
    for (const row of await report(`by=${by}`))
      for (const figure of ['revenue', 'cost', 'fees', 'margin'] as const) {
        const rows = await linesOf(`by=${by}&key=${row.key}&figure=${figure}`)
        expect([by, row.key, figure, total(rows, figure)]).toEqual([by, row.key, figure, row[figure]])
      }
  for (const [figure, expected] of [
    ['returns', [0]],
    ['pieces', [1, 1, 1, 2]],
    ['orders', [1, 1, 1, 2]],
    ['pieces_without_cost', [1]],
  ] as const)
    expect((await linesOf(`figure=${figure}`)).map(({ pieces }) => pieces).toSorted((a, b) => a - b)).toEqual(
      expected,
    )
  const csv = await app.http.inject({
    url: '/api/reports/sales/lines?figure=returns',
    headers: { ...staff, accept: 'text/csv' },
  })
  expect(csv.headers['content-disposition']).toBe(
    'attachment; filename="pegasus-ops-sales-lines-returns.csv"',
  )
  const [names, row] = readCsv(csv.body.replace(/^\uFEFF/, ''))
  expect(names?.slice(1, 6)).toEqual(['order_number', 'sku', 'name', 'pieces', 'returns'])
  expect(row?.slice(2, 6)).toEqual(['DRG', 'Dragon', '0', '1'])
})

it('the sales report as CSV has the same numbers', async () => {
  const { app, staff, act } = await aSalesShop()
  await act(await anOrder(app, { lines: [line('DRG', 2, 1000)] }), 'ship')
  const answer = await app.http.inject({
    url: '/api/reports/sales?by=product&from=2031-03-01&to=2031-03-31',
    headers: { ...staff, accept: 'text/csv' },
  })
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="pegasus-ops-sales-product-2031-03-01-2031-03-31.csv"',
  })
  const [names, row] = readCsv(answer.body.replace(/^\uFEFF/, ''))
  expect(Object.fromEntries((names ?? []).map((name, index) => [name, row?.[index]]))).toEqual({
    key: 'DRG',
    label: 'Dragon',
    orders: '1',
    pieces: '2',
    returns: '0',
    revenue: '20',
    cost: '4',
    fees: '0',
    postage: '0',
    shipping_income: '0',
    margin: '16',
    pieces_without_cost: '0',
  })
})

it.each([
  ['from=2026-02-30', 'from must be a day such as 2026-11-23'],
  ['to=yesterday', 'to must be a day such as 2026-11-23'],
  ['from=2031-03-02&to=2031-03-01', 'from is after to'],
  ['by=customer', 'by must be one of month, product, shop'],
  ['time_zone=Mars/Base', 'time_zone is not a known time zone'],
  [
    'figure=weight',
    'figure must be one of orders, pieces, returns, revenue, cost, fees, postage, shipping_income, margin, pieces_without_cost',
    '/lines',
  ],
] as readonly [query: string, sentence: string, path?: string][])(
  'the sales report refuses %s',
  async (query, sentence, path = '') => {
    const { app, staff } = await aSalesShop()
    const answer = await app.http.inject({ url: `/api/reports/sales${path}?${query}`, headers: staff })
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([422, sentence])
  },
)
