import { AppError } from '../../../platform/errors/app-error.ts'
import type { ClaimedPlate } from '../plates/plates.queries.ts'

/**
 * Returns the plate that a report without a `lease_id` is about: the one plate of the key that is being printed. If
 * there is none, it is the newest plate if it has ended in this way, otherwise the newest one that a silent agent may
 * take back. `plates` are those of the key, newest first. Throws PRINT_JOB_NOT_YOURS if several plates are possible:
 * several are being printed, or a plate on another printer or of another agent has ended in the same way, so that the
 * report may be a repetition.
 */
export function choosePlateOfKey(
  plates: readonly ClaimedPlate[],
  end: 'done' | 'failed',
): ClaimedPlate | undefined {
  const open = plates.filter((plate) => plate.has_lease)
  if (open.length === 0) return plates[0]
  const printing = open.filter(({ state }) => state !== 'cancelled')
  // A program may drive several printers with one key and one name.
  const sources = new Set(
    plates
      .filter((plate) => plate.has_lease || plate.state === end)
      .map(({ agent, printer_id: printerId }) => `${printerId} ${agent}`),
  )
  if (printing.length > 1 || sources.size > 1)
    throw new AppError('PRINT_JOB_NOT_YOURS', {
      say: 'Your key has claimed several plates of this job. Please send the lease_id of the claim.',
    })
  return printing[0] ?? (plates[0]?.state === end ? plates[0] : open[0])
}
