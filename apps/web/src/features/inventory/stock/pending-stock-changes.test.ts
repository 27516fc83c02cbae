import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStockChanges, withChange } from './pending-stock-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

// The object has only the fields that the tested functions read.
const anItem = (part: Partial<InventoryItem> = {}) =>
  ({
    id: 'a',
    quantity: 6,
    available_quantity: 4,
    reorder_point: 5,
    status: 'In Stock',
    revision: 3,
    ...part,
  }) as InventoryItem

function aStock(answer: (delta: number) => Promise<InventoryItem>) {
  const sent: number[] = []
  const calls: string[] = []
  const changes = createStockChanges({
    debounceMs: 500,
    send: (_, delta) => {
      sent.push(delta)
      return answer(delta)
    },
    onSettled: ({ quantity }) => calls.push(`now ${quantity}`),
    onFailed: (error) => calls.push((error as Error).message),
  })
  return { changes, sent, calls }
}

test('stock changes in quick succession are shown immediately, and are sent as one movement', async () => {
  const item = anItem()
  const { changes, sent, calls } = aStock(async (delta) => anItem({ quantity: 6 + delta, revision: 4 }))
  changes.changeBy(item, -1)
  changes.changeBy(item, -1)
  expect(withChange(item, changes.find('a'))).toMatchObject({
    quantity: 4,
    available_quantity: 2,
    status: 'Low Stock',
  })
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect([sent, calls]).toEqual([[-2], ['now 4']])
  // At first the loaded list still has the old revision. A later load has a newer one.
  expect(withChange(item, changes.find('a')).quantity).toBe(4)
  expect(withChange(anItem({ quantity: 9, revision: 5 }), changes.find('a')).quantity).toBe(9)
})

test('a stock change is reverted on the screen if the server refuses it', async () => {
  const item = anItem({ status: 'On Hold' })
  const { changes, calls } = aStock(() => Promise.reject(new Error('Not enough pieces are free.')))
  changes.changeBy(item, -5)
  expect(withChange(item, changes.find('a'))).toMatchObject({ quantity: 1, status: 'On Hold' })
  await vi.advanceTimersByTimeAsync(500)
  expect(withChange(item, changes.find('a'))).toEqual(item)
  expect(calls).toEqual(['Not enough pieces are free.'])
})

test('a stock change that is made during a request is sent after the response', async () => {
  let quantity = 6
  const { changes, sent, calls } = aStock(async (delta) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    quantity += delta
    return anItem({ quantity, revision: quantity })
  })
  changes.changeBy(anItem(), 1)
  changes.flush()
  changes.changeBy(anItem(), 1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([1])
  expect(withChange(anItem(), changes.find('a')).quantity).toBe(8)
  await vi.advanceTimersByTimeAsync(6000)
  expect([sent, calls]).toEqual([
    [1, 1],
    ['now 7', 'now 8'],
  ])
})
