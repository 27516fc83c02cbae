import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { getShownToast, toast } from './toast-store.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('a toast that must end on time ends on time, and never ends a later toast', () => {
  toast({ title: 'Shipped', endsOnTime: true, durationMs: 5000 })
  vi.advanceTimersByTime(4999)
  expect(getShownToast()?.title).toBe('Shipped')
  vi.advanceTimersByTime(1)
  expect(getShownToast()).toBeNull()

  toast({ title: 'Shipped', endsOnTime: true, durationMs: 5000 })
  toast({ title: 'Returned' })
  vi.advanceTimersByTime(60_000)
  expect(getShownToast()?.title).toBe('Returned')
})
