import { expect, test } from 'vitest'
import { cardLayout, countShownTags } from './card-layout.ts'

test.each([
  [390, { isRow: true, columns: 1 }],
  [700, { isRow: false, columns: 2 }],
  [1392, { isRow: false, columns: 5 }],
  [1632, { isRow: false, columns: 6 }],
])('cardLayout chooses rows or a number of columns for a list that is %d px wide: %o', (width, expected) => {
  expect(cardLayout(width, width < 640)).toMatchObject(expected)
})

test('a model card is never narrower than 248 px', () => {
  for (let width = 592; width < 2560; width += 7) {
    const { columns } = cardLayout(width, false)
    expect((width - 16 * (columns - 1)) / columns).toBeGreaterThanOrEqual(248)
  }
})

test('countShownTags leaves out tags that do not fit on the card', () => {
  expect(countShownTags([], false)).toBe(0)
  expect(countShownTags(['gear', 'bracket', 'toy', 'robot'], false)).toBe(3)
  expect(countShownTags(['geometry test', 'calibration', 'benchmark', 'small'], false)).toBe(2)
  expect(countShownTags(['a tag that is far too long for every card of the library'], false)).toBe(1)
  expect(countShownTags(['geometry', 'calibration', 'benchmark'], true)).toBe(3)
})
