import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { ComposedMail } from '../mail-links/link-mails.ts'
import type { FactorRow } from './factors.queries.ts'

/**
 * The emails about changes of a second factor. They tell people about each factor that is added to or removed
 * from their account.
 */

const NOT_YOU = 'If this was not you, change your password and tell an administrator.'

type FactorType = FactorRow['factor_type']

const NAMES: Readonly<Record<FactorType, string>> = {
  totp: 'An authenticator app',
  webauthn: 'A passkey or security key',
  phone: 'A phone number',
  recovery_code: 'A set of recovery codes',
}

/** The second proof that a person needs besides the password, for each kind of factor. */
const BESIDES: Readonly<Record<FactorType, string>> = {
  totp: 'a code from the app',
  webauthn: 'this key',
  phone: 'a code that is sent to this number',
  recovery_code: 'one of these codes',
}

export const composeFactorAdded = (type: FactorType): ComposedMail => ({
  subject: `Two-factor sign-in has been set up for your ${PRODUCT_NAME} account`,
  content: {
    title: `${NAMES[type]} has been added`,
    paragraphs: [
      `From now on, signing in to your account requires ${BESIDES[type]} in addition to your password.`,
      NOT_YOU,
    ],
  },
})

export const composeFactorRemoved = (type: FactorType, isLast: boolean): ComposedMail => ({
  subject: `${NAMES[type]} has been removed from your ${PRODUCT_NAME} account`,
  content: {
    title: `${NAMES[type]} has been removed`,
    paragraphs: [
      isLast
        ? 'It was the last one, so signing in now requires only your password.'
        : 'It no longer signs you in. Your other second factors still work.',
      NOT_YOU,
    ],
  },
})

export const composeFactorsReset = (): ComposedMail => ({
  subject: `Two-factor sign-in has been switched off for your ${PRODUCT_NAME} account`,
  content: {
    title: 'Two-factor sign-in has been switched off',
    paragraphs: [
      'An administrator has removed your second factors, recovery codes and passkeys and signed you out everywhere. You can sign in with your password, and set up two-factor sign-in again in your profile.',
      'If you did not ask for this, tell an administrator.',
    ],
  },
})

export const composeRecoveryCodeUsed = (remaining: number): ComposedMail => ({
  subject: `A recovery code of your ${PRODUCT_NAME} account has been used`,
  content: {
    title: 'A recovery code has been used',
    paragraphs: [
      `Somebody signed in to your account with one of its recovery codes. ${remaining === 1 ? 'One code is' : `${remaining} codes are`} left. You can create new ones in your profile.`,
      NOT_YOU,
    ],
  },
})
