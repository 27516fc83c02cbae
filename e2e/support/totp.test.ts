import { afterEach, expect, it, vi } from 'vitest'
import { Authenticator } from './totp.ts'

// The key of the examples in RFC 6238, which is "12345678901234567890", in Base32.
const SECRET = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
])('the test authenticator gives the codes of RFC 6238: second %i, %s', (second, code) => {
  vi.useFakeTimers({ now: second * 1000 })
  expect(new Authenticator(SECRET).next()).toBe(code)
})

it('the test authenticator never returns a code twice, and never returns a code that is not valid yet', () => {
  vi.useFakeTimers({ now: 1_000_000_000 })
  const phone = new Authenticator(SECRET)
  expect(new Set([phone.next(), phone.next(), phone.wrong()]).size).toBe(3)
  expect(() => phone.next()).toThrow('no further code')
  vi.advanceTimersByTime(30_000)
  expect(phone.next()).toMatch(/^\d{6}$/)
})
