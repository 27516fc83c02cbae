import { AppError } from '../../../platform/errors/app-error.ts'
import type { PhoneSettings } from './phone-settings.ts'

/**
 * Throws PHONE_DISABLED if phone numbers are disabled. `message` is the text that the protocol gives for the refused
 * call.
 */
export function assertPhonesEnabled({ isEnabled }: Pick<PhoneSettings, 'isEnabled'>, message: string): void {
  if (!isEnabled) throw new AppError('PHONE_DISABLED', { text: message })
}
