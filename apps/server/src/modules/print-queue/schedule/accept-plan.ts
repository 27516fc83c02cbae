import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { writeAudits } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { MISFITS_BESIDES_FILAMENT } from '../matching/assign-printer.ts'
import { matchPrinter } from '../matching/match-printer.ts'
import { readMatchData } from '../matching/waits-for.ts'
import { type PlaceInDay, lockJobsToPlan, lockPrinters, saveAssignments } from './schedule.queries.ts'

/**
 * Assigns each proposed job to the printer of its plan. Locks all jobs, then all printers, and reads the data for
 * matching once. Returns the plan without the jobs that cannot be assigned. These jobs have ended, were deleted, were
 * assigned to another printer since the plan was read, or no longer fit the bed, the nozzle or the file.
 */
export async function assignProposals(
  tx: Queryable,
  days: readonly PlaceInDay[],
  by: AuditContext,
): Promise<PlaceInDay[]> {
  const locked = new Map(
    (
      await lockJobsToPlan(
        tx,
        days.map(({ id }) => id),
      )
    ).map((job) => [job.id, job]),
  )
  const printerIds = new Set(
    await lockPrinters(
      tx,
      days.map(({ printer_id: id }) => id),
    ),
  )
  const isAssigned = ({ id, printer_id: printerId }: PlaceInDay) =>
    locked.get(id)?.assigned_printer_id === printerId
  const isOpen = (place: PlaceInDay) => {
    const job = locked.get(place.id)
    if (!job || !printerIds.has(place.printer_id)) return false
    return isAssigned(place) || job.assigned_printer_id === place.assigned_printer_id
  }
  const openPlaces = days.filter(isOpen)
  const proposed = openPlaces.filter((place) => !isAssigned(place))
  if (proposed.length === 0) return openPlaces
  const { requirements, candidates } = await readMatchData(
    tx,
    proposed.map(({ id }) => id),
  )
  const needsOf = new Map(requirements.map((needs) => [needs.id, needs]))
  const printerOf = new Map(candidates.map((printer) => [printer.id, printer]))
  const fits = ({ id, printer_id: printerId }: PlaceInDay): boolean => {
    const [needs, printer] = [needsOf.get(id), printerOf.get(printerId)]
    if (!needs || !printer) return false
    // Filament does not count here, so the spools in stock are not read.
    const reasons = matchPrinter({ ...needs, assigned_anyway: false }, printer, [])
    return !reasons.some(({ code }) => MISFITS_BESIDES_FILAMENT.has(code))
  }
  const accepted = proposed.filter(fits)
  await saveAssignments(tx, accepted, by.now)
  await writeAudits(
    tx,
    accepted.map(({ id, printer_id: printerId }) => ({
      action: 'print_job.assigned',
      entity: 'print_job',
      entityId: id,
      entityName: locked.get(id)?.label_code ?? null,
      after: { printer: printerOf.get(printerId)?.name ?? null },
    })),
    by,
  )
  const changed = new Set(accepted.map(({ printer_id: id }) => id))
  await publishAll(tx, [
    ...accepted.map(({ id }) => ({ type: 'updated', entity: 'print_job', id }) as const),
    ...[...changed].map((id) => ({ type: 'updated', entity: 'printer', id }) as const),
  ])
  return openPlaces.filter((place) => isAssigned(place) || accepted.includes(place))
}
