import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { Device } from '../audit/device.ts'
import { addressKey } from '../rate-limit/attempt-limits.ts'
import type { ClaimedSite, FactorKeys, KeyQuestion } from './keys/factor-keys.service.ts'
import { insertChallenge } from './challenges.queries.ts'
import type { FactorProofs } from './factor-proof.ts'
import { type PhoneFactors, isPhoneFactor } from './phones/phone-factors.ts'
import { noteChallenged } from './factors.queries.ts'
import { isElsewhere } from '../accounts/known-addresses.queries.ts'
import { lockHolder } from './second-step.ts'

interface Challenge {
  id: string
  expiresAt: Date
}

export type FactorChallenge =
  | (Challenge & { type: 'totp' | 'phone' })
  | (Challenge & { type: 'webauthn'; question: KeyQuestion })

/** Creates challenges for all kinds of factors. */
export interface FactorChallenges {
  /**
   * Creates a challenge. For a phone, also sends a code. Throws FACTOR_NOT_FOUND. For a phone, also throws
   * PHONE_VERIFICATION_DISABLED or TOO_MANY_SMS. For a security key, also throws WEBAUTHN_FACTORS_DISABLED or
   * REQUEST_INCOMPLETE and, if the key is not verified yet, the errors of `FactorKeys.ask`.
   */
  start(
    principal: UserPrincipal,
    factorId: string,
    site: ClaimedSite,
    device: Device,
  ): Promise<FactorChallenge>
}

export function createFactorChallenges(deps: {
  database: Database
  clock: Clock
  proofs: FactorProofs
  keys: FactorKeys
  phones: PhoneFactors
}): FactorChallenges {
  const { database, clock, proofs, keys, phones } = deps
  return {
    async start(principal, factorId, site, { ip }) {
      const asked = await proofs.getFactor(database.sql, principal, factorId)
      const place = { address: addressKey(ip), now: clock.now() }
      if (isPhoneFactor(asked))
        await phones.claimSlot(principal, asked, {
          ip,
          isElsewhere: await isElsewhere(database.sql, principal, place),
        })
      return database.transaction(async (tx) => {
        const now = clock.now()
        const holder = await lockHolder(tx, principal)
        const factor = await proofs.getFactor(tx, principal, factorId)
        if (factor.factor_type === 'webauthn') keys.assertOurs(site)
        await noteChallenged(tx, factor.id, now)
        const { sessionId } = principal
        const challenge = await insertChallenge(tx, { factorId, sessionId, address: addressKey(ip), now })
        if (isPhoneFactor(factor)) {
          await phones.send(tx, factor, { ...challenge, account: holder.account })
          return { ...challenge, type: 'phone' }
        }
        if (factor.factor_type !== 'webauthn') return { ...challenge, type: 'totp' }
        const question = await keys.ask(tx, factor, { holder, principal, challengeId: challenge.id })
        return { ...challenge, type: 'webauthn', question }
      })
    },
  }
}
