import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, MINUTE_MS } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { cancelPlate, lockPlateWithJob, setPrinterState } from '../../print-queue/index.ts'
import { lockUnclaimed } from '../connection-claims.queries.ts'
import { type SendingPlate, findDispatch, listSendingPlates } from '../dispatches.queries.ts'

/** A plate whose print has not begun after this time is overdue, unless its upload is still running. */
const SENDING_LIMIT_MS = 15 * MINUTE_MS

export const UNCERTAIN =
  'The server sent the start command, but the printer does not report whether it printed. Check the bed, clear it, and start the job again.'

const unsent = (reason: string | null): string =>
  `The plate was not sent to the printer within ${SENDING_LIMIT_MS / MINUTE_MS} minutes.${reason === null ? '' : ` ${reason}`}`

/**
 * Returns whether the time limit since this moment has passed, or whether the moment is as far in the future, because
 * the clock was set back.
 */
export const isPastLimit = (since: string, now: Date): boolean =>
  Math.abs(now.getTime() - new Date(since).getTime()) > SENDING_LIMIT_MS

/**
 * Returns whether a plate is still being sent although the time limit has passed since its start, its upload, and its
 * last refused upload. The number of refused uploads is limited, and each may take minutes.
 */
const isOverdue = (
  { started_at: startedAt, uploaded_at: uploadedAt, refused_at: refusedAt }: SendingPlate,
  now: Date,
): boolean => [startedAt, uploadedAt, refusedAt].every((since) => since === null || isPastLimit(since, now))

/**
 * Returns plates to the queue that are being sent for too long and that no visit will send any more, because their
 * printer does not respond, or because the server no longer connects to it. The start of such a plate is never
 * repeated. If its start was sent and the printer does not respond, the plate stays until the printer responds or a
 * person ends it. If its start was sent and the server no longer connects to the printer, the bed has to be cleared.
 */
export async function returnOverduePlates(deps: {
  database: Database
  clock: Clock
  log: ServiceLog
}): Promise<void> {
  const { database, clock, log } = deps
  for (const plate of await listSendingPlates(database.sql)) {
    if (!isOverdue(plate, clock.now())) continue
    // An error with one plate must not prevent the return of the others.
    await database
      .transaction((tx) => returnOverdue(tx, plate, { actor: SYSTEM_ACTOR, now: clock.now() }))
      .catch((error: unknown) =>
        log.warn({ err: error, plate: plate.id }, 'an overdue plate was not returned'),
      )
  }
}

async function returnOverdue(
  tx: Queryable,
  { id, printer_id }: SendingPlate,
  by: AuditContext,
): Promise<void> {
  // This printer is being visited now, and the visit takes the next step itself.
  if (printer_id !== null && !(await lockUnclaimed(tx, printer_id))) return
  const { plate, printer } = await lockPlateWithJob(tx, id)
  if (plate.state !== 'sending') return
  const isStarted = (await findDispatch(tx, id))?.start_sent_at != null
  const isVisited = printer !== null && isNetworkKind(printer.kind) && printer.address !== null
  if (!isStarted)
    return cancelPlate(tx, id, { reason: unsent(printer?.state_reason ?? null), isUnsent: true }, by)
  if (isVisited) return
  await cancelPlate(tx, id, { reason: UNCERTAIN }, by)
  if (printer) await setPrinterState(tx, printer.id, { state: 'needs_clearing', reason: UNCERTAIN }, by)
}
