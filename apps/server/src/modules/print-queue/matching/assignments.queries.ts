import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Saves the assigned printer of a job, and whether an admin chose it despite a misfit. If the start of a plate has
 * ended an earlier assignment, undoing that start no longer restores the earlier assignment.
 */
export async function saveAssignment(
  tx: Queryable,
  jobId: string,
  { printerId, isAnyway }: { printerId: string | null; isAnyway: boolean },
  now: Date,
): Promise<void> {
  await tx`
    update print_jobs
    set assigned_printer_id = ${printerId}, assigned_anyway = ${isAnyway}, updated_at = ${now}, revision = revision + 1
    where id = ${jobId}`
  await tx`
    update job_plates set before_start = jsonb_set(before_start, '{job,was_released}', 'false')
    where print_job_id = ${jobId} and before_start->'job'->>'was_released' = 'true'`
}

/**
 * Saves in the running plates of a job whether a person has removed its assignment. If so, the job waits for any printer
 * when it returns to the queue.
 */
export async function noteRemoval(tx: Queryable, jobId: string, isRemoved: boolean): Promise<void> {
  await tx`
    update job_plates set before_start = jsonb_set(before_start, '{job,is_removed}', ${tx.json(isRemoved)}::jsonb)
    where print_job_id = ${jobId} and before_start ? 'job' and state in ('sending', 'printing', 'paused', 'printed')`
}

/**
 * Locks the unfinished jobs that are assigned to a printer until the transaction ends. Returns their ids. Jobs in the
 * trash are left out, see `forgetDeletedPrinter`.
 */
export async function lockAssignedJobs(tx: Queryable, printerId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from print_jobs
    where assigned_printer_id = ${printerId} and deleted_at is null and status in ('pending', 'in_progress', 'on_hold')
    order by id for update`
  return rows.map(({ id }) => id)
}

/**
 * Removes the assignment of a locked job if its printer was deleted. Waits for a deletion that is in progress, because
 * the deletion does not see jobs that were in the trash or had ended when it listed the jobs of the printer.
 */
export async function forgetDeletedPrinter(tx: Queryable, jobId: string): Promise<void> {
  await tx`
    select from printers where id = (select assigned_printer_id from print_jobs where id = ${jobId}) for share`
  await tx`
    update print_jobs j set assigned_printer_id = null, assigned_anyway = false
    where j.id = ${jobId} and exists (select from printers p where p.id = j.assigned_printer_id and p.deleted_at is not null)`
}

/**
 * Returns a sentence for the history of a job that returns to the queue after its printer was deleted, or null if the
 * printer still exists. Call it before `forgetDeletedPrinter`. The printer is the first of these:
 * 1. the printer to which the job is assigned,
 * 2. the printer to which it was assigned before (`earlierId`),
 * 3. the printer of the last plate. It does not count if an agent printed the plate, because such a job can go to any
 * printer, or if the job has already returned to the queue since the deletion.
 */
export async function describeDeletedPrinter(
  tx: Queryable,
  jobId: string,
  earlierId: string | null = null,
): Promise<string | null> {
  const [printer] = await tx<{ name: string }[]>`
    select p.name
    from print_jobs j
    cross join lateral (select coalesce(j.assigned_printer_id, ${earlierId}::uuid) as id) own
    left join lateral (
      select l.agent from job_plates l where l.print_job_id = j.id order by l.number desc limit 1) last on true
    join printers p on p.id = coalesce(own.id, case when last.agent is null then j.printer_id end)
    where j.id = ${jobId} and p.deleted_at is not null
      and (own.id is not null or not exists (
        select from job_transitions t
        where t.print_job_id = j.id and t.to_status = 'pending' and t.created_at > p.deleted_at))`
  return printer ? `${printer.name} was deleted, so any printer that fits can print the job.` : null
}
