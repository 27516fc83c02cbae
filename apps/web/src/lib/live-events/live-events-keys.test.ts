import { EVENT_ENTITIES } from '@pegasus/contracts/events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRefetcher, queryKeysOf } from './live-events-keys.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

describe('queries that an event makes stale', () => {
  test.each(EVENT_ENTITIES)(
    'an event of %s makes at least one query stale, and lists each query once',
    (entity) => {
      const keys = queryKeysOf({ entity, id: ID }).map((key) => key.join(' '))
      expect(keys.length).toBeGreaterThan(0)
      expect(new Set(keys).size).toBe(keys.length)
    },
  )

  test.each(['stl_file', 'inventory_item', 'filament', 'print_job', 'order', 'product'] as const)(
    "an event of %s makes the dashboard's statistics stale",
    (entity) => expect(queryKeysOf({ entity, id: ID })).toContainEqual(['stats']),
  )

  test.each(['inventory_item', 'print_job', 'order'] as const)(
    'an event of %s makes orders stale, because it changes how they can be fulfilled',
    (entity) => expect(queryKeysOf({ entity, id: ID })).toContainEqual(['orders']),
  )

  test('an event of location makes orders stale, because people pick pieces at their locations', () =>
    expect(queryKeysOf({ entity: 'location', id: ID })).toContainEqual(['orders']))

  test.each(['inventory_item', 'order'] as const)(
    'an event of %s makes products stale, because it changes the stock that the shop is offered',
    (entity) => expect(queryKeysOf({ entity, id: ID })).toContainEqual(['products']),
  )

  test('a model event makes the lists of models stale, and the details of only that model', () => {
    const ofModels = queryKeysOf({ entity: 'stl_file', id: ID }).filter(([name]) => name === 'stl-files')
    expect(ofModels).toContainEqual(['stl-files', 'list'])
    expect(ofModels).toContainEqual(['stl-files', 'one', ID])
    expect(ofModels).not.toContainEqual(['stl-files'])
    expect(ofModels).not.toContainEqual(['stl-files', 'one'])
  })
})

describe('refetching after events', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  type Asked = readonly (readonly [string, ...string[]])[] | 'everything'

  const aRefetcher = (answerMs: number, restMs = 0) => {
    const asked: Asked[] = []
    const refetch = (keys: Asked) => {
      asked.push(keys)
      return new Promise<void>((resolve) => setTimeout(resolve, answerMs))
    }
    return { asked, refetcher: createRefetcher({ refetch, gatherMs: 100, restMs, patienceMs: 5000 }) }
  }

  test('the refetcher makes few requests for a thousand events in ten seconds, and loads the change of the last event', async () => {
    const { asked, refetcher } = aRefetcher(900)
    for (let count = 0; count < 1000; count += 1) {
      refetcher.add(queryKeysOf({ entity: 'order', id: ID }))
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(3000)
    expect(asked.length).toBeGreaterThanOrEqual(10)
    expect(asked.length).toBeLessThanOrEqual(12)
    expect(asked.every((keys) => keys.length === 4)).toBe(true)
  })

  test('the refetcher pauses between refetches even after fast responses, and loads the change of the last event', async () => {
    const { asked, refetcher } = aRefetcher(5, 1000)
    for (let count = 0; count < 100; count += 1) {
      refetcher.add([['orders']])
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(asked).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toHaveLength(4)
    refetcher.add([['orders']])
    await vi.advanceTimersByTimeAsync(101)
    expect(asked).toHaveLength(5)
  })

  test('the refetcher refetches different stale query keys together, and each only once', async () => {
    const { asked, refetcher } = aRefetcher(1)
    refetcher.add([['orders'], ['stats']])
    refetcher.add([['filament'], ['stats']])
    await vi.advanceTimersByTimeAsync(500)
    expect(asked).toEqual([[['orders'], ['stats'], ['filament']]])
  })

  test('the refetcher replaces refetches of single query keys with a refetch of everything', async () => {
    const { asked, refetcher } = aRefetcher(1)
    refetcher.add([['orders']])
    refetcher.addAll()
    await vi.advanceTimersByTimeAsync(500)
    expect(asked).toEqual(['everything'])
  })

  test('the refetcher stops waiting for a response that never arrives, and continues after a failure', async () => {
    const asked: Asked[] = []
    const refetch = (keys: Asked) => {
      asked.push(keys)
      return asked.length === 1 ? new Promise<void>(() => {}) : Promise.reject(new Error('no'))
    }
    const refetcher = createRefetcher({ refetch, gatherMs: 100, restMs: 0, patienceMs: 1000 })
    refetcher.add([['a']])
    await vi.advanceTimersByTimeAsync(150)
    refetcher.add([['b']])
    await vi.advanceTimersByTimeAsync(2000)
    refetcher.add([['c']])
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toEqual([[['a']], [['b']], [['c']]])
  })

  test('the refetcher loads nothing after it is stopped', async () => {
    const { asked, refetcher } = aRefetcher(1)
    refetcher.addAll()
    refetcher.stop()
    refetcher.add([['orders']])
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toEqual([])
  })
})
