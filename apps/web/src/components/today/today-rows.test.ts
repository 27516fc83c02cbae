import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { todayRows } from './today-rows.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
// The object has only the fields that a row shows.
const item = (id: string, quantity: number) =>
  ({ id, name: `Hook ${id}`, quantity, reorder_point: 5, max_stock: 20 }) as InventoryItem
const order = {
  id: 'o',
  order_number: 'PO-1',
  customer_name: 'Jo',
  is_overdue: true,
  ready_to_pack: true,
  due_at: '2026-11-24T12:00:00Z',
} as Order

const FOUND = {
  orders: { items: [order], total: 1 },
  stock: { items: [item('a', 0), item('b', 2), item('c', 3)], total: 3 },
}

describe("rows about work that needs a person's attention today", () => {
  it('todayRows puts due orders before low stock, and combines further entries of a kind into one row', () => {
    const rows = todayRows(FOUND, 'staff', NOW)
    expect(rows.map(({ title }) => title)).toEqual([
      'PO-1, Jo',
      'Hook a is out of stock',
      'Hook b is low',
      '1 more item low',
    ])
    expect(rows.map(({ isUrgent }) => isUrgent)).toEqual([true, true, false, false])
  })

  it('todayRows offers the next step with the numbers already filled in', () => {
    const [due, low] = todayRows(FOUND, 'staff', NOW)
    expect(due?.action).toEqual({ label: 'Pick', to: '/?tab=orders&order=o&do=pick' })
    expect(low?.action?.to).toBe('/?tab=print-queue&add=1&item=a&quantity=20')
  })

  it('todayRows offers no next step to people who may not take it', () =>
    expect(todayRows(FOUND, 'viewer', NOW).every(({ action }) => action === null)).toBe(true))

  it('todayRows returns no rows while no data has been loaded', () =>
    expect(todayRows({}, 'owner', NOW)).toEqual([]))
})
