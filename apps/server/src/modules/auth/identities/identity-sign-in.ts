import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { assertAdmitted, isAdmitted } from '../accounts/admission.ts'
import type { Device } from '../audit/device.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import type { AdmitIdentity, ProvenIdentity } from './external-accounts.ts'
import { findIdentity } from './identities.queries.ts'

export interface ProofUse {
  /** The `amr` method of the session. */
  method: string
  /** Uses the proof up in the transaction of the sign-in. Throws if it was used before. */
  useUp(tx: TransactionSql): Promise<void>
}

/** Opens sessions for identities that a wallet or a provider has proved. */
export interface IdentitySignIn {
  /**
   * A new identity gets an account, by the rules of sign-ups. Throws SIGNUP_DISABLED, ACCOUNT_NOT_APPROVED,
   * ACCOUNT_DEACTIVATED or TOO_MANY_REQUESTS.
   */
  open(proven: ProvenIdentity, device: Device, use: ProofUse): Promise<IssuedSession>
}

export function createIdentitySignIn(deps: {
  database: Database
  sessions: Sessions
  admitIdentity: AdmitIdentity
  /** Limits new accounts. */
  signUpLimits: AttemptLimits
}): IdentitySignIn {
  const { database, sessions, admitIdentity, signUpLimits } = deps
  return {
    async open(proven, device, { method, useUp }) {
      if ((await findIdentity(database.sql, proven)) === null)
        await signUpLimits.count({ key: 'sign-up', ip: device.ip })
      // A new account that has to wait must be committed, so its error is thrown afterwards.
      const { account, opened } = await database.transaction(async (tx) => {
        await useUp(tx)
        const { identityId, ...found } = await admitIdentity(tx, proven, device)
        if (!isAdmitted(found.account)) return { ...found, opened: null }
        return {
          ...found,
          opened: await sessions.openWithin(tx, found.account, device, { method, identityId }),
        }
      })
      if (opened === null) assertAdmitted(account)
      if (opened === null) throw new Error(`account ${account.id} is admitted and has no session`)
      return sessions.issue(opened.session, opened.account)
    },
  }
}
