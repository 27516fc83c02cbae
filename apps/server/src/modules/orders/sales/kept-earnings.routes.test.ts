import { readFile } from 'node:fs/promises'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings, Sale } from '@pegasus/contracts/orders/sales'
import { expect, it } from 'vitest'
import { splitStatements } from '../../../platform/database/migrations/split-statements.ts'
import { aSalesShop, goTo, line } from '../../../../test/support/sales-shop.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

const APRIL = new Date('2031-04-02T08:00:00Z')
const MAY = new Date('2031-05-02T08:00:00Z')

/** A shop with helpers that ship pieces of one line, and that read what an order earned in each month. */
async function aShopWithMonths() {
  const shop = await aSalesShop()
  const { app, act, send } = shop
  const itemsOf = async (id: string) => (await send<Order>(`/api/orders/${id}`)).items
  return {
    ...shop,
    itemsOf,
    /** Ships a number of pieces of the line with a SKU. */
    shipSome: async (id: string, sku: string, quantity: number) => {
      const found = (await itemsOf(id)).find((each) => each.sku === sku)
      return act(id, 'ship', { items: [{ line_id: found?.id, quantity }] })
    },
    edit: async (id: string, payload: object) => {
      const answer = await app.http.inject({
        method: 'PUT',
        url: `/api/orders/${id}`,
        headers: { ...(await app.as('staff')), 'if-match': '*' },
        payload,
      })
      expect(answer.statusCode, answer.body).toBe(200)
    },
    /** Returns revenue, fees and pieces of each month. */
    months: async () =>
      (await shop.report('by=month&from=2031-03-01&to=2031-06-30')).map(
        ({ key, revenue, fees, pieces, orders }) => [key, revenue, fees, pieces, orders],
      ),
    earned: async (id: string) => {
      const { revenue, fees } = await send<OrderEarnings>(`/api/orders/${id}/earnings`)
      return [revenue, fees]
    },
    rowsOf: async (id: string) =>
      (await send<Sale[]>('/api/reports/sales/lines')).filter(({ order_id: of }) => of === id),
  }
}

const entered = ({ sku, name, quantity }: Order['items'][number]) => ({ sku, name, quantity, unit_price: 10 })

it('a finished month keeps its revenue and fees when the lines, pieces or fees of an order change in a later month', async () => {
  const { app, act, edit, shipSome, itemsOf, months, earned } = await aShopWithMonths()
  const id = await anOrder(app, { lines: [line('DRG', 4, 1000)], discountMinor: 400, feeMinor: 200 })
  await shipSome(id, 'DRG', 2)
  const march = ['2031-03', 18, 1, 2, 1]
  expect(await months()).toEqual([march])
  goTo(app, APRIL)
  await edit(id, {
    items: [...(await itemsOf(id)).map(entered), { sku: 'STD', name: 'Stand', quantity: 10, unit_price: 10 }],
  })
  expect(await months()).toEqual([march])
  // The twelve remaining pieces share the rest of the discount and of the fees.
  await shipSome(id, 'DRG', 2)
  expect(await months()).toEqual([march, ['2031-04', 19.67, 0.17, 2, 1]])
  // Eight pieces are never shipped. Their share of the fees counts in the month in which the order ends.
  await act(id, 'complete', { close_short: true })
  expect(await months()).toEqual([march, ['2031-04', 19.67, 1, 2, 1]])
  goTo(app, MAY)
  await edit(id, { fee_amount: 5 })
  expect(await months()).toEqual([march, ['2031-04', 19.67, 1, 2, 1], ['2031-05', 0, 3, 0, 0]])
  expect(await earned(id)).toEqual([37.67, 5])
})

