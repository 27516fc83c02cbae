import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import { readsFormat } from './stated-facts.ts'
import type { Candidate, JobRequirements } from './requirements.queries.ts'
import { actionOf } from './wait-action.ts'

/**
 * Returns the reason that no sliced file can be chosen for a printer, because its model is unknown. Sliced files
 * usually name the printer model for which they were made. Returns an empty list if the model is known, or if the agent
 * of the printer reads none of these files.
 */
export function unknownModelReasons(needs: JobRequirements, printer: Candidate): MatchReason[] {
  const { id, name, model_key: key } = printer
  const isReadable = needs.slices.some(
    (slice) => slice.printer_model_key !== null && readsFormat(printer, slice.format),
  )
  if (key !== null || !isReadable) return []
  const action = actionOf('edit_printer', 'Enter the model', { printer_id: id })
  const message = `The model of ${name} is unknown, so no sliced file can be chosen for it.`
  return [{ code: 'no_slice', message, action }]
}
