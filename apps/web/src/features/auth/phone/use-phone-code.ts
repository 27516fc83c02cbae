import { phoneDigits } from '@pegasus/contracts/auth/phone-number'
import { useCode } from '../second-factor/use-code.ts'
import { describePhoneError } from './phone-message.ts'
import { errorText } from '../error-text.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * The state of a field for a code that was sent to a phone. The number of digits varies, so the last digit
 * does not submit it.
 */
export function usePhoneCode(onCheck: (code: string) => Promise<void>) {
  const { field, ...state } = useCode({
    onCheck,
    describeError: describePhoneError,
    incomplete: t('Enter all digits of the code.'),
    minLength: 6,
  })
  const { onComplete: _, ...rest } = field
  return { ...state, field: rest }
}

/** The state of a field for a phone number. `onNumber` gets the digits of a number with a country code. */
export function usePhoneNumber(onNumber: (digits: string) => Promise<void>) {
  const { field, ...state } = useCode({
    onCheck: async (text) => {
      const digits = phoneDigits(text)
      if (digits === null) throw new Error(errorText('PHONE_INVALID'))
      await onNumber(digits)
    },
    describeError: describePhoneError,
    incomplete: t('Enter your phone number.'),
    minLength: 1,
  })
  const { onComplete: _, ...rest } = field
  return { ...state, field: rest }
}
