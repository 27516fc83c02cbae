import type { ErrorCode } from '@pegasus/contracts/errors'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type AccountRow, lockAccount } from '../accounts/accounts.queries.ts'
import { type SecondStepMethod, endLowerSessions, raiseSession } from '../sessions/session-level.queries.ts'
import { type SessionRow, lockSession } from '../sessions/sessions.queries.ts'
import { hasSecondFactor } from './factors.queries.ts'
import { noteKnownAddress } from '../accounts/known-addresses.queries.ts'

/** A session and its account, both locked. */
export interface Holder {
  account: AccountRow
  session: SessionRow
}

/**
 * Locks the account and the session, so that changes to the factors of an account run one after another.
 * Throws SESSION_NOT_FOUND.
 */
export async function lockHolder(
  tx: TransactionSql,
  { accountId, sessionId }: Pick<UserPrincipal, 'accountId' | 'sessionId'>,
): Promise<Holder> {
  const account = await lockAccount(tx, accountId)
  const session = account?.is_active ? await lockSession(tx, sessionId) : null
  if (!account || !session) throw new AppError('SESSION_NOT_FOUND')
  return { account, session }
}

/** Throws `refusal` if the account has a verified factor and the session has not passed the second step. */
export async function assertProven(
  tx: TransactionSql,
  { account, session }: Holder,
  refusal: ErrorCode = 'SECOND_FACTOR_REQUIRED',
): Promise<void> {
  if (session.aal !== 'aal2' && (await hasSecondFactor(tx, account.id))) throw new AppError(refusal)
}

/**
 * Locks the account and the session, and checks again that the session has passed the second step if it must. Since the
 * guard's check, the session may have ended or a factor may have been verified. Throws SESSION_NOT_FOUND or `refusal`.
 */
export async function lockProvenHolder(
  tx: TransactionSql,
  principal: Pick<UserPrincipal, 'accountId' | 'sessionId'>,
  refusal?: ErrorCode,
): Promise<Holder> {
  const holder = await lockHolder(tx, principal)
  await assertProven(tx, holder, refusal)
  return holder
}

/** Raises the session to aal2, ends the account's other sessions below aal2, and marks the IP address as known. */
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
