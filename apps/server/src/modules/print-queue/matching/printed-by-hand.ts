import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import { readsFormat } from './stated-facts.ts'
import type { Candidate, JobRequirements, RequiredSlice } from './requirements.queries.ts'
import { sliceAction } from './wait-action.ts'

/**
 * Returns whether a printer can print a sliced file. The server and agents print one plate at a time and count its
 * pieces. If one piece is spread over all plates of the file, only a person can print it.
 */
export const isPrintable = (
  { plates_per_print: plates }: Pick<RequiredSlice, 'plates_per_print'>,
  { kind }: Pick<Candidate, 'kind'>,
): boolean => plates === 1 || kind === 'manual'

/**
 * Returns the reason that only a person can print the job, because one piece is spread over all plates of each of these
 * files. Returns an empty list if there is another file, or if the agent of the printer slices the model itself.
 */
export function byHandReasons(
  needs: JobRequirements,
  printer: Candidate,
  slices: readonly RequiredSlice[],
): MatchReason[] {
  const [first] = slices
  if (!first || slices.some((slice) => isPrintable(slice, printer))) return []
  const isSlicedByAgent = printer.stated_file_types !== null && readsFormat(printer, needs.model_format)
  if (printer.kind === 'agent' && needs.slice_id === null && isSlicedByAgent) return []
  const { file_name: file, plates_per_print: plates } = first
  return [
    {
      code: 'no_slice',
      message: `One piece needs all ${plates} plates of ${file}. Print them by hand: start the job without a printer, and complete it when all plates are done.`,
      ...sliceAction(needs, 'Open the model'),
    },
  ]
}
