import { undoSpoolEntry, useSpool as useSpoolCall, weighSpool } from '@pegasus/contracts/filament/ledger'
import { updateSpool } from '@pegasus/contracts/filament/spool-changes'
import {
  cancelPrintJob,
  completeQueuedJob,
  failQueuedJob,
  holdPrintJob,
  requeuePrintJob,
  startPrintJob,
} from '@pegasus/contracts/print-queue/steps'
import { type ScanAction, type Scanned, type ScannedOf, scanCode } from '@pegasus/contracts/labels/scan'
import {
  adjustStock,
  countItemStock,
  moveItem,
  SCANNED_REASON,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import { callApi } from '@/lib/http/api.ts'
import { formatCount, formatGrams } from '@/lib/format/format.ts'

/** An action done by a scan, with its undo. */
export interface ScanMutation {
  /** The subject of the action. */
  found: Scanned
  /** For example `−2` or `moved to Rack A3`. */
  what: string
  /** Absent if it cannot be undone. */
  undo?: () => Promise<unknown>
}

type Item = ScannedOf<'item'>
type Spool = ScannedOf<'spool'>
type Job = ScannedOf<'print_job'>

/** The current subject of a code; null if it is unknown. */
export const lookUp = async (code: string): Promise<Scanned | null> =>
  (await callApi(scanCode, { query: { code } })).found

const undoingMovement = (id: string) => () => callApi(undoMovement, { params: { id } })
const undoingEntry = (id: string) => () => callApi(undoSpoolEntry, { params: { id } })

/** Removes pieces (negative) or adds some (positive). */
export async function changeStock(found: Item, delta: number): Promise<ScanMutation> {
  const { movement } = await callApi(adjustStock, {
    params: { id: found.id },
    body: { delta, reason: SCANNED_REASON },
  })
  const what = `${delta < 0 ? '−' : '+'}${formatCount(Math.abs(delta))}`
  return { found, what, undo: undoingMovement(movement.id) }
}

export async function countItem(found: Item, quantity: number): Promise<ScanMutation> {
  const { movement } = await callApi(countItemStock, { params: { id: found.id }, body: { quantity } })
  return { found, what: `counted ${formatCount(quantity)}`, undo: undoingMovement(movement.id) }
}

/** A scan shows where the spool is now, whatever else changed; no label carries a revision. */
const LAST_WRITE_WINS = { 'If-Match': '*' }

const putSpool = (id: string, location: string | null) =>
  callApi(updateSpool, { params: { id }, body: { location }, headers: LAST_WRITE_WINS })

/** Moves an item or a spool to a location. */
export async function moveTo(found: Item | Spool, place: ScannedOf<'location'>): Promise<ScanMutation> {
  const what = `moved to ${place.title}`
  if (found.kind === 'spool') {
    const { location } = found.facts
    await putSpool(found.id, place.facts.path)
    return { found, what, undo: () => putSpool(found.id, location) }
  }
  const { movement } = await callApi(moveItem, { params: { id: found.id }, body: { location_id: place.id } })
  return { found, what, undo: undoingMovement(movement.id) }
}

export async function takeGrams(found: Spool, grams: number): Promise<ScanMutation> {
  const { entry } = await callApi(useSpoolCall, { params: { id: found.id }, body: { grams } })
  return { found, what: `−${formatGrams(grams)}`, undo: undoingEntry(entry.id) }
}

/** `emptyGrams` if the weight of the empty spool was unknown. */
export async function weigh(
  found: Spool,
  grossGrams: number,
  emptyGrams: number | null,
): Promise<ScanMutation> {
  const { entry, remaining_grams } = await callApi(weighSpool, {
    params: { id: found.id },
    body: { gross_grams: grossGrams, ...(emptyGrams !== null && { spool_weight_grams: emptyGrams }) },
  })
  return { found, what: `weighed, ${formatGrams(remaining_grams)} left`, undo: undoingEntry(entry.id) }
}

export async function completeJob(found: Job, good: number, rejected: number): Promise<ScanMutation> {
  const body = { good_quantity: good, rejected_quantity: rejected }
  await callApi(completeQueuedJob, { params: { id: found.id }, body })
  return { found, what: `completed, ${formatCount(good)} good` }
}

export async function failJob(found: Job, reason: string): Promise<ScanMutation> {
  await callApi(failQueuedJob, { params: { id: found.id }, body: { reason } })
  return { found, what: 'failed' }
}

/** Steps of a print job without further input. */
export const PLAIN_STEPS = {
  start: { endpoint: startPrintJob, label: 'Start', done: 'started' },
  hold: { endpoint: holdPrintJob, label: 'Hold', done: 'on hold' },
  requeue: { endpoint: requeuePrintJob, label: 'Requeue', done: 'back in the queue' },
  cancel: { endpoint: cancelPrintJob, label: 'Cancel job', done: 'cancelled' },
} as const satisfies Partial<Record<ScanAction, object>>
export type PlainStep = keyof typeof PLAIN_STEPS

export async function stepJob(found: Job, step: PlainStep): Promise<ScanMutation> {
  const { endpoint, done } = PLAIN_STEPS[step]
  await callApi(endpoint, { params: { id: found.id } })
  return { found, what: done }
}
