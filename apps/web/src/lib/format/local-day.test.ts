import { afterEach, expect, test, vi } from 'vitest'
import { dayOf, endOf, localNoonOf, noonOf } from './local-day.ts'

test('the time that is sent to the server for a day is read back as the same day', () => {
  for (const day of ['2026-11-21', '2024-02-29', '2026-01-01', '2026-12-31'])
    expect([dayOf(noonOf(day)), dayOf(endOf(day))]).toEqual([day, day])
})

test('an empty day is sent as null, and an invalid day unchanged, so that the server refuses it', () => {
  expect([noonOf(''), dayOf(null), endOf('2026-99-99')]).toEqual([null, '', '2026-99-99'])
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['Pacific/Auckland', '2026-11-27T12:00:00+13:00'],
  ['Pacific/Kiritimati', '2026-11-27T12:00:00+14:00'],
  ['Etc/GMT+12', '2026-11-27T12:00:00-12:00'],
  ['America/St_Johns', '2026-11-27T12:00:00-03:30'],
  ['UTC', '2026-11-27T12:00:00+00:00'],
])('noon of a day is sent with that day as its date in %s', (zone, noon) => {
  vi.stubEnv('TZ', zone)
  expect(localNoonOf('2026-11-27')).toBe(noon)
  expect(dayOf(noon)).toBe('2026-11-27')
})

test('an empty or invalid day has no local noon', () => {
  expect([localNoonOf(''), localNoonOf('2026-99-99')]).toEqual([null, '2026-99-99'])
})
