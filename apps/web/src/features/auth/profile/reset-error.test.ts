import { describe, expect, it } from 'vitest'
import { ApiError } from '@/lib/http/api-error.ts'
import { describeResetError } from './reset-error.ts'

const messageOf = (status: number, detail: string, code?: string) =>
  describeResetError(new ApiError({ status, detail, code, otherwise: 'The server answered.' }))

describe('messages for a failed password reset', () => {
  it.each([
    [400, 'Passwords do not match', 'Passwords do not match'],
    [400, '', 'Invalid password data'],
    [403, 'Access denied. Admin privileges required.', 'Access denied. Admin privileges required.'],
    [403, '', 'Access denied. Admin privileges required.'],
    [404, 'x', 'User not found'],
    [500, 'x', 'Server error. Please try again later.'],
    [503, 'x', 'Server error. Please try again later.'],
    [429, 'x', 'Failed to reset password'],
    [0, '', 'Failed to reset password'],
  ])(
    'a failed password reset with the status %d and the detail %j shows the specified message',
    (status, detail, sentence) => {
      expect(messageOf(status, detail)).toBe(`Reset Error: ${sentence}`)
    },
  )

  it('a failed password reset has one message for a cancelled confirmation and another for missing privileges', () => {
    expect(messageOf(403, 'Confirm your password to continue.', 'reauthentication_required')).toBe(
      'Reset Error: Confirm your password to continue.',
    )
  })

  it('there is a message for a failed password reset even if the response is invalid', () => {
    expect(describeResetError(new TypeError('x'))).toBe('Reset Error: Failed to reset password')
  })
})
