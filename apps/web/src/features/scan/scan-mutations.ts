import { undoSpoolEntry, useSpool as useSpoolCall, weighSpool } from '@pegasus/contracts/filament/ledger'
import { updateSpool } from '@pegasus/contracts/filament/spool-changes'
import { holdOrder, resumeOrder } from '@pegasus/contracts/orders/order-changes'
import {
  cancelPrintJob,
  completeQueuedJob,
  failQueuedJob,
  holdPrintJob,
  requeuePrintJob,
  startPrintJob,
  undoCompletion,
} from '@pegasus/contracts/print-queue/steps'
import {
  clearPrinter,
  loadPrinter,
  resumePrinter,
  startPrinterMaintenance,
} from '@pegasus/contracts/print-queue/printers'
import { type ScanAction, type Scanned, type ScannedOf, scanCode } from '@pegasus/contracts/labels/scan'
import {
  adjustStock,
  countItemStock,
  moveItem,
  SCANNED_REASON,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import { listPlates } from '@pegasus/contracts/print-queue/plates'
import { callApi } from '@/lib/http/api.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { formatCount, formatGrams } from '@/lib/format/format.ts'
import { keepOrder } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'
import type { Counts } from './counted-pieces.tsx'

/** An action that a scan has performed, with its undo. */
export interface PerformedAction {
  /** The object of the action. */
  found: Scanned
  /** The result as a short text, for example `−2` or `moved to Rack A3`. */
  what: string
  /** Undoes the action. Absent if the action cannot be undone. */
  undo?: () => Promise<unknown>
}

type Item = ScannedOf<'item'>
type Spool = ScannedOf<'spool'>
type Job = ScannedOf<'print_job'>
type Printer = ScannedOf<'printer'>

/** Returns the object with this code, in its current state; null if the code is unknown. */
export const lookUp = async (code: string): Promise<Scanned | null> =>
  (await callApi(scanCode, { query: { code } })).found

const undoOfMovement = (id: string) => () => callApi(undoMovement, { params: { id } })
const undoOfEntry = (id: string) => () => callApi(undoSpoolEntry, { params: { id } })

/** Adds pieces to the stock, or removes pieces if `delta` is negative. */
export async function changeStock(found: Item, delta: number): Promise<PerformedAction> {
  const { movement } = await callApi(adjustStock, {
    params: { id: found.id },
    body: { delta, reason: SCANNED_REASON },
  })
  const what = keepOrder(`${delta < 0 ? '−' : '+'}${formatCount(Math.abs(delta))}`)
  return { found, what, undo: undoOfMovement(movement.id) }
}

export async function countItem(found: Item, quantity: number): Promise<PerformedAction> {
  const { movement } = await callApi(countItemStock, { params: { id: found.id }, body: { quantity } })
  return {
    found,
    what: t('counted {quantity}', { quantity: formatCount(quantity) }),
    undo: undoOfMovement(movement.id),
  }
}

/**
 * A scan always overwrites the location, because it shows where the spool is now. Labels have no revision to compare.
 */
const LAST_WRITE_WINS = { 'If-Match': '*' }

const moveSpool = (id: string, location: string | null) =>
  callApi(updateSpool, { params: { id }, body: { location }, headers: LAST_WRITE_WINS })

export async function moveTo(found: Item | Spool, location: ScannedOf<'location'>): Promise<PerformedAction> {
  const what = t('moved to {title}', { title: location.title })
  if (found.kind === 'spool') {
    const { location: previous } = found.facts
    await moveSpool(found.id, location.facts.path)
    return { found, what, undo: () => moveSpool(found.id, previous) }
  }
  const { movement } = await callApi(moveItem, {
    params: { id: found.id },
    body: { location_id: location.id },
  })
  return { found, what, undo: undoOfMovement(movement.id) }
}

export async function takeGrams(found: Spool, grams: number): Promise<PerformedAction> {
  const { entry } = await callApi(useSpoolCall, { params: { id: found.id }, body: { grams } })
  return { found, what: keepOrder(`−${formatGrams(grams)}`), undo: undoOfEntry(entry.id) }
}

/** Books the weight on the scale. `emptyGrams` is given if the weight of the empty spool was unknown. */
export async function weigh(
  found: Spool,
  grossGrams: number,
  emptyGrams: number | null,
): Promise<PerformedAction> {
  const { entry, remaining_grams } = await callApi(weighSpool, {
    params: { id: found.id },
    body: { gross_grams: grossGrams, ...(emptyGrams !== null && { spool_weight_grams: emptyGrams }) },
  })
  return {
    found,
    what: t('weighed, {remaining_grams} left', { remaining_grams: formatGrams(remaining_grams) }),
    undo: undoOfEntry(entry.id),
  }
}

/**
 * Loads a spool into a printer's first empty slot, or into its first slot if none is empty. Undo unloads the spool. If
 * somebody else has changed the slot since the printer was scanned, nothing is loaded, and the call throws.
 */
export async function loadSpool(printer: Printer, spool: Spool): Promise<PerformedAction> {
  const { next_slot: next } = printer.facts
  const after = await callApi(loadPrinter, {
    params: { id: printer.id },
    body: { filament_id: spool.id, ...(next && { slot: next.slot, replaces: next.filament_id }) },
  })
  const slot = after.slots.find(({ filament_id: id }) => id === spool.id)?.slot
  const undo = () =>
    callApi(loadPrinter, {
      params: { id: printer.id },
      body: { slot, filament_id: null, replaces: spool.id },
    })
  return {
    found: printer,
    what: t('loaded {code}', { code: spool.code }),
    ...(slot !== undefined && { undo }),
  }
}

type Step = (typeof PRINTER_STEPS)[PrinterStep] | (typeof PLAIN_STEPS)[Exclude<PlainStep, 'start'>]

async function performStep(found: Printer | Job, { endpoint, done }: Step): Promise<PerformedAction> {
  await callApi(endpoint, { params: { id: found.id } })
  return { found, what: done }
}

/** Steps of a printer that need no input. */
export const PRINTER_STEPS = {
  clear: { endpoint: clearPrinter, label: t('Clear the plate'), done: t('plate cleared') },
  maintenance: { endpoint: startPrinterMaintenance, label: t('Maintenance'), done: t('in maintenance') },
  resume: { endpoint: resumePrinter, label: t('Resume'), done: t('back in use') },
} as const satisfies Partial<Record<ScanAction, object>>
export type PrinterStep = keyof typeof PRINTER_STEPS

/** Performs a step of a printer. A bed is cleared only if no plate of a job is on it. */
export async function stepPrinter(found: Printer, step: PrinterStep): Promise<PerformedAction> {
  if (step !== 'clear') return performStep(found, PRINTER_STEPS[step])
  await callApi(clearPrinter, { params: { id: found.id }, body: { plate_id: null } })
  return { found, what: PRINTER_STEPS.clear.done }
}

/** Formats the counts of a plate: `3 good, 1 rejected`. */
const countsText = ({ good, rejected }: Counts): string =>
  rejected > 0
    ? t('{good_quantity} good, {rejected_quantity} rejected', {
        good_quantity: formatCount(good),
        rejected_quantity: formatCount(rejected),
      })
    : t('{good_quantity} good', { good_quantity: formatCount(good) })

const bodyOf = ({ good, rejected, reason }: Counts) => ({
  good_quantity: good,
  rejected_quantity: rejected,
  ...(reason !== undefined && { reason }),
})

function refuseUndo(why: string): never {
  throw new ApiError({ status: 409, detail: why, otherwise: why })
}

/**
 * Undoes the completion of a plate. Throws if a later plate of its job has ended since, because that plate would be
 * undone instead.
 */
async function undoPlate(jobId: string, plateId: string): Promise<void> {
  const params = { id: jobId }
  const plates = await callApi(listPlates, { params })
  if (!plates.find(({ id }) => id === plateId)?.can_undo)
    refuseUndo(t('This job has changed since then. Undo is no longer possible.'))
  await callApi(undoCompletion, { params })
}

/** Clears the bed of a printer with the counted pieces of its plate. */
export async function clearCounted(found: Printer, counts: Counts): Promise<PerformedAction> {
  const { plate, job_code: jobCode } = found.facts
  const body = { plate_id: plate?.id ?? null, ...bodyOf(counts) }
  await callApi(clearPrinter, { params: { id: found.id }, body })
  const undo = async (code: string, plateId: string) => {
    const job = await lookUp(code)
    if (!job) refuseUndo(t('The job {code} no longer exists. Undo is no longer possible.', { code }))
    await undoPlate(job.id, plateId)
  }
  return {
    found,
    what: t('{done}, {counts}', { done: PRINTER_STEPS.clear.done, counts: countsText(counts) }),
    ...(plate && jobCode && { undo: () => undo(jobCode, plate.id) }),
  }
}

/** A running plate of a job. Null means a job that was printed although nobody has pressed Start. */
export type ScannedPlate = Job['facts']['plates'][number] | null

const plateId = (plate: ScannedPlate) => plate && { plate_id: plate.id }

/** Filament in grams and time in minutes that a stopped print has used. Absent values were not measured. */
export interface ScannedUse {
  used_grams?: number
  print_minutes?: number
}

interface CountedPlate extends Counts {
  plate: ScannedPlate
  /** Whether the plate is off the bed; undefined if a person or an agent prints it. */
  isCleared: boolean | undefined
}

export async function completePlate(
  found: Job,
  { plate, isCleared, ...counts }: CountedPlate,
  use: ScannedUse,
): Promise<PerformedAction> {
  const body = {
    ...bodyOf(counts),
    ...(isCleared !== undefined && { cleared: isCleared }),
    ...use,
    ...plateId(plate),
  }
  await callApi(completeQueuedJob, { params: { id: found.id }, body })
  const what = plate
    ? t('plate {number} completed, {counts}', { number: plate.number, counts: countsText(counts) })
    : t('completed, {counts}', { counts: countsText(counts) })
  return { found, what, ...(plate && { undo: () => undoPlate(found.id, plate.id) }) }
}

export async function failPlate(
  found: Job,
  plate: ScannedPlate,
  { reason, ...use }: ScannedUse & { reason: string },
): Promise<PerformedAction> {
  await callApi(failQueuedJob, { params: { id: found.id }, body: { reason, ...use, ...plateId(plate) } })
  return { found, what: plate ? t('plate {number} failed', { number: plate.number }) : t('failed') }
}

export async function resumeScannedOrder(found: ScannedOf<'order'>): Promise<PerformedAction> {
  const params = { id: found.id }
  await callApi(resumeOrder, { params })
  return { found, what: t('no longer on hold'), undo: () => callApi(holdOrder, { params }) }
}

/** Steps of a print job that need no input. The steps that stop a print take the filament and time that it used. */
export const PLAIN_STEPS = {
  start: { endpoint: startPrintJob, label: t('Start'), done: t('started') },
  hold: { endpoint: holdPrintJob, label: t('Hold'), done: t('on hold') },
  requeue: { endpoint: requeuePrintJob, label: t('Requeue'), done: t('back in the queue') },
  cancel: { endpoint: cancelPrintJob, label: t('Cancel job'), done: t('cancelled') },
} as const satisfies Partial<Record<ScanAction, object>>
export type PlainStep = keyof typeof PLAIN_STEPS

/** Starts the next plate of a job. A repeated call with the same headers has no effect. */
export async function startJob(found: Job, headers: { 'Idempotency-Key': string }): Promise<PerformedAction> {
  await callApi(startPrintJob, { params: { id: found.id }, headers })
  return { found, what: PLAIN_STEPS.start.done }
}

export async function stepJob(
  found: Job,
  step: Exclude<PlainStep, 'start'>,
  use: ScannedUse,
): Promise<PerformedAction> {
  const [{ id }, { done }] = [found, PLAIN_STEPS[step]]
  if (Object.keys(use).length === 0) return performStep(found, PLAIN_STEPS[step])
  await callApi(PLAIN_STEPS[step].endpoint, { params: { id }, body: use })
  return { found, what: done }
}
