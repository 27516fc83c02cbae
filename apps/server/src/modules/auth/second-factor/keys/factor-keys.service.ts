import type { CreationOptions, CredentialAnswer, RequestOptions } from '@pegasus/contracts/auth/webauthn'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../../platform/database/database.ts'
import { AppError } from '../../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../../platform/http/principal.ts'
import type { Device } from '../../audit/device.ts'
import { type AttemptLimits, judged } from '../../rate-limit/attempt-limits.ts'
import { codeAttempt } from '../factor-audit.ts'
import type { FactorProofs } from '../factor-proof.ts'
import type { FactorRow } from '../factors.queries.ts'
import { type Holder, assertProven, lockHolder } from '../second-step.ts'
import { assertRecent } from '../../sessions/recent-sign-in.ts'
import type { IssuedSession, Sessions } from '../../sessions/sessions.service.ts'
import type { Ceremonies } from '../../webauthn/ceremonies.ts'
import {
  findCredentialOfFactor,
  insertCredential,
  listCredentials,
  noteCredentialUse,
} from '../../webauthn/credentials.queries.ts'
import type { RelyingParty } from '../../webauthn/relying-party.ts'

/** A request to a security key: create a credential, or sign with the existing credential. */
export type KeyQuestion =
  | { type: 'create'; publicKey: CreationOptions }
  | { type: 'request'; publicKey: RequestOptions }

/** The site that a client claims to be on. A value is null if the client does not send it. */
export interface ClaimedSite {
  rpId: string | null
  rpOrigins: readonly string[] | null
}

/** A security key's response to a challenge: a new credential or a signature. */
export interface KeyProof {
  factorId: string
  challengeId: string
  site: ClaimedSite
  type: 'create' | 'request'
  answer: CredentialAnswer
}

/** The site at which security keys work, with its WebAuthn ceremonies. */
export interface KeySite {
  party: RelyingParty
  ceremonies: Ceremonies
}

/** Uses security keys, and devices that work like them, as second factors. */
export interface FactorKeys {
  /** Returns our site. Throws WEBAUTHN_FACTORS_DISABLED, or REQUEST_INCOMPLETE if the client is on another site. */
  assertOurs(site: ClaimedSite): KeySite
  /**
   * Returns what the security key has to do for a challenge. A key that is not verified yet creates its credential. For
   * such a key, throws SECOND_FACTOR_REQUIRED, REAUTHENTICATION_REQUIRED, or FACTOR_NOT_FOUND if another session has
   * enrolled it.
   */
  ask(
    tx: TransactionSql,
    factor: FactorRow,
    by: { holder: Holder; principal: UserPrincipal; challengeId: string },
  ): Promise<KeyQuestion>
  /**
   * Checks a security key's response, otherwise like `FactorCodes.verify`. Throws FACTOR_NOT_FOUND, one of the
   * CHALLENGE_ errors, FACTOR_KEY_WRONG, WEBAUTHN_CREDENTIAL_EXISTS or TOO_MANY_CODES, and the errors of `ask`.
   */
  verify(principal: UserPrincipal, proof: KeyProof, device: Device): Promise<IssuedSession>
}

/**
 * The key should verify the person by PIN, finger or face if it can. It need not, because the password was the first
 * step.
 */
const VERIFICATION = 'preferred'

