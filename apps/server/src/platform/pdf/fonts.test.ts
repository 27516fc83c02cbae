import { expect, test } from 'vitest'
import { measureText, textRuns } from './fonts.ts'

const PLAIN = { isBold: false }
const drawn = (text: string) => textRuns(text, PLAIN).map((run) => run.text)

test.each([
  ['Ada 🎉', ['Ada ']],
  ['🎉🎉 Ada 👩‍👩‍👧', [' Ada ']],
  ['🇩🇪', []],
  ['Grün ☺', ['Grün ☺']],
])('drawing %j leaves out the emoji that no font has, so that %j is left', (text, parts) =>
  expect(drawn(text)).toEqual(parts),
)

test('an emoji that is left out has no width', () => {
  const style = { isBold: false, sizeMm: 4 }
  expect(measureText('Ada🎉', style)).toBe(measureText('Ada', style))
})
