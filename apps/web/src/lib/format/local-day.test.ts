import { expect, test } from 'vitest'
import { dayOf, endOf, noonOf } from './local-day.ts'

test('the time that is sent to the server for a day is read back as the same day', () => {
  for (const day of ['2026-11-21', '2024-02-29', '2026-01-01', '2026-12-31'])
    expect([dayOf(noonOf(day)), dayOf(endOf(day))]).toEqual([day, day])
})

test('an empty day is sent as null, and an invalid day unchanged, so that the server refuses it', () => {
  expect([noonOf(''), dayOf(null), endOf('2026-99-99')]).toEqual([null, '', '2026-99-99'])
})
