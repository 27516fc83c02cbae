import { expect, test } from 'vitest'
import { daysLeft, removalOf } from './trash-days.ts'

const DELETED = '2026-11-01T12:00:00.000Z'
const at = (moment: string) => daysLeft(removalOf(DELETED), Date.parse(moment))

test('deleted objects are purged from the trash after 30 days', () => {
  expect(removalOf(DELETED)).toBe('2026-12-01T12:00:00.000Z')
  expect(at('2026-11-01T12:00:00Z')).toBe('in 30 days')
  expect(at('2026-11-30T11:00:00Z')).toBe('in 1 day')
  expect(at('2026-12-01T11:00:00Z')).toBe('within a day')
  expect(at('2026-12-02T11:00:00Z')).toBe('due')
})
