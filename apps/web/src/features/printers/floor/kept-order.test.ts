import { expect, it } from 'vitest'
import { keptOrder, type ListOrder } from './kept-order.ts'

/** Builds an order from words such as `a:printing`, each with the id and the group of a row. */
const order = (rows: string, listKey = 'all'): ListOrder => ({
  listKey,
  groups: new Map(rows.split(' ').map((row) => row.split(':') as [string, string])),
})

const idsOf = ({ groups }: ListOrder) => [...groups.keys()].join(' ')

const SHOWN = order('a:printing b:printing c:free')

it('keptOrder leaves the rows in place if they only changed places within their groups', () => {
  expect(keptOrder(SHOWN, order('b:printing a:printing c:free'), false)).toBe(SHOWN)
})

it('keptOrder puts the rows of a further page after the rows that are shown', () => {
  const longer = order('b:printing a:printing c:free d:free')
  expect(idsOf(keptOrder(SHOWN, longer, false))).toBe('a b c d')
})

it('keptOrder sorts again if a row changes its group, leaves or appears before others, or if the list is another', () => {
  for (const rows of [
    'c:error b:printing a:printing',
    'b:printing a:printing',
    'd:error b:printing a:printing c:free',
  ])
    expect(idsOf(keptOrder(SHOWN, order(rows), false))).toBe(idsOf(order(rows)))
  const other = order('b:printing a:printing c:free', 'by name')
  expect(keptOrder(SHOWN, other, true)).toBe(other)
})

it('while the order is held, keptOrder leaves rows in place, removes rows that left and puts new rows last; then it sorts', () => {
  const sorted = order('d:error b:error a:printing')
  const held = keptOrder(SHOWN, sorted, true)
  expect(idsOf(held)).toBe('a b d')
  expect(keptOrder(held, sorted, true)).toBe(held)
  expect(idsOf(keptOrder(held, sorted, false))).toBe('d b a')
})

it('keptOrder does not move a row that changes its group and changes back while the order is held', () => {
  const held = keptOrder(SHOWN, order('c:error a:printing b:printing'), true)
  expect(keptOrder(held, order('a:printing b:printing c:free'), false)).toBe(SHOWN)
})
