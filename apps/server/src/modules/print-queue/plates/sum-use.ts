import type { JobChange, JobToChange } from '../jobs/job-changes.queries.ts'

/** Returns the filament and time of a job after a plate has added its own. Unknown values change nothing. */
export const addUse = (
  job: Pick<JobToChange, 'used_grams' | 'print_minutes'>,
  add: { usedGrams: number | null; minutes: number | null },
): Pick<JobChange, 'used_grams' | 'print_minutes'> => ({
  ...(add.usedGrams !== null && {
    used_grams: Math.round(((job.used_grams ?? 0) + add.usedGrams) * 100) / 100,
  }),
  ...(add.minutes !== null && { print_minutes: (job.print_minutes ?? 0) + add.minutes }),
})
