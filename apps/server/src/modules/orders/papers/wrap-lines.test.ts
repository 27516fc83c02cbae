import { expect, it } from 'vitest'
import { measureText } from '../../../platform/pdf/fonts.ts'
import { wrapLines } from './wrap-lines.ts'

const STYLE = { sizeMm: 3.6, isBold: false }

it('text is broken at blanks, after hyphens or within a word, and no letter is lost', () => {
  expect(wrapLines('', 20, STYLE)).toEqual([''])
  expect(wrapLines('Dragon', 20, STYLE)).toEqual(['Dragon'])
  expect(wrapLines('Dragon of the north', 20, STYLE)).toEqual(['Dragon of', 'the north'])
  expect(wrapLines('Drachen-Halterung', 20, STYLE)).toEqual(['Drachen-', 'Halterung'])
  const long = 'Donaudampfschifffahrtsgesellschaft'
  const lines = wrapLines(`Die ${long}`, 20, STYLE)
  expect(lines.join('').replaceAll(' ', '')).toBe(`Die${long}`)
  for (const line of lines) expect(measureText(line, STYLE)).toBeLessThanOrEqual(20.1)
})
