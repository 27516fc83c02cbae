import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { TakeOver } from '../take-over/take-over.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { AttemptKind, AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { Sessions } from '../sessions/sessions.service.ts'
import type { SignUpMode } from '../sign-in/sign-up.service.ts'
import { type PhoneChanges, createPhoneChangeCompletion, createPhoneChanges } from '../phone/phone-change.ts'
import type { PhoneMessages } from '../phone/phone-messages.ts'
import { type PhoneRequests, createPhoneRequests } from './phone-requests.service.ts'
import type { PhoneSettings } from '../phone/phone-settings.ts'
import { type PhoneVerification, createPhoneVerification } from './phone-verification.service.ts'

/** Sign-up and sign-in with a phone number, and changing the number. */
export interface PhoneSignIn {
  phoneRequests: PhoneRequests
  phoneVerification: PhoneVerification
  phoneChanges: PhoneChanges
}

export function createPhoneSignIn(deps: {
  settings: PhoneSettings
  mode: SignUpMode
  database: Database
  clock: Clock
  hashing: PasswordHashing
  messages: PhoneMessages
  sessions: Sessions
  tokens: OneTimeTokens
  mails: AccountMails
  takeOver: TakeOver
  limitsOf(kind: AttemptKind): AttemptLimits
}): PhoneSignIn {
  const { limitsOf } = deps
  return {
    phoneRequests: createPhoneRequests({
      ...deps,
      signUpLimits: limitsOf({ name: 'sign-up', refusal: 'TOO_MANY_REQUESTS' }),
    }),
    phoneVerification: createPhoneVerification({
      ...deps,
      limits: limitsOf({ name: 'phone-code', refusal: 'TOO_MANY_SIGN_INS' }),
      completeChange: createPhoneChangeCompletion({ ...deps, approvesSignUps: deps.mode === 'open' }),
    }),
    phoneChanges: createPhoneChanges(deps),
  }
}
