import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { assertAdmitted, isAdmitted } from '../accounts/admission.ts'
import type { Device } from '../audit/device.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { IdentityWay, IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import type { AdmittedIdentity, ExternalAccounts, ProvenIdentity } from './external-accounts.ts'
import { findIdentity } from './identities.queries.ts'

interface Proof<T> {
  /** Marks the proof as used, in the transaction of the sign-in. Throws if the proof was already used. */
  useUp?(tx: TransactionSql): Promise<void>
  /**
   * Runs in the same transaction after the check that the account may have sessions. Its result is the result of the
   * sign-in.
   */
  use(tx: TransactionSql, admitted: AdmittedIdentity): Promise<T>
}

/** Signs people in with an identity that a wallet or a provider has proved. */
export interface IdentitySignIn {
  /**
   * Runs `use` with the account of the identity. For a new identity, creates an account according to the
   * rules for sign-ups. Throws SIGNUP_DISABLED, ACCOUNT_NOT_APPROVED, ACCOUNT_DEACTIVATED, EMAIL_TAKEN,
   * TOO_MANY_REQUESTS or the identity's own error.
   */
  admit<T>(proven: ProvenIdentity, device: Device, proof: Proof<T>): Promise<T>
  /** Like `admit`, but opens a session with the given `amr` method. */
  open(
    proven: ProvenIdentity,
    device: Device,
    way: Omit<IdentityWay, 'identityId'> & { useUp?: Proof<unknown>['useUp'] },
  ): Promise<IssuedSession>
}

export function createIdentitySignIn(deps: {
  database: Database
  sessions: Sessions
  accounts: ExternalAccounts
  /** Limits how many accounts are created. */
  signUpLimits: AttemptLimits
}): IdentitySignIn {
  const { database, sessions, accounts, signUpLimits } = deps

  const admit: IdentitySignIn['admit'] = async (proven, device, { useUp, use }) => {
    if ((await findIdentity(database.sql, proven)) === null)
      await signUpLimits.count({ key: 'sign-up', ip: device.ip })
    // An account that must wait for approval has to be stored, so throw the error only after the transaction has
    // committed.
    const { account, outcome } = await database.transaction(async (tx) => {
      await useUp?.(tx)
      const admitted = await accounts.admit(tx, proven, device)
      if (!isAdmitted(admitted.account)) return { ...admitted, outcome: null }
      return { ...admitted, outcome: { value: await use(tx, admitted) } }
    })
    if (outcome) return outcome.value
    assertAdmitted(account)
    throw new Error(`account ${account.id} was refused for no reason`)
  }

  return {
    admit,
    async open(proven, device, { useUp, ...way }) {
      const { session, account } = await admit(proven, device, {
        ...(useUp && { useUp }),
        use: (tx, admitted) =>
          sessions.openWithin(tx, admitted.account, device, { ...way, identityId: admitted.identityId }),
      })
      return sessions.issue(session, account)
    },
  }
}
