import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** The agent that prints a job, and when its lease ends. */
export type LeaseRow = Row<'leases', 'id' | 'agent' | 'api_key_id' | 'expires_at'>

export async function insertLease(
  tx: Queryable,
  lease: { id: string; jobId: string; agent: string; keyId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    insert into leases (print_job_id, id, agent, api_key_id, claimed_at, renewed_at, expires_at)
    values (${lease.jobId}, ${lease.id}, ${lease.agent}, ${lease.keyId}, ${lease.now}, ${lease.now},
            ${lease.expiresAt})`
}

export async function findLease(sql: Queryable, jobId: string): Promise<LeaseRow | null> {
  const [row] = await sql<LeaseRow[]>`
    select id, agent, api_key_id, expires_at from leases where print_job_id = ${jobId}`
  return row ?? null
}

export async function renewLease(
  tx: Queryable,
  jobId: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await tx`update leases set renewed_at = ${now}, expires_at = ${expiresAt} where print_job_id = ${jobId}`
}

/** Ends the lease of a job that is no longer being printed. */
export async function deleteLease(tx: Queryable, jobId: string): Promise<void> {
  await tx`delete from leases where print_job_id = ${jobId}`
}

/** A lease whose time is over, with the job that it is for. */
export interface LapsedLease extends Row<'print_jobs', 'id' | 'label_code'>, Row<'leases', 'agent'> {
  is_printing: boolean
}

/** Expired leases, locked until the transaction ends; rows locked by others are skipped. */
export const lockLapsedLeases = (tx: Queryable, now: Date, limit: number): Promise<LapsedLease[]> =>
  tx<LapsedLease[]>`
    select j.id, j.label_code, l.agent, j.status = 'in_progress' and j.deleted_at is null as is_printing
    from leases l
    join print_jobs j on j.id = l.print_job_id
    where l.expires_at <= ${now}
    order by l.expires_at
    limit ${limit}
    for update skip locked`

/** The next job to print, locked until the transaction ends. Concurrent callers get different jobs. */
export async function lockNextPending(tx: Queryable): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from print_jobs
    where status = 'pending' and deleted_at is null
    order by priority, position, created_at, id
    limit 1
    for update skip locked`
  return row?.id ?? null
}

export async function saveProgress(
  tx: Queryable,
  jobId: string,
  progress: number,
  now: Date,
): Promise<boolean> {
  // The revision stays: a person who edits the job meanwhile has missed nothing.
  const [row] = await tx`
    update print_jobs set progress = ${progress}, updated_at = ${now}
    where id = ${jobId} and progress <> ${progress}::numeric(5, 4)
    returning 1`
  return row !== undefined
}

/** The actor who last moved a job into a state; null if nobody did. */
export async function findActorOf(
  sql: Queryable,
  jobId: string,
  status: PrintJobStatus,
): Promise<string | null> {
  const [row] = await sql<{ actor_id: string | null }[]>`
    select actor_id from job_transitions where print_job_id = ${jobId} and to_status = ${status}
    order by created_at desc, id desc limit 1`
  return row?.actor_id ?? null
}

/** The bytes of the version a job was queued with. */
export type JobFile = Row<'library_versions', 'file_name' | 'file_size' | 'sha256' | 'object_key' | 'format'>

export async function findJobFile(sql: Queryable, jobId: string): Promise<JobFile | null> {
  const [row] = await sql<JobFile[]>`
    select v.file_name, v.file_size, v.sha256, v.object_key, v.format
    from print_jobs j
    join library_versions v on v.id = j.stl_version_id
    where j.id = ${jobId}`
  return row ?? null
}
