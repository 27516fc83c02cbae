import { expect, test } from 'vitest'
import { planText } from './plan-text.ts'

const NONE = {
  on_shelf: 0,
  queued: 0,
  missing: 0,
  pieces_per_plate: 4,
  plates: 0,
  expected_rejects: 0,
  surplus: 0,
}

test.each([
  [
    { on_shelf: 3, missing: 7, plates: 2, surplus: 1 },
    '10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock',
  ],
  [{ on_shelf: 3, queued: 7 }, '10 ordered − 3 on the shelf − 7 queued = 0'],
  [{ queued: 12, extra_queued: 2 }, '10 ordered − 12 queued = 0, and 2 more than needed are queued'],
  [{ shipped: 9, missing: 1, pieces_per_plate: null, plates: 1 }, '10 ordered − 9 shipped = 1 → 1 plate'],
  [{ missing: 10, plates: 3, expected_rejects: 2 }, '10 ordered = 10 + 2 expected rejects → 3 plates of 4'],
  [{ missing: 10, plates: 3, expected_rejects: 1 }, '10 ordered = 10 + 1 expected reject → 3 plates of 4'],
  [
    { missing: 1_000_006, now: 1_000_000, plates: 250_000 },
    '10 ordered = 1,000,006 → 1,000,000 now, the most that a print job can have → 250,000 plates of 4',
  ],
])('the plan %o is written as “%s”', (figures, expected) =>
  expect(planText('10 ordered', { ...NONE, ...figures })).toBe(expected),
)
