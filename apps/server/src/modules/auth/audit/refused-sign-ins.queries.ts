import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** Between two entries of the audit about one person and one place where they are refused. */
export const REFUSAL_INTERVAL_MS = MINUTE_MS

/**
 * Takes the one note of a minute that a person's refusals at an endpoint, or at a step of the sign-in, may leave; false
 * if it has been taken.
 */
export async function takeRefusalTurn(
  tx: Queryable,
  { accountId, endpoint }: { accountId: string; endpoint: string },
  now: Date,
): Promise<boolean> {
  const [taken] = await tx`
    insert into access_refusals (account_id, endpoint, at) values (${accountId}, ${endpoint}, ${now})
    on conflict (account_id, endpoint) do update set at = excluded.at
    -- A clock that was put back must not keep what it noted before for as long as it went back.
    where access_refusals.at <= ${addMs(now, -REFUSAL_INTERVAL_MS)} or access_refusals.at > ${addMs(now, REFUSAL_INTERVAL_MS)}
    returning at`
  return taken !== undefined
}
