import type { Queryable } from '../../../platform/database/database.ts'
import { type SessionRow, advanceSession } from './sessions.queries.ts'

/** The methods in the `amr` claim (authentication methods) that raise a session to aal2. */
export const SECOND_STEP_METHODS = ['totp', 'mfa/webauthn', 'mfa/phone', 'mfa/recovery_code'] as const
export type SecondStepMethod = (typeof SECOND_STEP_METHODS)[number]

/**
 * Raises a session to aal2 and stores the time of this proof. The session gets a new refresh token. Earlier refresh
 * tokens become invalid, because somebody else may have obtained one before the second step.
 */
export async function raiseSession(
  tx: Queryable,
  session: SessionRow,
  proof: { method: SecondStepMethod; factorId: string; now: Date },
): Promise<SessionRow> {
  const { method, factorId, now } = proof
  const counter = await advanceSession(tx, session, now)
  const earlier = session.amr.filter((entry) => entry.method !== method)
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }, ...earlier]
  const [raised] = await tx<[SessionRow]>`
    update sessions
    set aal = 'aal2', amr = ${tx.json(amr)}, factor_id = ${factorId}, raised_from_counter = ${counter},
        authenticated_at = ${now}
    where id = ${session.id} returning *`
  return raised
}

/** Sets all sessions back to aal1 that have reached aal2 with this factor. */
export async function lowerSessions(tx: Queryable, factorId: string): Promise<void> {
  await tx`
    update sessions
    set aal = 'aal1', factor_id = null,
        amr = (select coalesce(jsonb_agg(entry order by place), '[]')
               from jsonb_array_elements(amr) with ordinality as entries (entry, place)
               where entry ->> 'method' <> all (${[...SECOND_STEP_METHODS]}::text[]))
    where factor_id = ${factorId}`
}

/** Ends the account's sessions that have not passed the second step, except one. Returns how many were ended. */
export async function endLowerSessions(tx: Queryable, accountId: string, except: string): Promise<number> {
  const rows = await tx`
    delete from sessions where account_id = ${accountId} and aal = 'aal1' and id <> ${except} returning id`
  return rows.length
}
