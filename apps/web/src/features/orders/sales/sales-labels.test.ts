import { expect, it } from 'vitest'
import { formatMarginShare, formatMonth, monthsOf } from './sales-labels.ts'

it('monthsOf includes months without sales, even if the period spans two years', () => {
  expect(monthsOf({ from: '2025-11-20', to: '2026-02-01' }, '2026-11-24')).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
})

it('if no period is given, monthsOf returns the last twelve months, from the first sale on, and at least four', () => {
  const months = monthsOf({ from: '', to: '' }, '2026-03-31')
  expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-04', '2026-03'])
  const since = (first: string) => monthsOf({ from: '', to: '' }, '2026-03-31', first)[0]
  expect(['2025-02', '2025-09', '2026-03'].map(since)).toEqual(['2025-04', '2025-09', '2025-12'])
  // A period that somebody has chosen is shown as a whole.
  expect(monthsOf({ from: '2025-04-01', to: '' }, '2026-03-31', '2025-09')[0]).toBe('2025-04')
})

it('on the axis of a chart, January is shown with its year', () => {
  expect([formatMonth('2026-12', false), formatMonth('2027-01', false)]).toEqual(['Dec', 'Jan 27'])
  expect(formatMonth('2026-11', true)).toBe('November 2026')
})

it('the share of a margin is at most 100 %, also if most of the income is shipping', () => {
  const share = (revenue: number, shipping: number, margin: number) =>
    formatMarginShare({ revenue, shipping_income: shipping, margin, pieces_without_cost: 0 })
  // 5.00 for a piece and 10.00 for its shipping, with a postage of 6.00 and a cost of 1.00
  expect(share(5, 10, 8)).toBe('53\u00a0%')
  expect([share(5, 0, 4), share(0, 10, 10), share(0, 0, -1)]).toEqual(['80\u00a0%', '100\u00a0%', null])
})
