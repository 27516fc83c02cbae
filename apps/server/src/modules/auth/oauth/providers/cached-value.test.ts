import { describe, expect, it } from 'vitest'
import { SECOND_MS } from '../../../../platform/clock.ts'
import { createCachedValue } from './cached-value.ts'

function aSource() {
  let now = new Date('2026-01-01T00:00:00Z')
  let reads = 0
  let fails = false
  const clock = { now: () => now }
  const ask = createCachedValue(
    async () => {
      reads += 1
      if (fails) throw new Error('down')
      return reads
    },
    { clock, keptMs: 60 * SECOND_MS, pauseMs: 5 * SECOND_MS },
  )
  return {
    ask,
    readsSoFar: () => reads,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    setFailing: (isFailing: boolean) => {
      fails = isFailing
    },
  }
}

describe('the cached response of a provider', () => {
  it("a hundred parallel requests read a provider's response once, and it is read again when it is outdated", async () => {
    const source = aSource()
    const values = await Promise.all(Array.from({ length: 100 }, () => source.ask()))
    expect([new Set(values), source.readsSoFar()]).toEqual([new Set([1]), 1])
    source.advance(59 * SECOND_MS)
    expect(await source.ask()).toBe(1)
    expect(await source.ask(30 * SECOND_MS)).toBe(2)
  })

  it('a failing provider is called only once in five seconds, even if many requests arrive', async () => {
    const source = aSource()
    source.setFailing(true)
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => source.ask()))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    await expect(source.ask()).rejects.toThrow('down')
    expect(source.readsSoFar()).toBe(1)
    source.setFailing(false)
    source.advance(5 * SECOND_MS)
    expect(await source.ask()).toBe(2)
  })
})
