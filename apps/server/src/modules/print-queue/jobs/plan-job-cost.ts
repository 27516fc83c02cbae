import { MAX_ESTIMATED_GRAMS, MAX_ESTIMATED_MINUTES } from '@pegasus/contracts/print-queue/jobs'
import type { Insert } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type PlannedItem, costOfPrint, readCostSettings, readPlannedItems } from '../../inventory/index.ts'
import {
  type SlicePlan,
  readPieceEstimates,
  readPlannedSlices,
  readSpoolPrices,
} from './planned-costs.queries.ts'

/** A job whose cost is planned. */
export type JobToPlan = Pick<
  Insert<'print_jobs'>,
  | 'item_id'
  | 'stl_version_id'
  | 'slice_id'
  | 'spool_id'
  | 'quantity'
  | 'pieces_per_plate'
  | 'estimated_grams'
  | 'estimated_minutes'
>

/** The planned cost, and the number of pieces that it is for. Both are null if the cost cannot be planned. */
export interface PlannedCost {
  planned_cost_minor: number | null
  planned_pieces: number | null
}

const UNKNOWN: PlannedCost = { planned_cost_minor: null, planned_pieces: null }

/** The filament and time that a job is expected to use. */
interface PlannedPrint {
  grams: number
  minutes: number
  plates: number
  pieces: number
}

/**
 * Fills in the missing estimates of jobs. The figures come from the chosen sliced file, otherwise from the newest one,
 * otherwise from the item, in proportion to the number of pieces. Estimates that exist stay unchanged. The number of
 * statements does not depend on the number of jobs.
 */
export async function withEstimates<Job extends JobToPlan>(
  tx: Queryable,
  jobs: readonly Job[],
): Promise<Job[]> {
  const lacking = jobs.filter((job) => job.estimated_grams == null || job.estimated_minutes == null)
  const slices = await readSlicesOf(tx, lacking)
  const items = await readPieceEstimates(
    tx,
    lacking.flatMap(({ item_id: itemId }) => itemId ?? []),
  )
  return jobs.map((job) => {
    const slice = slices.get(job.slice_id ?? job.stl_version_id ?? '')
    const item = items.get(job.item_id ?? '')
    const grams = slice ? slice.grams / slice.pieces : (item?.grams ?? null)
    const minutes = slice ? slice.minutes / slice.pieces : (item?.minutes ?? null)
    return {
      ...job,
      estimated_grams: job.estimated_grams ?? gramsOf(grams, job.quantity),
      estimated_minutes: job.estimated_minutes ?? minutesOf(minutes, job.quantity),
    }
  })
}

const gramsOf = (each: number | null, pieces: number): number | null =>
  each === null ? null : Math.min(MAX_ESTIMATED_GRAMS, Math.round(each * pieces * 100) / 100)

const minutesOf = (each: number | null, pieces: number): number | null =>
  each === null ? null : Math.min(MAX_ESTIMATED_MINUTES, Math.round(each * pieces))

const readSlicesOf = (tx: Queryable, jobs: readonly JobToPlan[]) =>
  readPlannedSlices(tx, {
    versionIds: jobs.flatMap((job) => job.stl_version_id ?? []),
    sliceIds: jobs.flatMap((job) => job.slice_id ?? []),
  })

/** Returns the filament and time for whole prints, because each print of a sliced file makes all its pieces. */
function printOfSlice({ quantity }: JobToPlan, slice: SlicePlan): PlannedPrint {
  const prints = Math.ceil(quantity / slice.pieces)
  return {
    grams: slice.grams * prints,
    minutes: slice.minutes * prints,
    plates: slice.plates * prints,
    pieces: slice.pieces * prints,
  }
}

/** Returns the filament and time according to the estimates that a person entered, or null if there are none. */
function printOfEstimate(job: JobToPlan, item: PlannedItem | undefined): PlannedPrint | null {
  const { quantity, pieces_per_plate: perPlate } = job
  const [givenGrams, givenMinutes] = [job.estimated_grams ?? null, job.estimated_minutes ?? null]
  const grams = item?.weightGrams == null ? null : item.weightGrams * quantity
  const minutes = item?.minutes == null ? null : Math.round(item.minutes * quantity)
  // Ignore an estimate that only repeats the figures of the item, because the item's own calculation is more exact.
  const isOwnWeight = givenGrams === null || (grams !== null && Math.abs(Number(givenGrams) - grams) < 0.01)
  const isOwnTime = givenMinutes === null || givenMinutes === minutes
  if (isOwnWeight && isOwnTime) return null
  const print = { grams: givenGrams ?? grams, minutes: givenMinutes ?? minutes }
  if (print.grams === null || print.minutes === null) return null
  const plates = perPlate == null ? 1 : Math.ceil(quantity / perPlate)
  return { grams: Number(print.grams), minutes: print.minutes, plates, pieces: quantity }
}

/**
 * Plans the cost of jobs at today's prices. Returns the results in the order of the jobs. Filament and time come from
 * the chosen or the newest sliced file, otherwise from the job's estimates, otherwise from the item. The filament price
 * is that of the chosen spool, otherwise that of the settings. The machine rates are those of the settings, because the
 * printer is not known yet. The expected share of failed prints is added. The number of statements does not depend on
 * the number of jobs.
 */
export async function planJobCosts(tx: Queryable, jobs: readonly JobToPlan[]): Promise<PlannedCost[]> {
  const { revision: _revision, changed: _changed, ...rates } = await readCostSettings(tx)
  const items = await readPlannedItems(
    tx,
    jobs.flatMap((job) => job.item_id ?? []),
    rates,
  )
  const slices = await readSlicesOf(tx, jobs)
  const prices = await readSpoolPrices(
    tx,
    jobs.flatMap((job) => job.spool_id ?? []),
  )
  return jobs.map((job): PlannedCost => {
    const item = items.get(job.item_id ?? '')
    const slice = slices.get(job.slice_id ?? job.stl_version_id ?? '')
    const print = slice ? printOfSlice(job, slice) : printOfEstimate(job, item)
    if (print === null)
      return item?.unitCostMinor == null
        ? UNKNOWN
        : { planned_cost_minor: item.unitCostMinor * job.quantity, planned_pieces: job.quantity }
    const figures = {
      filament: [{ grams: print.grams, minorPerKg: prices.get(job.spool_id ?? '') ?? null }],
      time: [{ minutes: print.minutes, watts: null, minorPerHour: null }],
      plates: print.plates,
      goodPieces: print.pieces,
      failurePercent: item?.failurePercent ?? rates.failure_percent,
    }
    return { planned_cost_minor: costOfPrint(figures, rates).total_minor, planned_pieces: print.pieces }
  })
}
