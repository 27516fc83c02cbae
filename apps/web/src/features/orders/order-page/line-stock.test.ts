import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { expect, test } from 'vitest'
import { allocatedParts, orderStock, stockOf } from './line-stock.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

const aLine = (line: Partial<OrderLine> = {}): OrderLine => ({
  id: ID,
  sku: 'HOOK-1',
  name: 'Hook',
  quantity: 5,
  unit_price: 2,
  inventory_item_id: ID,
  is_ignored: false,
  available_quantity: 8,
  shipped_quantity: 0,
  reserved_quantity: 0,
  allocated_quantity: 5,
  queued_quantity: 0,
  returned_quantity: 0,
  refunded_quantity: 0,
  short_by: 0,
  missing_quantity: 0,
  not_shipped_quantity: 0,
  color_hex: null,
  stl_thumbnail_path: null,
  is_set: false,
  parts: [],
  ...line,
})

const SHORT = aLine({ allocated_quantity: 3, short_by: 2, missing_quantity: 2 })
const PRINTING = aLine({ allocated_quantity: 3, queued_quantity: 4, short_by: 2 })
const UNKNOWN = aLine({ inventory_item_id: null, allocated_quantity: 0, short_by: 5, missing_quantity: 5 })

test('an order reserves the free pieces allocated to it, including those for the parts of a set, and no others', () => {
  const part = { ...aLine({ id: 'part', allocated_quantity: 4 }), pieces_per_set: 2 }
  const items = [
    SHORT,
    UNKNOWN,
    aLine({ id: 'set', is_set: true, inventory_item_id: null, allocated_quantity: 2, parts: [part] }),
  ]
  expect(allocatedParts({ items })).toEqual([
    { line_id: ID, quantity: 3 },
    { line_id: 'part', quantity: 4 },
  ])
})

test('an order line shows the origin of its pieces as a calculation', () => {
  expect(stockOf(aLine(), 'pending')).toEqual({ text: '5 ordered = 5 in stock', isShort: false })
  expect(stockOf(SHORT, 'in_progress')).toEqual({ text: '5 ordered = 3 in stock + 2 missing', isShort: true })
  expect(stockOf(PRINTING, 'in_progress')?.text).toBe('5 ordered = 3 in stock + 2 in the print queue')
  const shipped = aLine({
    shipped_quantity: 2,
    reserved_quantity: 3,
    allocated_quantity: 0,
    returned_quantity: 1,
  })
  expect(stockOf(shipped, 'in_progress')?.text).toBe('5 ordered = 2 shipped + 3 reserved, 1 returned')
  expect(stockOf(UNKNOWN, 'pending')?.text).toBe('No inventory item has this SKU')
  expect(stockOf({ ...UNKNOWN, is_ignored: true }, 'pending')?.text).toBe('Not kept in stock')
  expect(stockOf({ ...UNKNOWN, is_ignored: true }, 'completed')?.text).toBe('Not kept in stock')
})

test('the calculation names the pieces not shipped for a finished order, and the pieces on hold for a held order', () => {
  const closed = { allocated_quantity: 0, short_by: 0, missing_quantity: 0 }
  const none = aLine({ ...closed, queued_quantity: 3, not_shipped_quantity: 5 })
  expect(stockOf(none, 'cancelled')).toEqual({ text: '5 ordered = 5 not shipped', isShort: false })
  const some = aLine({ ...closed, shipped_quantity: 3, returned_quantity: 1, not_shipped_quantity: 2 })
  expect(stockOf(some, 'completed')?.text).toBe('5 ordered = 3 shipped + 2 not shipped, 1 returned')
  expect(stockOf(aLine({ ...UNKNOWN, ...closed, not_shipped_quantity: 5 }), 'cancelled')?.text).toBe(
    '5 ordered = 5 not shipped',
  )
  const held = aLine({
    shipped_quantity: 1,
    reserved_quantity: 1,
    allocated_quantity: 0,
    queued_quantity: 1,
    short_by: 3,
    missing_quantity: 2,
  })
  expect(stockOf(held, 'on_hold')).toEqual({
    text: '5 ordered = 1 shipped + 1 reserved + 1 in the print queue + 2 on hold',
    isShort: false,
  })
})

const anOrder = (items: OrderLine[], order: Partial<Order> = {}) =>
  ({ items, status: 'pending', ready_to_pack: false, ...order }) as Order

test.each<[string, Order, string | undefined]>([
  ['enough', anOrder([aLine(), aLine()], { ready_to_pack: true }), 'Ready to pack'],
  ['some missing, some unknown', anOrder([SHORT, UNKNOWN, SHORT]), '9 missing'],
  ['unknown alone', anOrder([aLine(), UNKNOWN]), '1 unknown SKU'],
  ['all that is short is in the print queue', anOrder([aLine(), PRINTING]), '2 in the print queue'],
  ['no lines', anOrder([]), undefined],
  ['over', anOrder([SHORT], { status: 'cancelled' }), undefined],
  ['on hold', anOrder([SHORT], { status: 'on_hold' }), undefined],
])('an order has the expected stock summary: %s', (_, order, expected) => {
  expect(orderStock(order)?.text).toBe(expected)
})
