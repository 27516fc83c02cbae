import { describe, expect, it } from 'vitest'
import {
  formatAgo,
  formatCount,
  formatKb,
  formatMoney,
  formatNumberOf,
  formatSizeMm,
  formatTotal,
  formatVolume,
  formatWholeMoney,
} from './format.ts'

describe('numbers', () => {
  it.each([
    [0, '0.0 KB'],
    [684, '0.7 KB'],
    [478_003, '466.8 KB'],
    [1024 * 1024 * 1024, '1,048,576.0 KB'],
  ])('writes %d bytes with one decimal', (bytes, text) => {
    expect(formatKb(bytes)).toBe(text)
  })

  it('writes sizes, volumes and counts with their units and separators', () => {
    expect(formatSizeMm([127, 63.49, 34.949])).toBe('127.0 × 63.5 × 34.9 mm')
    expect(formatVolume(60_500)).toBe('60.5 cm³')
    expect(formatCount(12_480)).toBe('12,480')
    expect(formatNumberOf(1, 'file')).toBe('1 file')
    expect(formatNumberOf(1284, 'file')).toBe('1,284 files')
  })

  it('says when a total stopped counting', () => {
    expect(formatTotal({ total: 1000, isTotalCapped: true })).toBe('1,000+')
    expect(formatTotal({ total: 999, isTotalCapped: false })).toBe('999')
  })
})

describe('money', () => {
  it('shows revenue in whole units and prices in full', () => {
    expect(formatWholeMoney(48_290.6)).toContain('48')
    expect(formatWholeMoney(48_290.6)).not.toMatch(/[.,]\d$|[.,]\d\d$/)
    expect(formatMoney(1284.5)).toMatch(/50/)
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
  ])('writes %s as %s', (moment, text) => {
    expect(formatAgo(moment, now)).toBe(text)
  })

  it('gives the date beyond a week', () => {
    expect(formatAgo('2025-01-02T09:00:00Z', now)).toContain('2025')
  })
})
