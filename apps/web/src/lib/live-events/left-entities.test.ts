import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mayRefetch, noteLeft } from './left-entities.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Shows the entity with the id. Returns how often it was loaded, and a function that reports a change of it. */
async function showEntity(id: string) {
  const client = new QueryClient()
  let loads = 0
  const observer = new QueryObserver(client, {
    queryKey: ['models', 'one', id],
    queryFn: async () => (loads += 1),
  })
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(1)
  const change = () => client.invalidateQueries({ queryKey: ['models'], predicate: mayRefetch })
  return { observer, loads: () => loads, change }
}

test('a page that is left because its entity is deleted does not load the entity again, but other pages do', async () => {
  const left = await showEntity('left')
  const other = await showEntity('other')
  noteLeft('left')
  await left.change()
  await other.change()
  expect([left.loads(), other.loads()]).toEqual([1, 2])
})

test('an entity that is opened again after its deletion is refreshed as usual', async () => {
  const restored = await showEntity('restored')
  noteLeft('restored')
  await vi.advanceTimersByTimeAsync(1)
  await restored.observer.refetch()
  await restored.change()
  expect(restored.loads()).toBe(3)
})

test('an entity whose deletion failed is refreshed as usual after a minute', async () => {
  const kept = await showEntity('kept')
  noteLeft('kept')
  await vi.advanceTimersByTimeAsync(61_000)
  await kept.change()
  expect(kept.loads()).toBe(2)
})
