import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { AttemptKind, AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { Sessions } from '../sessions/sessions.service.ts'
import { type FactorKeys, type KeySite, createFactorKeys } from './keys/factor-keys.service.ts'
import { type FactorCodes, createFactorCodes } from './factor-codes.service.ts'
import { createFactorSecrets } from './factor-secrets.ts'
import { type FactorChallenges, createFactorChallenges } from './factor-challenges.service.ts'
import { createFactorProofs } from './factor-proof.ts'
import type { PhoneMessages } from '../phone/phone-messages.ts'
import type { PhoneSettings } from '../phone/phone-settings.ts'
import { createPhoneFactors } from './phones/phone-factors.ts'
import { type Factors, createFactors } from './factors.service.ts'
import { type RecoveryCodes, createRecoveryCodes } from './recovery-codes.service.ts'

/** The services for the second step of a sign-in. */
export interface SecondFactor {
  factors: Factors
  factorChallenges: FactorChallenges
  factorCodes: FactorCodes
  factorKeys: FactorKeys
  recoveryCodes: RecoveryCodes
}

export function createSecondFactor(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  sessions: Sessions
  mails: AccountMails
  publicUrl: string
  /** Null if security keys cannot work at our address. */
  keySite: KeySite | null
  /** Creates the limits for wrong codes, which are the same as those for wrong passwords. */
  limitsOf(kind: AttemptKind): AttemptLimits
  /** Creates the daily limit for the wrong codes of an account from all unknown IP addresses together. */
  anywhereLimitsOf(kind: AttemptKind): AttemptLimits
  phoneSettings: PhoneSettings['factor']
  messages: PhoneMessages
}): SecondFactor {
  const { database, clock, secret, sessions, mails, publicUrl, keySite, limitsOf, anywhereLimitsOf } = deps
  const secrets = createFactorSecrets(secret)
  // App codes and recovery codes have separate limits. If a person's clock is wrong and all app codes fail, recovery
  // codes still work.
  const codeLimits = limitsOf({ name: 'factor-code', refusal: 'TOO_MANY_CODES' })
  const anywhereLimits = anywhereLimitsOf({
    name: 'factor-code-anywhere',
    refusal: 'TOO_MANY_CODES',
    isAnywhere: true,
  })
  const recoveryLimits = limitsOf({ name: 'recovery-code', refusal: 'RECOVERY_CODES_LOCKED' })
  const proofs = createFactorProofs({ clock, mails })
  const shared = { database, clock, limits: codeLimits, sessions, proofs }
  const factorKeys = createFactorKeys({ ...shared, site: keySite })
  const phones = createPhoneFactors({
    settings: deps.phoneSettings,
    messages: deps.messages,
    key: secret.deriveKey('phone-factor-codes'),
  })
  const allowsKeys = keySite !== null
  return {
    factors: createFactors({ database, clock, secrets, mails, publicUrl, allowsKeys, phones }),
    factorChallenges: createFactorChallenges({ database, clock, proofs, keys: factorKeys, phones }),
    factorKeys,
    factorCodes: createFactorCodes({ ...shared, secrets, anywhereLimits, phones }),
    recoveryCodes: createRecoveryCodes({
      database,
      clock,
      key: secret.deriveKey('recovery-codes'),
      limits: recoveryLimits,
      sessions,
      mails,
    }),
  }
}
