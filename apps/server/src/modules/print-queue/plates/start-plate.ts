import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { listNumbersOfKey } from '../agents/leases.queries.ts'
import { type JobToChange, insertTransition, lockJob, updateJob } from '../jobs/job-changes.queries.ts'
import { setPrinterState } from '../printers/printer-state.ts'
import { type PrinterToChange, lockPrinter } from '../printers/printers.queries.ts'
import { assertStep, refuseStep } from '../steps/assert-step.ts'
import { findFileOfAllPlates, findFileOfPerson } from './file-of-person.ts'
import { findReasonToWait } from './give-up.ts'
import { piecesOfPlate } from './pieces-of-plate.ts'
import {
  countRunningPieces,
  findPlatesPerPrint,
  findRunningPlate,
  findSlicePieces,
  insertPlate,
  nextPlateNumber,
  recountPlates,
  saveLoadedSpools,
} from './plates.queries.ts'
import type { BeforeStart } from './undo/undo.queries.ts'

export interface PlateToStart {
  jobId: string
  /** Null if the printer is unknown. */
  printerId: string | null
  /**
   * The id of the sliced file. The default is the job's sliced file. If it has none and a person prints, it is the file
   * that fits the printer best.
   */
  sliceId?: string | null
  spoolId?: string | null
  /** Display name of the agent that prints the plate. `claim` contains its API key and its lease. */
  agent?: string | undefined
  claim?: { keyId: string; leaseId: string }
  /**
   * Number of pieces on the plate. By default, it follows from the job's pieces per plate, its sliced file
   * and its missing pieces.
   */
  pieces?: number
  progress?: number | undefined
  /** `sending` if the server or an agent first has to send the file to the printer. */
  state: 'sending' | 'printing'
}

export interface StartedPlate {
  plateId: string
  /** Number of the plate within its job, counted from 1. */
  number: number
  pieces: number
}

/** Throws PRINTER_BUSY if a plate is on the printer. */
async function assertNoPlate(tx: Queryable, { id, name }: { id: string; name: string }): Promise<void> {
  const plate = await findRunningPlate(tx, id)
  if (plate?.state === 'printed')
    throw new AppError('PRINTER_BUSY', { text: `${name} must be cleared first.` })
  if (plate) throw new AppError('PRINTER_BUSY', { text: `${name} is printing another plate.` })
}

/** Returns how many plates of the job's file a person prints: more than 1 if one piece needs all of them. */
async function findPlatesByHand(tx: Queryable, { id, slice_id: chosen }: JobToChange): Promise<number> {
  const sliceId = chosen ?? (await findFileOfAllPlates(tx, id))
  return sliceId === null ? 1 : findPlatesPerPrint(tx, sliceId)
}

/**
 * Locks a printer and checks that it can start a plate of a job in this state. Throws PRINTER_NOT_FOUND, PRINTER_BUSY or
 * PRINTER_STATE.
 */
async function lockFreePrinter(
  tx: Queryable,
  id: string,
  job: JobToChange,
  { state, claim }: Pick<PlateToStart, 'state' | 'claim'>,
): Promise<PrinterToChange> {
  const printer = await lockPrinter(tx, id)
  if (!printer) throw new AppError('PRINTER_NOT_FOUND')
  // A print that the server has not sent itself would look like a print that has disappeared.
  if (state === 'printing' && isNetworkKind(printer.kind))
    throw new AppError('PRINTER_STATE', {
      text:
        (await findPlatesByHand(tx, job)) > 1
          ? `The server itself runs ${printer.name}. Start the job without a printer to print all plates by hand.`
          : `The server itself runs ${printer.name}. Assign the job to it, and the server starts it.`,
    })
  await assertNoPlate(tx, printer)
  if (printer.state === 'maintenance')
    throw new AppError('PRINTER_STATE', { text: `${printer.name} is in maintenance.` })
  // A person at the machine sees whether the bed is free. The server and agents cannot see it.
  if ((isNetworkKind(printer.kind) || claim !== undefined) && printer.state === 'needs_clearing')
    throw new AppError('PRINTER_STATE', { text: `${printer.name} must be cleared first.` })
  return printer
}

/**
 * Throws PRINT_JOB_STATE if one piece needs all plates of a sliced file. The server and agents print only one of them,
 * and would count its pieces as done.
 */
async function assertOnePlate(tx: Queryable, sliceId: string): Promise<void> {
  const plates = await findPlatesPerPrint(tx, sliceId)
  if (plates > 1)
    throw new AppError('PRINT_JOB_STATE', {
      text: `One piece needs all ${plates} plates of the sliced file, so a person has to print it.`,
    })
}

async function piecesOf(
  tx: Queryable,
  job: JobToChange,
  missing: number,
  sliceId: string | null,
): Promise<number> {
  const ofSlice = sliceId === null ? null : await findSlicePieces(tx, sliceId)
  // One print of a sliced file always makes all of its pieces.
  return ofSlice ?? piecesOfPlate(job, missing)
}

