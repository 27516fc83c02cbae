import { expect, it } from 'vitest'
import { keptOrder, type ListOrder } from './kept-order.ts'

/** Writes an order as `id:group` words. */
const order = (rows: string, listKey = 'all'): ListOrder => ({
  listKey,
  groups: new Map(rows.split(' ').map((row) => row.split(':') as [string, string])),
})

const idsOf = ({ groups }: ListOrder) => [...groups.keys()].join(' ')

const SHOWN = order('a:printing b:printing c:free')

it('rows that only changed places within their groups stay where they are', () => {
  expect(keptOrder(SHOWN, order('b:printing a:printing c:free'), false)).toBe(SHOWN)
})

it('rows of a further page follow the rows that are shown', () => {
  const longer = order('b:printing a:printing c:free d:free')
  expect(idsOf(keptOrder(SHOWN, longer, false))).toBe('a b c d')
})

it('rows are sorted again if one changes its group, leaves, appears before others, or the list is another', () => {
  for (const rows of [
    'c:error b:printing a:printing',
    'b:printing a:printing',
    'd:error b:printing a:printing c:free',
  ])
    expect(idsOf(keptOrder(SHOWN, order(rows), false))).toBe(idsOf(order(rows)))
  const other = order('b:printing a:printing c:free', 'by name')
  expect(keptOrder(SHOWN, other, true)).toBe(other)
})

it('while the order is held, rows stay, rows that left go, and new rows come last; afterwards they are sorted', () => {
  const sorted = order('d:error b:error a:printing')
  const held = keptOrder(SHOWN, sorted, true)
  expect(idsOf(held)).toBe('a b d')
  expect(keptOrder(held, sorted, true)).toBe(held)
  expect(idsOf(keptOrder(held, sorted, false))).toBe('d b a')
})

it('a row that changes its group and changes back while the order is held does not move', () => {
  const held = keptOrder(SHOWN, order('c:error a:printing b:printing'), true)
  expect(keptOrder(held, order('a:printing b:printing c:free'), false)).toBe(SHOWN)
})
