import { expect, test } from 'vitest'
import { detailOf, formatSigned } from './ledger-text.ts'

const entry = { gross_grams: null, length_mm: null, reported_grams: null, delta_grams: -31.4 }

test('a ledger entry says if a print needed more filament than its spool had, but not that somebody reported the amount', () => {
  expect(detailOf(entry)).toBeNull()
  expect(detailOf({ ...entry, reported_grams: 144, delta_grams: -141 })).toBe(
    '144\u00A0g needed, but only 141\u00A0g were left',
  )
  expect(detailOf({ ...entry, length_mm: 2500, reported_grams: 125, delta_grams: 0 })).toBe(
    '2.5 m, 125\u00A0g needed, but the spool was empty',
  )
  expect(detailOf({ ...entry, gross_grams: 412 })).toBe('412\u00A0g on the scale')
})

test('a change of weight is shown with a sign unless it is zero', () => {
  expect([100, -31, 0].map(formatSigned)).toEqual(['+100\u00A0g', '−31\u00A0g', '0\u00A0g'])
})
