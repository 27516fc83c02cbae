import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { AttemptKind, AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { KeySite } from '../second-factor/keys/factor-keys.service.ts'
import type { Sessions } from '../sessions/sessions.service.ts'
import { createPasskeyChallenges } from './passkey-challenges.ts'
import { type PasskeySignIn, createPasskeySignIn } from './passkey-sign-in.service.ts'
import { type Passkeys, createPasskeys } from './passkeys.service.ts'

export interface PasskeyParts {
  passkeys: Passkeys
  passkeySignIn: PasskeySignIn
}

/** Creates the service that manages passkeys and the one that signs people in with them. */
export function createPasskeyParts(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  site: KeySite | null
  sessions: Sessions
  mails: AccountMails
  limitsOf(kind: AttemptKind): AttemptLimits
}): PasskeyParts {
  const challenges = createPasskeyChallenges({
    clock: deps.clock,
    key: deps.secret.deriveKey('passkey-challenges'),
  })
  const limits = deps.limitsOf({ name: 'passkey', refusal: 'TOO_MANY_SIGN_INS' })
  return {
    passkeys: createPasskeys({ ...deps, challenges }),
    passkeySignIn: createPasskeySignIn({ ...deps, challenges, limits }),
  }
}
