import { describe, expect, it } from 'vitest'
import {
  formatAgo,
  formatChange,
  formatCount,
  formatDateTime,
  formatDay,
  formatDue,
  formatGrams,
  formatPieceGrams,
  formatKb,
  formatMinutes,
  formatMoney,
  formatPercent,
  formatSizeMm,
  formatTotal,
  formatShortMoney,
  formatWholeMoney,
  setFormats,
} from './format.ts'

describe('formatting numbers', () => {
  it.each([
    [0, '0.0 KB'],
    [684, '0.7 KB'],
    [478_003, '466.8 KB'],
    [1024 * 1024 * 1024, '1,048,576.0 KB'],
  ])('formatKb writes %d bytes in KB with one decimal', (bytes, text) => {
    expect(formatKb(bytes)).toBe(text)
  })

  it('sizes and counts are formatted with units and separators', () => {
    expect(formatSizeMm([127, 63.49, 34.949])).toBe('127.0 × 63.5 × 34.9 mm')
    expect(formatCount(12_480)).toBe('12,480')
  })

  it('a total is shown with a plus sign if the server stopped counting at a limit', () => {
    expect(formatTotal({ total: 1000, isTotalCapped: true })).toBe('1,000+')
    expect(formatTotal({ total: 999, isTotalCapped: false })).toBe('999')
  })
})

describe('formatting money', () => {
  it('revenue is formatted in whole units, and a price with its decimals', () => {
    expect(formatWholeMoney(48_290.6)).toContain('48')
    expect(formatWholeMoney(48_290.6)).not.toMatch(/[.,]\d$|[.,]\d\d$/)
    expect(formatMoney(1284.5)).toMatch(/50/)
  })

  it('money and dates follow the locale and the currency of the server, even if they were formatted before', () => {
    const written = () =>
      [formatMoney(1284.5), formatWholeMoney(1284.5), formatShortMoney(2000), formatDay('2026-10-23')].map(
        (text) => text.replaceAll(/\s/g, ' '),
      )
    setFormats({ locale: 'en-US', currency: 'USD' })
    expect(written()).toEqual(['$1,284.50', '$1,285', '$2K', 'Oct 23'])
    setFormats({ locale: 'en-GB', currency: 'EUR' })
    expect(written()).toEqual(['€1,284.50', '€1,285', '€2k', '23 Oct'])
    setFormats({ locale: null, currency: 'USD' })
  })

  it('an invalid time is shown as such, and does not break the page', () => {
    expect(formatDateTime('never')).toBe('Invalid Date')
  })
})

describe('formatAgo', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  it.each([
    ['2026-11-21T09:59:40Z', 'just now'],
    ['2026-11-21T09:48:00Z', '12 min. ago'],
    ['2026-11-21T07:00:00Z', '3 hr. ago'],
    ['2026-11-20T09:00:00Z', 'yesterday'],
    ['2026-11-17T09:00:00Z', '4 days ago'],
  ])('formatAgo writes %s as %s', (moment, text) => {
    expect(formatAgo(moment, now)).toBe(text)
  })

  it('formatAgo returns the date after more than a week', () => {
    expect(formatAgo('2025-01-02T09:00:00Z', now)).toContain('2025')
  })
})

describe('formatting print measures', () => {
  it.each([
    [0, '0 min'],
    [59.4, '59 min'],
    [74, '1 h 14 min'],
    [2765, '46 h 05 min'],
    [66_720, '1,112 h'],
    [-5, '0 min'],
  ])('formatMinutes writes %d minutes as %s', (minutes, text) => {
    expect(formatMinutes(minutes)).toBe(text)
  })

  it.each([
    [8.4, '8.4 g'],
    [54.7, '55 g'],
    [3456, '3,456 g'],
    [18_600, '18.6 kg'],
    [0, '0 g'],
    [0.0018, '< 0.1 g'],
  ])('formatGrams writes %d grams as %s', (grams, text) => {
    expect(formatGrams(grams).replaceAll('\u00A0', ' ')).toBe(text)
  })

  it('formatPieceGrams keeps a decimal, as the cost of a piece does', () => {
    const weights = [12.5, 12, 8.4, 0.0018, 18_600].map((grams) => formatPieceGrams(grams))
    expect(weights.map((text) => text.replaceAll('\u00A0', ' '))).toEqual([
      '12.5 g',
      '12 g',
      '8.4 g',
      '< 0.1 g',
      '18.6 kg',
    ])
  })

  it.each([
    [0, '0 %'],
    [0.001, '1 %'],
    [0.62, '62 %'],
    [0.999, '99 %'],
    [1, '100 %'],
  ])('formatPercent writes the share %d as %s', (share, text) => {
    expect(formatPercent(share).replace('\u00A0', ' ')).toBe(text)
  })
})

describe('formatting a change in percent', () => {
  it.each([
    [108.4, 100, '+8.4 %'],
    [97, 100, '−3.0 %'],
    [5, 0, undefined],
  ])(
    'formatChange to %d from %d returns a percentage with a sign, or null if the earlier value is 0',
    (now, before, text) => {
      expect(formatChange(now, before)?.replace('\u00A0', ' ')).toBe(text)
    },
  )
})

it('a calendar day is formatted the same in every time zone', () => {
  expect(formatDay('2026-10-23')).toMatch(/23/)
  expect(formatDay('2026-11-01')).toMatch(/Nov/)
})

it('a due date in another year is formatted with the year', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(formatDue('2027-01-18T12:00:00Z', now)).toContain('2027')
  expect(formatDue('2026-11-24T12:00:00Z', now)).not.toContain('2026')
})
