import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { SeenLease } from './leases.queries.ts'

/** A printer whose agent has called. `is_changed` says whether the call can change the reasons why jobs wait for it. */
export type HeardPrinter = Row<'printers', 'id' | 'kind' | 'state'> & { is_changed: boolean }

/** The capabilities that an agent states in a claim. Fields that it does not state are missing. */
export interface AgentFacts {
  materials?: readonly string[] | undefined
  bed_mm?: readonly number[] | undefined
  nozzle_mm?: number | undefined
  /** In lower case, without a period. */
  file_types?: readonly string[] | undefined
}

/**
 * Records the claim of an agent for a named printer, and what it stated. Returns the printer, or null if no person or
 * agent operates a printer with this name. `is_changed` says whether jobs may now wait for other reasons.
 */
export const saveClaim = (sql: Queryable, { name, facts }: { name: string; facts: AgentFacts }, now: Date) =>
  firstRow(sql<HeardPrinter[]>`
    with before as (
      select id, agent_facts, seen_at is not distinct from silence_of as was_silent from printers
      where lower(name) = lower(${name}) and deleted_at is null and kind in ('agent', 'manual')
    )
    update printers p set seen_at = ${now}, agent_facts = ${sql.json({ ...facts })}, agent_facts_at = ${now}
    from before b where p.id = b.id
    returning p.id, p.kind, p.state, p.agent_facts is distinct from b.agent_facts or b.was_silent as is_changed`)

/**
 * Records the call of an agent about a job, on the printer of the plate that its key has claimed last. Returns the
 * printer, or null if there is none. `is_changed` is as in `saveClaim`.
 */
export const saveSeenByJob = (
  sql: Queryable,
  { jobId, keyId, leaseId }: { jobId: string; keyId: string; leaseId: string | undefined },
  now: Date,
) =>
  firstRow(sql<HeardPrinter[]>`
    with before as (
      select id, seen_at is not distinct from silence_of as was_silent from printers
      where deleted_at is null and kind in ('agent', 'manual') and id = (
        select r.printer_id from job_plates r
        where r.print_job_id = ${jobId} and r.api_key_id = ${keyId}
          ${leaseId === undefined ? sql`` : sql`and r.lease_id = ${leaseId}`}
        order by r.number desc limit 1)
    )
    update printers p set seen_at = ${now}
    from before b where p.id = b.id
    returning p.id, p.kind, p.state, b.was_silent as is_changed`)

/** Locks the printer of an agent if it still has this state. Returns whether it did. */
export async function lockAgentPrinter(
  tx: Queryable,
  printerId: string,
  state: 'available' | 'offline',
): Promise<boolean> {
  const rows = await tx`
    select 1 from printers
    where id = ${printerId} and kind = 'agent' and state = ${state} and deleted_at is null for update`
  return rows.length > 0
}

/**
 * Returns the idle printers of agents with the time of their last call. The rows look like leases, so that a
 * `LeaseWatch` can measure the silence.
 */
export const listIdlePrinters = (sql: Queryable) =>
  sql<SeenLease[]>`
    select id, seen_at as renewed_at from printers
    where kind = 'agent' and state = 'available' and deleted_at is null and seen_at is not null
      and silence_of is distinct from seen_at`

/**
 * Records the last call before the silence that makes a printer offline. Returns false if its agent has called since
 * then.
 */
export async function saveSilence(tx: Queryable, { id, renewed_at: seenAt }: SeenLease): Promise<boolean> {
  const rows = await tx`
    update printers set silence_of = seen_at where id = ${id} and seen_at = ${seenAt} returning 1`
  return rows.length > 0
}
