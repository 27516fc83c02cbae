import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { RootSecret } from '../../platform/secrets/root-secret.ts'
import { type FactorCodes, createFactorCodes } from './factor-codes.service.ts'
import { addFactorResetRoutes } from './factor-reset.routes.ts'
import { createFactorReset } from './factor-reset.service.ts'
import { createFactorSecrets } from './factor-secrets.ts'
import { createFactors } from './factors.service.ts'
import { addHostedFactorRoutes } from './hosted-factors.routes.ts'
import { createRecoveryCodes } from './recovery-codes.service.ts'
import type { Refusals } from './refusals.service.ts'
import type { Sessions } from './sessions.service.ts'
import type { AttemptKind, SignInLimits } from './sign-in-limits.ts'
import type { SignedInPerson } from './signed-in-person.service.ts'
import type { TokenMails } from './token-mails.ts'

/** Everything about the second step of a sign-in. */
export interface SecondFactor {
  /** Whether this is a code of the person's second factor now; counts wrong ones and uses right ones up. */
  verifyCode: FactorCodes['isCodeOf']
  addRoutes(endpoints: Endpoints, person: SignedInPerson): void
}

export function createSecondFactor(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  sessions: Sessions
  mails: TokenMails
  refusals: Refusals
  publicUrl: string
  /** Wrong codes are limited as wrong passwords are. */
  limitsOf(kind: AttemptKind): SignInLimits
}): SecondFactor {
  const { database, clock, secret, sessions, mails, refusals, publicUrl, limitsOf } = deps
  const secrets = createFactorSecrets(secret)
  // Two counts: whoever has used up one, with a clock that is wrong perhaps, can still use the other.
  const codeLimits = limitsOf({ name: 'factor-code', refusal: 'TOO_MANY_CODES' })
  const recoveryLimits = limitsOf({ name: 'recovery-code', refusal: 'RECOVERY_CODES_LOCKED' })
  const factors = createFactors({ database, clock, secrets, mails, publicUrl })
  const factorCodes = createFactorCodes({ database, clock, secrets, limits: codeLimits, sessions, mails })
  const recoveryCodes = createRecoveryCodes({
    database,
    clock,
    key: secret.deriveKey('recovery-codes'),
    limits: recoveryLimits,
    sessions,
    mails,
  })
  const factorReset = createFactorReset({ database, clock, mails })

  return {
    verifyCode: factorCodes.isCodeOf,
    addRoutes(endpoints, person) {
      addHostedFactorRoutes(endpoints, { factors, factorCodes, recoveryCodes, person })
      addFactorResetRoutes(endpoints, { factorReset, refusals })
    },
  }
}
