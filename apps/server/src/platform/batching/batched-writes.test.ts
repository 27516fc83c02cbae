import { describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createBatchedWrites } from './batched-writes.ts'

/** Creates batched writes that add up numbers by key in a store. The store can be made to fail. */
function aCounter(intervalMs: number) {
  const stored: Record<string, number> = {}
  const state = { failures: 0, writes: 0 }
  const batch = createBatchedWrites<number>({
    name: 'counts',
    intervalMs,
    merge: (earlier, later) => earlier + later,
    write: async (values) => {
      await Promise.resolve()
      if (state.failures > 0) {
        state.failures -= 1
        throw new Error('the store is away')
      }
      state.writes += 1
      for (const [key, value] of values) stored[key] = (stored[key] ?? 0) + value
    },
    log: silentLog,
  })
  return { batch, stored, state }
}

const NEVER_MS = 3_600_000

describe('batched writes', () => {
  it('batched writes add up the values of each key and store the sums once per interval', async () => {
    const { batch, stored, state } = aCounter(5)
    for (let i = 0; i < 100; i += 1) batch.add(i % 2 === 0 ? 'even' : 'odd', 1)
    expect(stored).toEqual({})
    await vi.waitFor(() => expect(stored).toEqual({ even: 50, odd: 50 }))
    expect(state.writes).toBe(1)
    batch.add('odd', 1)
    await vi.waitFor(() => expect(stored.odd).toBe(51))
  })

  it('batched writes keep the values of a failed write, and write them together with later values', async () => {
    const { batch, stored, state } = aCounter(5)
    state.failures = 3
    batch.add('a', 1)
    await vi.waitFor(() => expect(state.failures).toBeLessThan(3))
    batch.add('a', 1)
    batch.add('b', 1)
    await vi.waitFor(() => expect(stored).toEqual({ a: 2, b: 1 }))
  })

  it('if a batched write fails, flush rejects and no value is lost', async () => {
    const { batch, stored, state } = aCounter(NEVER_MS)
    state.failures = 1
    batch.add('a', 1)
    await expect(batch.flush()).rejects.toThrow('the store is away')
    batch.add('a', 1)
    await batch.flush()
    expect(stored).toEqual({ a: 2 })
  })

  it('batched writes count each value once, even if several callers flush at the same time', async () => {
    const { batch, stored, state } = aCounter(NEVER_MS)
    for (let round = 0; round < 50; round += 1) {
      if (round % 7 === 0) state.failures = 1
      batch.add('a', 1)
      await Promise.allSettled([batch.flush(), batch.flush(), batch.flush()])
    }
    await batch.flush()
    expect(stored).toEqual({ a: 50 })
  })

  it('batched writes store the remaining values on close, even if the first attempt fails', async () => {
    const { batch, stored, state } = aCounter(NEVER_MS)
    state.failures = 1
    batch.add('a', 1)
    await batch.close()
    expect(stored).toEqual({ a: 1 })
  })
})
