import { AppError } from '../../../platform/errors/app-error.ts'
import type { PhoneSettings } from './phone-settings.ts'

/** Throws PHONE_DISABLED with the protocol's message for the call. */
export function assertPhonesEnabled({ isEnabled }: Pick<PhoneSettings, 'isEnabled'>, say: string): void {
  if (!isEnabled) throw new AppError('PHONE_DISABLED', { say })
}
