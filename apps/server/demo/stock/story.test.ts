import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/platform/clock.ts'
import { DEMO_ITEMS } from './items.ts'
import { planStory } from './story.ts'

const NOW = new Date('2026-11-21T11:20:00Z')
const ITEMS = DEMO_ITEMS.map((item, i) => ({
  ...item,
  weightGrams: 8 + (i % 7) * 9,
  printMinutes: 30 + (i % 7) * 20,
  modelAt: new Date(NOW.getTime() - (20 + i * 5) * DAY_MS),
}))

describe('the simulated history of the demo shop', () => {
  it("generating the demo shop's history twice for the same time gives the same history", () => {
    expect(planStory(ITEMS, NOW)).toEqual(planStory(ITEMS, NOW))
  })

  it("the demo shop's simulated history always ends with running and waiting prints, low items and orders in every state", () => {
    for (let day = 0; day < 7; day += 1) {
      // Each run begins at another hour of another weekday.
      const now = new Date(NOW.getTime() + day * (DAY_MS + DAY_MS / 7))
      const { steps, stock } = planStory(ITEMS, now)
      const last = new Map<string, string>()
      for (const step of steps) if ('job' in step) last.set(step.job.key, step.do)
      const count = (state: string) => [...last.values()].filter((each) => each === state).length
      expect(count('start print')).toBeGreaterThan(1)
      expect(count('queue print')).toBeGreaterThan(3)
      expect(count('fail print')).toBeGreaterThan(5)
      const printed = steps.flatMap((s) => (s.do === 'finish print' || s.do === 'fail print' ? [s] : []))
      expect(printed.filter(({ grams }) => grams === 0)).toEqual([])
      const finished = printed.flatMap((s) => (s.do === 'finish print' ? [s.isWeighed] : []))
      expect(finished.filter((isWeighed) => !isWeighed)).toHaveLength(Math.floor(finished.length / 14))
      const low = ITEMS.filter((item) => stock.get(item.sku)!.quantity <= item.reorderPoint)
      expect(low.length).toBeGreaterThan(2)
      const statuses = steps.flatMap((step) => (step.do === 'take order' ? [step.order.status] : []))
      expect(new Set(statuses)).toEqual(new Set(['completed', 'cancelled', 'pending', 'in_progress']))
      expect(statuses.filter((status) => status === 'pending').length).toBeLessThan(90)
      expect(steps.every(({ at }) => at <= now)).toBe(true)
      const added = new Map(steps.flatMap((s) => (s.do === 'keep item' ? [[s.item.sku, s.at] as const] : [])))
      expect(ITEMS.filter(({ sku, modelAt }) => !(added.get(sku)! > modelAt))).toEqual([])
      const early = steps.flatMap((s) =>
        s.do === 'take order' ? s.order.lines.map((l) => [s.at, l] as const) : [],
      )
      expect(early.filter(([at, { item }]) => at < added.get(item.sku)!)).toEqual([])
    }
  })
})