/**
 * Returns the file that a person prints if none is named, otherwise null. A claim and the server always name the file.
 */
const fileOfPerson = async (
  tx: Queryable,
  { jobId, printerId, spoolId = null, state, claim }: PlateToStart,
): Promise<string | null> =>
  state !== 'printing' || claim !== undefined
    ? null
    : printerId === null
      ? findFileOfAllPlates(tx, jobId)
      : findFileOfPerson(tx, { jobId, printerId, spoolId })

/**
 * Starts the next plate of a job. `printerId` is null if the printer is unknown. If the plate of an undivided job
 * has fewer pieces than are missing, the job becomes a divided job with this number of pieces per plate. Locks the job
 * first, then the printer. Throws PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE if the job has ended, is on hold, has no missing
 * pieces, has failed three times in a row or was refused twice in a row, PRINTER_NOT_FOUND, PRINTER_BUSY or PRINTER_STATE.
 */
export async function startPlate(
  tx: Queryable,
  start: PlateToStart,
  by: AuditContext,
): Promise<StartedPlate> {
  const { jobId, printerId } = start
  const job = await lockJob(tx, jobId)
  if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
  if (job.status !== 'in_progress') assertStep(job.status, 'in_progress')
  const missing = job.quantity - job.good_quantity - (await countRunningPieces(tx, jobId))
  if (missing <= 0)
    throw job.status === 'in_progress'
      ? refuseStep('in_progress', 'in_progress')
      : new AppError('PRINT_JOB_STATE', { text: 'No piece of this print job is missing.' })
  const reasonToWait = await findReasonToWait(tx, job)
  if (reasonToWait !== null) throw new AppError('PRINT_JOB_STATE', { text: reasonToWait })
  if (printerId !== null) await lockFreePrinter(tx, printerId, job, start)

  const sliceId = start.sliceId ?? job.slice_id
  const plateId = uuidv7()
  const number = await nextPlateNumber(tx, jobId)
  const pieces = start.pieces ?? (await piecesOf(tx, job, missing, sliceId))
  // The job stays assigned to its printer as long as pieces are missing.
  const isReleased = printerId !== null && printerId === job.assigned_printer_id && pieces >= missing
  await insertPlate(tx, {
    id: plateId,
    print_job_id: jobId,
    number,
    printer_id: printerId,
    slice_id: sliceId ?? (await fileOfPerson(tx, start)),
    spool_id: start.spoolId ?? null,
    state: start.state,
    pieces,
    progress: start.progress ?? 0,
    agent: start.agent ?? null,
    api_key_id: start.claim?.keyId ?? null,
    lease_id: start.claim?.leaseId ?? null,
    claimed_beside: start.claim ? await listNumbersOfKey(tx, jobId, start.claim.keyId) : null,
    started_at: by.now,
    before_start: {
      job: {
        printer_id: job.printer_id,
        assigned_printer_id: job.assigned_printer_id,
        assigned_anyway: job.assigned_anyway,
        was_released: isReleased,
        pieces_per_plate: job.pieces_per_plate,
      },
    } satisfies BeforeStart,
  })
  // The new row of the plate prevents changes of the file, so this check is still valid when the transaction is
  // committed.
  if (sliceId !== null && (start.state === 'sending' || start.claim)) await assertOnePlate(tx, sliceId)
  await saveLoadedSpools(tx, plateId)
  const perPlate = job.pieces_per_plate ?? (pieces < missing ? pieces : null)
  const isDivided = perPlate !== null
  await updateJob(
    tx,
    jobId,
    {
      status: 'in_progress',
      started_at: job.started_at ?? by.now,
      hold_reason: null,
      pieces_per_plate: perPlate,
      ...(start.agent !== undefined && { agent: start.agent }),
      ...(printerId !== null && { printer_id: printerId }),
      ...(isReleased && { assigned_printer_id: null, assigned_anyway: false }),
      // The plates of a divided job can use different spools, so the job keeps its own chosen spool.
      ...(start.spoolId && (!isDivided || job.spool_id === null) && { spool_id: start.spoolId }),
    },
    by.now,
  )
  await recountPlates(tx, jobId, by.now)
  const reason =
    isDivided || number > 1 ? `Plate ${number}: ${pieces === 1 ? '1 piece' : `${pieces} pieces`}` : null
  await insertTransition(tx, { jobId, from: job.status, to: 'in_progress', reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
  if (printerId !== null)
    await setPrinterState(
      tx,
      printerId,
      // An agent reports its first progress only when the print has begun.
      { state: 'printing', progress: start.progress ?? (start.claim ? null : 0) },
      by,
    )
  return { plateId, number, pieces }
}
