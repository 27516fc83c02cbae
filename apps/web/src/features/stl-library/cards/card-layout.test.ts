import { expect, test } from 'vitest'
import { cardLayout } from './card-layout.ts'

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
