import { expect, it } from 'vitest'
import { formatMonth, monthsOf } from './sales-labels.ts'

it('the months of a period include months without sales, also across a turn of the year', () => {
  expect(monthsOf({ from: '2025-11-20', to: '2026-02-01' }, '2026-11-24')).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
})

it('without days, the last twelve months are returned', () => {
  const months = monthsOf({ from: '', to: '' }, '2026-03-31')
  expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-04', '2026-03'])
})

it('a month on an axis is shown with its year where the year begins', () => {
  expect([formatMonth('2026-12', false), formatMonth('2027-01', false)]).toEqual(['Dec', 'Jan 27'])
  expect(formatMonth('2026-11', true)).toBe('November 2026')
})
