import type { Queryable } from '../../../platform/database/database.ts'

/**
 * The number of attempts from one IP address within the window: wrong attempts, and attempts whose check is still
 * running.
 */
export interface AttemptCounts {
  failed_for_name: number
  pending_for_name: number
  failed_for_account: number
  pending_for_account: number
  failed_for_address: number
  pending_for_address: number
  oldest_for_name: string | null
  oldest_for_account: string | null
  oldest_for_address: string | null
}

/** Makes reservations for one IP address run one at a time, across all processes. */
export async function lockAddress(tx: Queryable, address: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in:${address}`}, 0))`
}

/**
 * Sets failures with a future time to the current time. They were counted before the clock was set back, or by a
 * replica whose clock is ahead. Without this correction, they would count for too long.
 */
export async function pullFutureFailures(
  tx: Queryable,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  await tx`
    update sign_in_failures set at = ${now} where address = ${address} and at > ${now} and pending_until is null`
}

/** Counts the attempts from `since` on. An unfinished attempt that began at `until` or later does not count. */
export async function countAttempts(
  tx: Queryable,
  attempt: { key: string; accountId: string | null; address: string; now: Date; since: Date; until: Date },
): Promise<AttemptCounts> {
  const { key, accountId, address, now, since, until } = attempt
  const [counts] = await tx<[AttemptCounts]>`
    select count(*) filter (where not pending and named)::int as failed_for_name,
           count(*) filter (where pending and named)::int as pending_for_name,
           count(*) filter (where not pending and owned)::int as failed_for_account,
           count(*) filter (where pending and owned)::int as pending_for_account,
           count(*) filter (where not pending)::int as failed_for_address,
           count(*) filter (where pending)::int as pending_for_address,
           min(at) filter (where not pending and named) as oldest_for_name,
           min(at) filter (where not pending and owned) as oldest_for_account,
           min(at) filter (where not pending) as oldest_for_address
    from (
      select at, pending_until is not null as pending, account_key = ${key} as named,
             account_id = ${accountId}::uuid as owned
      from sign_in_failures
      where address = ${address} and at > ${since}
        and (pending_until is null or (pending_until > ${now} and at < ${until}))
    ) attempts`
  return counts
}

export async function insertAttempt(
  tx: Queryable,
  attempt: {
    id: string
    key: string
    /** The account whose password is compared, or null for an unknown name. */
    accountId: string | null
    address: string
    at: Date
    pendingUntil: Date | null
  },
): Promise<void> {
  await tx`
    insert into sign_in_failures (id, account_key, account_id, address, at, pending_until)
    values (${attempt.id}, ${attempt.key}, ${attempt.accountId}, ${attempt.address}, ${attempt.at},
            ${attempt.pendingUntil})`
}

/**
 * Records the result of an attempt. Deletes a successful attempt. Returns false if the slot of the attempt had expired.
 */
export async function settleAttempt(
  sql: Queryable,
  { id, isRight, now }: { id: string; isRight: boolean; now: Date },
): Promise<boolean> {
  const [row] = isRight
    ? await sql`delete from sign_in_failures where id = ${id} and pending_until > ${now} returning id`
    : await sql`
        update sign_in_failures set pending_until = null
        where id = ${id} and pending_until > ${now} returning id`
  return row !== undefined
}
