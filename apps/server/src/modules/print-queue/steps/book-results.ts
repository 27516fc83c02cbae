import { MAX_JOB_QUANTITY } from '@pegasus/contracts/print-queue/jobs'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { takeFilament } from '../../filament/index.ts'
import { moveStock } from '../../inventory/index.ts'
import { isWholeBetween, refuseJob } from '../jobs/create-job.ts'
import { type JobToChange, findItemToPrint, isLiveSpool } from '../jobs/job-changes.queries.ts'

/** Throws PRINT_JOB_INVALID unless both counts are whole numbers of 0 or more within the limit. */
export function checkCounts(good: number, rejected: number): void {
  if (!isWholeBetween(good, 0, MAX_JOB_QUANTITY) || !isWholeBetween(rejected, 0, MAX_JOB_QUANTITY))
    refuseJob('good_quantity', 'good and rejected pieces must be whole numbers of 0 or more')
}

/** Throws PRINT_JOB_INVALID if more pieces are counted than the plate has. */
export function checkPlateCounts(plate: { pieces: number }, good: number, rejected: number): void {
  if (good + rejected <= plate.pieces) return
  const field = good > 0 ? 'good_quantity' : 'rejected_quantity'
  const pieces = plate.pieces === 1 ? '1 piece' : `${plate.pieces} pieces`
  refuseJob(field, `The plate has ${pieces}. Good and rejected pieces together cannot be more.`)
}

const ITEM_IN_TRASH = 'The item is in the trash, so nothing was added to stock.'

/**
 * Adds the good pieces of a plate to stock. Returns a note for the history if the item is deleted. Throws STOCK_LIMIT.
 */
export async function produce(
  tx: Queryable,
  job: Pick<JobToChange, 'id' | 'item_id'>,
  { plateId, good }: { plateId: string; good: number },
  by: AuditContext,
): Promise<string | null> {
  if (!job.item_id || good === 0) return null
  // A deleted item is not an error, because the pieces exist anyway and an agent could not handle a refusal.
  if (!(await findItemToPrint(tx, job.item_id))) return ITEM_IN_TRASH
  await moveStock(tx, { itemId: job.item_id, kind: 'produce', delta: good, printJobId: job.id, plateId }, by)
  return null
}

const SPOOL_IN_TRASH = 'The spool is in the trash, so its filament was not booked.'

/** An amount of filament to book, on the spool that the report names, otherwise on the chosen spool. */
interface FilamentToBook {
  grams: number
  kind: 'use' | 'waste'
  reason: string | null
  /** The spool that the report names. It must exist. */
  toldSpoolId: string | null
  chosenSpoolId: string | null
}

/** The id of the entry in the spool's ledger, and a note for the history if the filament could not be booked. */
export interface BookedFilament {
  entryId: string | null
  note: string | null
}

/** Books filament on a spool. Throws SPOOL_NOT_FOUND if the report names a spool that does not exist. */
export async function bookFilament(
  tx: Queryable,
  jobId: string,
  { grams, kind, reason, toldSpoolId, chosenSpoolId }: FilamentToBook,
  by: AuditContext,
): Promise<BookedFilament> {
  const spoolId = toldSpoolId ?? chosenSpoolId
  if (!spoolId || grams === 0) return { entryId: null, note: null }
  if (!toldSpoolId && !(await isLiveSpool(tx, spoolId))) return { entryId: null, note: SPOOL_IN_TRASH }
  const { entryId } = await takeFilament(tx, { spoolId, grams, kind, reason, printJobId: jobId }, by)
  return { entryId, note: null }
}
