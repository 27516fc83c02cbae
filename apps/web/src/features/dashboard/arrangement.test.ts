import { expect, test } from 'vitest'
import { moveCard, orderCards, rowsOfCards } from './arrangement.ts'

test("orderCards keeps the person's order, leaves out cards of other screen sizes, and adds new cards at the end", () => {
  expect(orderCards([], false)).toEqual(['today', 'figures', 'orders', 'queue', 'charts'])
  expect(orderCards(['charts', 'totals', 'no such card', 'today', 'charts'], false)).toEqual([
    'charts',
    'today',
    'figures',
    'orders',
    'queue',
  ])
  expect(orderCards(['charts'], true)).toEqual(['charts', 'today', 'figures', 'queue', 'orders', 'totals'])
})

test('moveCard moves a card by one place, but not beyond the ends of the list', () => {
  const cards = orderCards([], false)
  expect(moveCard(cards, 'charts', -1)).toEqual(['today', 'figures', 'orders', 'charts', 'queue'])
  expect(moveCard(cards, 'charts', 1)).toEqual(cards)
  expect(moveCard(cards, 'today', -1)).toEqual(cards)
})

test("the dashboard shows orders and queue side by side only if they are neighbors in the person's order", () => {
  expect(rowsOfCards(['today', 'orders', 'queue', 'charts'])).toEqual([
    ['today'],
    ['orders', 'queue'],
    ['charts'],
  ])
  expect(rowsOfCards(['orders', 'charts', 'queue'])).toEqual([['orders'], ['charts'], ['queue']])
})
