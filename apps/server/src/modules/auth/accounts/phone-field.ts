import { phoneDigits } from '@pegasus/contracts/auth/phone-number'
import { AppError } from '../../../platform/errors/app-error.ts'

/** Parses a phone number from a request and returns its digits. Throws PHONE_INVALID. */
export function readPhone(text: string): string {
  const phone = phoneDigits(text)
  if (phone === null) throw new AppError('PHONE_INVALID')
  return phone
}

/**
 * Returns the beginning of the username for an account that has only a phone number. It contains the last
 * four digits.
 */
export const usernameOfPhone = (phone: string): string => `phone-${phone.slice(-4)}`

/** Checks the requested way of sending a message. Throws REQUEST_INCOMPLETE for anything but `sms`. */
export function assertSms(channel: string | null | undefined): void {
  if (channel && channel !== 'sms')
    throw new AppError('REQUEST_INCOMPLETE', { text: "Invalid channel: the supported value is 'sms'" })
}
