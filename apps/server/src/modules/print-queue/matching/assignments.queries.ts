import type { Queryable } from '../../../platform/database/database.ts'

/** Saves the assigned printer of a job, and whether an admin chose it although it does not fit. */
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
}
