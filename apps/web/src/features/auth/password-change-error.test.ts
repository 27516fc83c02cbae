import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/http/api-error.ts'
import { describePasswordChangeError } from './password-change-error.ts'

const messageOf = (status: number, detail: string, code?: string) =>
  describePasswordChangeError(new ApiError({ status, detail, code, otherwise: 'The server answered.' }))

describe('messages for a failed password change', () => {
  it.each([
    [400, 'New password is required', 'New password is required'],
    [400, '', 'Invalid password data'],
    [401, '', 'Current password is incorrect. Please check your current password and try again.'],
    [404, 'x', 'User not found. Please logout and login again.'],
    [500, 'x', 'Server error. Please try again or contact support.'],
    [503, 'x', 'Server error. Please try again or contact support.'],
    [429, 'Too many.', 'Too many.'],
    [418, '', 'Failed to change password'],
  ])(
    'a failed password change with the status %d and the detail %j shows the specified message',
    (status, detail, sentence) => {
      expect(messageOf(status, detail)).toBe(`Password Change Error: ${sentence}`)
    },
  )

  it('the message for a failed password change says if the current password was wrong', () => {
    expect(messageOf(401, 'x', 'current_password_wrong')).toBe(
      'Password Change Error: Current password is incorrect. Please check your current password and try again.',
    )
  })

  it('there is a message for a failed password change even if the response is invalid', () => {
    expect(describePasswordChangeError(new TypeError('x'))).toBe(
      'Password Change Error: Failed to change password',
    )
  })
})
