import type { ErrorCode } from '@pegasus/contracts/errors'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type AccountRow, lockAccount } from '../accounts/accounts.queries.ts'
import { type SecondStepMethod, endLowerSessions, raiseSession } from '../sessions/session-level.queries.ts'
import { type SessionRow, lockSession } from '../sessions/sessions.queries.ts'
import { hasSecondFactor } from './factors.queries.ts'
import { noteKnownAddress } from './known-addresses.queries.ts'

/** A session and its account, both locked. */
export interface Holder {
  account: AccountRow
  session: SessionRow
}

/** Everything about the factors of one account happens one after the other. Throws SESSION_NOT_FOUND. */
export async function lockHolder(
  tx: TransactionSql,
  { accountId, sessionId }: Pick<UserPrincipal, 'accountId' | 'sessionId'>,
): Promise<Holder> {
  const account = await lockAccount(tx, accountId)
  const session = account?.is_active ? await lockSession(tx, sessionId) : null
  if (!account || !session) throw new AppError('SESSION_NOT_FOUND')
  return { account, session }
}

/**
 * Locks who changes their own account, and asks again what the guard has asked: since then somebody may have ended the
 * session, by a new password perhaps, or verified a factor.
 * Throws SESSION_NOT_FOUND or the endpoint's refusal.
 */
export async function lockProvenHolder(
  tx: TransactionSql,
  principal: UserPrincipal,
  refusal: ErrorCode = 'SECOND_FACTOR_REQUIRED',
): Promise<Holder> {
  const holder = await lockHolder(tx, principal)
  if (holder.session.aal !== 'aal2' && (await hasSecondFactor(tx, principal.accountId)))
    throw new AppError(refusal)
  return holder
}

/**
 * The holder's session becomes an aal2 one, the account's other sessions below that end, and
 * the address is one where the person has been.
 */
export async function passSecondStep(
  tx: TransactionSql,
  { account, session }: Holder,
  proof: { method: SecondStepMethod; factorId: string; address: string; now: Date },
): Promise<Holder & { endedSessions: number }> {
  const raised = await raiseSession(tx, session, proof)
  const endedSessions = await endLowerSessions(tx, account.id, session.id)
  await noteKnownAddress(tx, { accountId: account.id, address: proof.address, now: proof.now })
  return { account, session: raised, endedSessions }
}
