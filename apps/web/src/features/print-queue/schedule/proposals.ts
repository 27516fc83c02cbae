import type { PlannedPrint, Schedule } from '@pegasus/contracts/print-queue/schedule'

/** The proposed jobs of a plan. */
interface Proposals {
  /** Number of jobs that the plan puts on exactly one printer. Accepting the plan assigns them. */
  acceptable: number
  /** The first print of each job that several printers share. Accepting the plan leaves these jobs out. */
  shared: PlannedPrint[]
}

/** Returns the proposed jobs of a plan. A running plate counts as well: its printer shares the job. */
export function proposalsOf({ printers }: Schedule): Proposals {
  const onPrinters = new Map<string, Set<string>>()
  const proposed = new Map<string, PlannedPrint>()
  for (const { id, prints } of printers)
    for (const print of prints) {
      const { print_job_id: jobId } = print
      onPrinters.set(jobId, (onPrinters.get(jobId) ?? new Set()).add(id))
      if (!print.is_running && !print.is_assigned && !proposed.has(jobId)) proposed.set(jobId, print)
    }
  const isShared = ({ print_job_id: id }: PlannedPrint) => (onPrinters.get(id)?.size ?? 0) > 1
  const shared = [...proposed.values()].filter(isShared)
  return { acceptable: proposed.size - shared.length, shared }
}
