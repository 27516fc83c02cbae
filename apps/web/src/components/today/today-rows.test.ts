import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
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
  items: [{}],
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
    const empty: Order = { ...order, items: [] }
    const [opened] = todayRows({ orders: { items: [empty], total: 1 } }, 'staff', NOW)
    expect(opened?.action).toEqual({ label: 'Open', to: '/?tab=orders&order=o' })
  })

  it('todayRows begins with the printers that wait for a person, each with the step that it waits for', () => {
    const printer = (name: string, needs_person: Printer['needs_person'], more: Partial<Printer> = {}) =>
      ({
        id: name,
        name,
        needs_person,
        state_reason: null,
        current_job: null,
        spool_to_load: null,
        maintenance_due: [],
        ...more,
      }) as unknown as Printer
    const items = [
      printer('Mini', 'error', { state_reason: 'Thermal runaway' }),
      printer('MK4', 'needs_clearing', { state_reason: 'Check the pieces.' }),
    ]
    const rows = todayRows({ ...FOUND, printers: { items, total: 5 } }, 'staff', NOW)
    expect(rows.slice(0, 3)).toMatchObject([
      {
        title: 'Mini reports an error',
        detail: 'Thermal runaway',
        action: { label: 'Open', to: '/?tab=print-queue&view=printers&printer=Mini' },
        isUrgent: true,
      },
      {
        title: 'MK4 needs clearing',
        detail: 'Check the pieces.',
        action: { label: 'Done', to: '/?tab=print-queue&view=printers&printer=MK4&do=clear' },
      },
      {
        title: '3 more printers wait for a person',
        to: '/?tab=print-queue&view=printers&state=needs_person',
      },
    ])
    const spool = { filament_id: 's', filament_label: 'S-0042', material: 'PLA', color: 'Red' }
    const others = [
      printer('MK4', 'spool', { spool_to_load: spool }),
      printer('Mini', 'maintenance', { maintenance_due: ['Grease'] }),
    ]
    expect(todayRows({ printers: { items: others, total: 2 } }, 'staff', NOW)).toMatchObject([
      { title: 'MK4 needs another spool', detail: 'S-0042 (PLA Red)', action: { label: 'Load' } },
      { title: 'Mini waits for maintenance', detail: 'Grease', action: { label: 'Open' } },
    ])
  })

  it('todayRows offers no next step to people who may not take it', () =>
    expect(todayRows(FOUND, 'viewer', NOW).every(({ action }) => action === null)).toBe(true))

  it('todayRows returns no rows while no data has been loaded', () =>
    expect(todayRows({}, 'owner', NOW)).toEqual([]))
})
