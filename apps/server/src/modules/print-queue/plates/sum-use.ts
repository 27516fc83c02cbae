import type { JobChange, JobToChange } from '../jobs/job-changes.queries.ts'

type Use = Pick<JobToChange, 'used_grams' | 'print_minutes'>

/**
 * Adds the filament and time of a plate to those of its job, and returns the changed columns. Unknown values change
 * nothing.
 */
export const addUse = (
  job: Use,
  add: { usedGrams: number | null; minutes: number | null },
): Pick<JobChange, 'used_grams' | 'print_minutes'> => ({
  ...(add.usedGrams !== null && {
    used_grams: Math.round(((job.used_grams ?? 0) + add.usedGrams) * 100) / 100,
  }),
  ...(add.minutes !== null && { print_minutes: (job.print_minutes ?? 0) + add.minutes }),
})

/**
 * Returns the filament and time of a job without a plate whose completion is undone. What was booked after the
 * completion stays. If a total was unknown `before` the completion and nothing else was booked, it is unknown again.
 */
export function subtractUse(
  job: Use,
  { usedGrams, minutes }: { usedGrams: number | null; minutes: number | null },
  before: Use,
): Use {
  const grams = Math.round(((job.used_grams ?? 0) - (usedGrams ?? 0)) * 100) / 100
  const rest = (job.print_minutes ?? 0) - (minutes ?? 0)
  return {
    used_grams: grams <= 0 && before.used_grams === null ? null : Math.max(0, grams),
    print_minutes: rest <= 0 && before.print_minutes === null ? null : Math.max(0, rest),
  }
}