it('the stored figures of all shipments and returns add up to exactly the amounts of their order', async () => {
  const { app, act, send, dragon, stand, shipSome, itemsOf, earned, rowsOf } = await aShopWithMonths()
  const id = await anOrder(app, {
    lines: [line('DRG', 3, 1000), line('STD', 3, 333), line('SET', 1, 1000)],
    discountMinor: 101,
    feeMinor: 50,
  })
  await send('/api/orders/unknown-skus/map', {
    sku: 'SET',
    items: [
      { inventory_item_id: dragon, quantity: 1 },
      { inventory_item_id: stand, quantity: 2 },
    ],
  })
  await shipSome(id, 'DRG', 1)
  await shipSome(id, 'STD', 2)
  await shipSome(id, 'DRG', 1)
  await act(id, 'ship')
  expect(await earned(id)).toEqual([48.98, 0.5])
  for (const piece of pieceLines(await itemsOf(id)))
    for (let left = piece.quantity; left > 0; left -= 1)
      await act(id, 'return', { items: [{ line_id: piece.id, quantity: 1, to: 'scrap' }] })
  expect(await earned(id)).toEqual([0, 0.5])
  for (const { revenue, fees } of await rowsOf(id)) {
    expect(revenue * 100).toBeCloseTo(Math.round(revenue * 100))
    expect(fees * 100).toBeCloseTo(Math.round(fees * 100))
  }
})

it('an order that was completed without some pieces keeps its whole discount when its lines are reduced to the shipped pieces', async () => {
  const { app, act, edit, shipSome, itemsOf, earned } = await aShopWithMonths()
  const id = await anOrder(app, { lines: [line('DRG', 4, 1000)], discountMinor: 400 })
  await shipSome(id, 'DRG', 2)
  await act(id, 'complete', { close_short: true })
  expect(await earned(id)).toEqual([18, 0])
  await edit(id, { items: (await itemsOf(id)).map((each) => ({ ...entered(each), quantity: 2 })) })
  expect(await earned(id)).toEqual([16, 0])
})

it('undoing a shipment removes its earnings and their corrections, and the next shipment gets them', async () => {
  const { app, act, send, edit, shipSome, months, earned, rowsOf } = await aShopWithMonths()
  const id = await anOrder(app, { lines: [line('DRG', 3, 1000)], discountMinor: 100, feeMinor: 50 })
  await shipSome(id, 'DRG', 1)
  const { shipments } = await shipSome(id, 'DRG', 2)
  await edit(id, { fee_amount: 0.8 })
  expect(await earned(id)).toEqual([29, 0.8])
  await act(id, 'undo-shipment', { shipment_id: shipments.at(-1)?.id })
  expect(await earned(id)).toEqual([9.67, 0.27])
  await act(id, 'ship')
  expect(await earned(id)).toEqual([29, 0.8])
  for (const { id: shipment } of (await send<Order>(`/api/orders/${id}`)).shipments)
    await act(id, 'undo-shipment', { shipment_id: shipment })
  expect(await rowsOf(id)).toEqual([])
  expect(await months()).toEqual([])
})

it('a discount that the shop changes together with a refund is counted once', async () => {
  const { app, act, edit, shipSome, itemsOf, earned } = await aShopWithMonths()
  const refund = (id: string, pieces: number, discountMinor: number) =>
    app.database.transaction(async (tx) => {
      await tx`update order_lines set refunded_quantity = ${pieces} where order_id = ${id} and sku = 'DRG'`
      await tx`update orders set discount_minor = ${discountMinor} where id = ${id}`
    })
  const whole = await anOrder(app, { lines: [line('DRG', 2, 1000)] })
  await act(whole, 'ship')
  const [dragons] = await itemsOf(whole)
  await act(whole, 'return', { items: [{ line_id: dragons?.id, quantity: 1, to: 'scrap' }] })
  await refund(whole, 1, 100)
  for (const fee of [0, 0.1, 0.2]) {
    await edit(whole, { fee_amount: fee })
    expect(await earned(whole)).toEqual([9, fee])
  }
  const part = await anOrder(app, { lines: [line('DRG', 2, 1000), line('STD', 1, 1000)] })
  await shipSome(part, 'DRG', 2)
  await refund(part, 1, 200)
  expect(await earned(part)).toEqual([19, 0])
  await act(part, 'ship')
  expect(await earned(part)).toEqual([28, 0])
  // A refund after the return lowers only the revenue of the pieces that were not returned.
  const later = await anOrder(app, { lines: [line('DRG', 2, 1000)] })
  await act(later, 'ship')
  await refund(later, 0, 100)
  await refund(later, 1, 50)
  expect(await earned(later)).toEqual([19, 0])
})

