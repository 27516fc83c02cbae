import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** The minimum time between two audit entries about refusals of one account at one endpoint. */
export const REFUSAL_INTERVAL_MS = MINUTE_MS

/**
 * Claims the right to write the one audit entry per minute for refusals of an account at an endpoint or a
 * sign-in step. Returns false if another request has already claimed it.
 */
export async function claimRefusalSlot(
  tx: Queryable,
  { accountId, endpoint }: { accountId: string; endpoint: string },
  now: Date,
): Promise<boolean> {
  const [taken] = await tx`
    insert into access_refusals (account_id, endpoint, at) values (${accountId}, ${endpoint}, ${now})
    on conflict (account_id, endpoint) do update set at = excluded.at
    -- If the clock was put back, a later claim must not block new ones for that long.
    where access_refusals.at <= ${addMs(now, -REFUSAL_INTERVAL_MS)} or access_refusals.at > ${addMs(now, REFUSAL_INTERVAL_MS)}
    returning at`
  return taken !== undefined
}