export function createFactorKeys(deps: {
  database: Database
  clock: Clock
  /** Null if security keys cannot work at our address. */
  site: KeySite | null
  limits: AttemptLimits
  sessions: Sessions
  proofs: FactorProofs
}): FactorKeys {
  const { database, clock, site, limits, sessions, proofs } = deps

  const getSite = (): KeySite => {
    if (!site) throw new AppError('WEBAUTHN_FACTORS_DISABLED')
    return site
  }

  const assertOurs: FactorKeys['assertOurs'] = ({ rpId, rpOrigins }) => {
    const { party, ceremonies } = getSite()
    if (rpId !== null && rpId !== party.id)
      throw new AppError('REQUEST_INCOMPLETE', { text: `rpId needs to be ${party.id}` })
    if (rpOrigins !== null && !rpOrigins.some((origin) => party.origins.includes(origin)))
      throw new AppError('REQUEST_INCOMPLETE', { text: `rpOrigins needs to contain ${party.origins[0]}` })
    return { party, ceremonies }
  }

  /**
   * Throws unless this session has enrolled the key and has every proof that enrolling requires. Otherwise somebody who
   * knows only the password could register a key while the owner adds one.
   */
  const assertMayRegister = async (tx: TransactionSql, factor: FactorRow, holder: Holder): Promise<void> => {
    await assertProven(tx, holder)
    assertRecent(holder.session.authenticated_at, clock)
    if (factor.enrolled_in !== holder.session.id)
      throw new AppError('FACTOR_NOT_FOUND', { detail: 'enrolled in another session' })
  }

  /**
   * Stores the credential that a key creates when it is verified for the first time. Returns false if the response is
   * wrong.
   */
  const register = async (
    tx: TransactionSql,
    factor: FactorRow,
    { challengeId, answer }: KeyProof,
  ): Promise<boolean> => {
    const asked = { challengeId, verification: VERIFICATION } as const
    const made = await getSite().ceremonies.readCreation(answer, asked)
    if (!made) return false
    const { account_id: accountId, id: factorId, friendly_name: name } = factor
    if (!(await insertCredential(tx, { ...made, accountId, factorId, name, now: clock.now() })))
      throw new AppError('WEBAUTHN_CREDENTIAL_EXISTS')
    return true
  }

  const use = async (
    tx: TransactionSql,
    factor: FactorRow,
    { challengeId, answer }: KeyProof,
    refusal: { reason: string },
  ): Promise<boolean> => {
    const credential = await findCredentialOfFactor(tx, factor.id)
    if (!credential) return false
    const asked = { challengeId, verification: VERIFICATION } as const
    const assertion = await getSite().ceremonies.judge(answer, credential, asked)
    if (assertion.kind === 'rewound') refusal.reason = 'key_counter_went_back'
    if (assertion.kind !== 'right') return false
    await noteCredentialUse(tx, { id: credential.id, signCount: assertion.signCount, now: clock.now() })
    return true
  }

  /** Returns null instead of throwing, because an error would roll back the count of the wrong proof. */
  const tryProof = (
    principal: UserPrincipal,
    proof: KeyProof,
    { device, refusal }: { device: Device; refusal: { reason: string } },
  ): Promise<Holder | null> =>
    database.transaction(async (tx) => {
      const holder = await lockHolder(tx, principal)
      const factor = await proofs.getFactor(tx, principal, proof.factorId)
      const challenge = await proofs.getChallenge(tx, principal, proof, device)
      if (factor.factor_type !== 'webauthn') return null
      const type = factor.status === 'verified' ? 'request' : 'create'
      if (type === 'create') await assertMayRegister(tx, factor, holder)
      if (proof.type !== type) return null
      const isRight = type === 'create' ? register(tx, factor, proof) : use(tx, factor, proof, refusal)
      if (!(await isRight)) return null
      return proofs.pass(tx, principal, { holder, factor, challenge, device })
    })

  return {
    assertOurs,

    async ask(tx, factor, { holder, principal, challengeId }) {
      const { ceremonies } = getSite()
      if (factor.status !== 'verified') {
        await assertMayRegister(tx, factor, holder)
        const { id, email } = holder.account
        const { full_name: fullName } = principal.user
        const known = await listCredentials(tx, id)
        const request = { challengeId, account: { id, email, fullName }, known, isPasskey: false }
        return { type: 'create', publicKey: ceremonies.creationOptions(request) }
      }
      const credential = await findCredentialOfFactor(tx, factor.id)
      const allowed = credential ? [credential] : []
      const publicKey = ceremonies.requestOptions({ challengeId, allowed, verification: VERIFICATION })
      return { type: 'request', publicKey }
    },

    async verify(principal, proof, device) {
      assertOurs(proof.site)
      const refusal = { reason: 'wrong_key' }
      const factor = { id: proof.factorId, type: 'webauthn' } as const
      const attempt = codeAttempt(principal, factor, { device, clock, refusal })
      const passed = await judged(limits, attempt, () => tryProof(principal, proof, { device, refusal }))
      if (!passed) throw new AppError('FACTOR_KEY_WRONG')
      return sessions.issue(passed.session, passed.account)
    },
  }
}