it('a change of fees or discount corrects the earnings of the shipped pieces by their share of the change', async () => {
  const { app, act, edit, shipSome, itemsOf, earned } = await aShopWithMonths()
  const { sql } = app.database
  const id = await anOrder(app, { lines: [line('DRG', 4, 1000)], discountMinor: 400, feeMinor: 200 })
  await shipSome(id, 'DRG', 2)
  await edit(id, {
    items: [...(await itemsOf(id)).map(entered), { sku: 'STD', name: 'Stand', quantity: 10, unit_price: 10 }],
  })
  await edit(id, { fee_amount: 2.01 })
  expect(await earned(id)).toEqual([18, 1])
  await edit(id, { fee_amount: 9.01 })
  expect(await earned(id)).toEqual([18, 2])
  // The amounts can fall below what was already counted. Later shipments still get no negative amounts.
  await edit(id, { fee_amount: 0.5 })
  await sql`update orders set discount_minor = 0 where id = ${id}`
  expect(await earned(id)).toEqual([20, 0.5])
  await act(id, 'ship')
  expect(await earned(id)).toEqual([140, 0.5])
})

it('all lines of a return are written with one statement, and a shipment cannot be undone after a return of its line', async () => {
  const { app, act, shipSome, itemsOf, earned } = await aShopWithMonths()
  const { sql } = app.database
  const id = await anOrder(app, { lines: [line('DRG', 4, 1000), line('STD', 1, 500)], discountMinor: 450 })
  const { shipments: first } = await shipSome(id, 'DRG', 2)
  goTo(app, APRIL)
  const { shipments } = await act(id, 'ship')
  app.clock.advance(60_000)
  await sql`create table returns_statements (at timestamptz)`
  await sql`
    create function count_returns_statement() returns trigger language plpgsql as
    'begin insert into returns_statements values (now()); return null; end'`
  await sql`
    create trigger counted after insert on order_returns for each statement execute function count_returns_statement()`
  const items = pieceLines(await itemsOf(id)).map((each) => ({ line_id: each.id, quantity: 1, to: 'scrap' }))
  await act(id, 'return', { items })
  expect(await sql`select from returns_statements`).toHaveLength(1)
  expect((await itemsOf(id)).map((each) => each.returned_quantity)).toEqual([1, 1])
  expect(await earned(id)).toEqual([27, 0])
  const last = shipments.find((each) => each.id !== first[0]?.id)
  await expect(act(id, 'undo-shipment', { shipment_id: last?.id })).rejects.toThrow(
    /came back from the customer/,
  )
})

it('the update computes the earnings of earlier shipments and returns by the rule that the report used before', async () => {
  const { app, act, shipSome, itemsOf, earned, rowsOf } = await aShopWithMonths()
  const id = await anOrder(app, {
    lines: [line('DRG', 3, 1000), line('STD', 1, 500)],
    discountMinor: 100,
    feeMinor: 50,
  })
  await shipSome(id, 'DRG', 1)
  await shipSome(id, 'DRG', 2)
  const [dragons] = await itemsOf(id)
  await act(id, 'return', { items: [{ line_id: dragons?.id, quantity: 1, to: 'scrap' }] })
  const before = await rowsOf(id)
  expect(await earned(id)).toEqual([19.43, 0.43])
  const { sql } = app.database
  await sql`update shipment_lines set revenue_minor = null, discount_minor = null, fee_minor = null`
  await sql`update order_returns set revenue_minor = null`
  const file = new URL('../../../../migrations/0133-earnings-of-earlier-shipments.sql', import.meta.url)
  for (const statement of splitStatements(await readFile(file, 'utf8')))
    while ((await sql.unsafe(statement)).length > 0);
  expect(await rowsOf(id)).toEqual(before)
})
