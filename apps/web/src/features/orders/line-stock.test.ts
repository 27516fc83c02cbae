import type { Order } from '@pegasus/contracts/orders'
import { expect, test } from 'vitest'
import { orderStock, stockOf } from './line-stock.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

const aLine = (line: Partial<Order['items'][number]> = {}): Order['items'][number] => ({
  id: ID,
  sku: 'HOOK-1',
  name: 'Hook',
  quantity: 5,
  unit_price: 2,
  inventory_item_id: ID,
  available_quantity: 8,
  short_by: 0,
  color_hex: null,
  stl_thumbnail_path: null,
  ...line,
})

const SHORT = aLine({ available_quantity: 3, short_by: 2 })
const UNKNOWN = aLine({ inventory_item_id: null, available_quantity: null, short_by: null })

test('an order line shows the available stock and the missing quantity', () => {
  expect(stockOf(aLine(), 'pending')).toEqual({ text: '8 available', isShort: false })
  expect(stockOf(SHORT, 'in_progress')).toEqual({ text: '3 available, short by 2', isShort: true })
  expect(stockOf(UNKNOWN, 'pending')?.text).toBe('No inventory item has this SKU')
  expect(stockOf(SHORT, 'completed')).toBeNull()
})

const anOrder = (items: Order['items'], status: Order['status'] = 'pending') => ({ items, status }) as Order

test.each<[string, Order, string | undefined]>([
  ['enough', anOrder([aLine(), aLine()]), 'All available'],
  ['some short, some unknown', anOrder([SHORT, UNKNOWN, SHORT]), '4 short'],
  ['unknown alone', anOrder([aLine(), UNKNOWN]), '1 unknown SKU'],
  ['no lines', anOrder([]), undefined],
  ['over', anOrder([SHORT], 'cancelled'), undefined],
])('an order has the expected stock summary: %s', (_, order, expected) => {
  expect(orderStock(order)?.text).toBe(expected)
})
