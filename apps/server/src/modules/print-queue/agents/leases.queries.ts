import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

/** The claim of an agent on a plate, with the times of its last renewal and of its expiry. */
export type LeaseRow = Row<'leases', 'id' | 'plate_id' | 'agent' | 'api_key_id' | 'renewed_at' | 'expires_at'>
/** A lease and the time of its last renewal. An equal time means that the lease has not been renewed since. */
export type SeenLease = Pick<LeaseRow, 'id' | 'renewed_at'>

export async function insertLease(
  tx: Queryable,
  lease: {
    id: string
    jobId: string
    plateId: string
    agent: string
    keyId: string
    now: Date
    expiresAt: Date
  },
): Promise<void> {
  await insertInto(tx, 'leases', {
    print_job_id: lease.jobId,
    plate_id: lease.plateId,
    id: lease.id,
    agent: lease.agent,
    api_key_id: lease.keyId,
    claimed_at: lease.now,
    renewed_at: lease.now,
    expires_at: lease.expiresAt,
  })
}

/**
 * Returns the claim of a key on a job: the named claim, otherwise the newest one. Returns null if the key has
 * no claim on the job.
 */
export const findLease = (
  sql: Queryable,
  jobId: string,
  { keyId, leaseId }: { keyId: string; leaseId?: string | null | undefined },
) =>
  firstRow(sql<LeaseRow[]>`
    select id, plate_id, agent, api_key_id, renewed_at, expires_at from leases
    where print_job_id = ${jobId} and api_key_id = ${keyId} ${leaseId ? sql`and id = ${leaseId}` : sql``}
    order by claimed_at desc, id desc limit 1`)

/** Returns the numbers of the plates of a job that an API key has claimed and can still report about. */
export async function listNumbersOfKey(tx: Queryable, jobId: string, keyId: string): Promise<number[]> {
  const rows = await tx<Row<'job_plates', 'number'>[]>`
    select p.number from leases l join job_plates p on p.id = l.plate_id
    where l.print_job_id = ${jobId} and l.api_key_id = ${keyId} order by p.number`
  return rows.map(({ number }) => number)
}

export async function renewLease(
  tx: Queryable,
  leaseId: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await tx`update leases set renewed_at = ${now}, expires_at = ${expiresAt} where id = ${leaseId}`
}

/** Ends the lease of a plate that is no longer being printed. */
export async function deleteLeaseOfPlate(tx: Queryable, plateId: string): Promise<void> {
  await tx`delete from leases where plate_id = ${plateId}`
}

/** Ends all leases of a job, so that no agent can reopen one of its plates. */
export async function deleteLeasesOfJob(tx: Queryable, jobId: string): Promise<void> {
  await tx`delete from leases where print_job_id = ${jobId}`
}

/** Returns the plates with a lease on a job, in the order of their printers. */
export async function listLeasedPlates(
  tx: Queryable,
  jobId: string,
): Promise<{ id: string; printer_id: string | null }[]> {
  return tx<{ id: string; printer_id: string | null }[]>`
    select p.id, p.printer_id from leases l join job_plates p on p.id = l.plate_id
    where l.print_job_id = ${jobId} order by p.printer_id, p.number`
}

/** Returns all leases: of running plates, and of agents that may still take a plate back. */
export const listLeases = (sql: Queryable) => sql<SeenLease[]>`select id, renewed_at from leases`

/** Returns the SQL condition that the lease `l` is one of these and has not been renewed since it was seen. */
const isUnchanged = (sql: Queryable, leases: readonly SeenLease[]) =>
  sql`(l.id, l.renewed_at) in (
    select * from unnest(${leases.map(({ id }) => id)}::uuid[],
      ${leases.map(({ renewed_at: renewedAt }) => renewedAt)}::timestamptz[]))`

/** An ended lease with its job. */
export interface LapsedLease
  extends Row<'print_jobs', 'id' | 'label_code'>,
    Row<'leases', 'agent' | 'plate_id'> {}

/**
 * Returns the ended leases that belong to running plates and have not been renewed, locked until the transaction ends.
 * Rows that other transactions have locked are skipped.
 */
export const lockLapsedLeases = (
  tx: Queryable,
  ended: readonly SeenLease[],
  limit: number,
): Promise<LapsedLease[]> =>
  tx<LapsedLease[]>`
    select j.id, j.label_code, l.agent, l.plate_id
    from leases l
    join print_jobs j on j.id = l.print_job_id
    join job_plates p on p.id = l.plate_id
    where ${isUnchanged(tx, ended)} and j.status = 'in_progress' and j.deleted_at is null and p.state <> 'cancelled'
    order by l.renewed_at
    limit ${limit}
    for update of l, j skip locked`

/**
 * Returns the id of a plate whose lease has ended and whose agent cannot take it back, because its job was deleted or
 * has ended. Returns null if there is none. Locks the lease until the transaction ends, and skips rows that other
 * transactions have locked.
 */
export async function lockEndedLease(tx: Queryable, ended: readonly SeenLease[]): Promise<string | null> {
  const [lease] = await tx<{ plate_id: string }[]>`
    select l.plate_id
    from leases l
    join print_jobs j on j.id = l.print_job_id
    join job_plates p on p.id = l.plate_id
    where ${isUnchanged(tx, ended)} and (j.deleted_at is not null or j.status in ('completed', 'failed', 'cancelled')
      or j.status <> 'in_progress' and p.state <> 'cancelled')
    order by l.renewed_at
    limit 1
    for update of l, j skip locked`
  return lease?.plate_id ?? null
}
