import type { Queryable } from '../../../platform/database/database.ts'
import { type UsedByPlate, sumOfTools, toolsOf } from './book-use.ts'
import type { LockedPlate } from './lock-plate.ts'
import { addBookedEntries, findPlannedMinutes } from './plates.queries.ts'
import { estimateUse } from './used-by-tool.ts'

/** The filament and time of a plate that was cancelled during its print. */
export interface CancelledUse
  extends Pick<UsedByPlate, 'usedGrams' | 'isEstimated' | 'printMinutes' | 'tools' | 'spoolId'> {
  /** The share of the plate that was printed, from 0 to 1. */
  share: number
  /** The minutes to add to the printing time of the printer. */
  printerMinutes: number
}

/** Note for the history about a cancelled print whose use is unknown. */
export const UNKNOWN_USE = 'The used filament and time are unknown, so they were not booked.'

/**
 * Returns the use of a cancelled plate that a person or an agent printed. It is what the person reports, otherwise the
 * planned use times the progress that the agent reported. Returns null if neither is known: there is no progress if a
 * person has started the print, and the time since the start says little.
 */
export async function useOfCancelled(
  tx: Queryable,
  { plate }: Pick<LockedPlate, 'plate'>,
  reported: UsedByPlate,
): Promise<CancelledUse | null> {
  const planned = await findPlannedMinutes(tx, plate.id)
  const byTime = reported.printMinutes !== undefined && planned ? reported.printMinutes / planned : 0
  const share = Math.min(1, plate.progress || byTime)
  const tools = await toolsOf(tx, plate.id, reported)
  const grams = reported.usedGrams ?? sumOfTools(tools)
  const pieces = { pieces: plate.pieces, share }
  const estimated = grams === null && share > 0 ? await estimateUse(tx, plate.id, pieces) : null
  if (estimated) await addBookedEntries(tx, plate.id, estimated.bookedEntries)
  const estimate = estimated?.tools ?? null
  const minutes = reported.printMinutes ?? (share > 0 && planned ? Math.round(planned * share) : null)
  const usedGrams = grams ?? sumOfTools(estimate ?? undefined)
  if (usedGrams === null && minutes === null) return null
  return {
    ...(usedGrams !== null && { usedGrams, isEstimated: grams === null }),
    ...(minutes !== null && { printMinutes: minutes }),
    ...(tools && { tools }),
    ...(estimate && reported.spoolId === undefined && { tools: estimate }),
    ...(reported.spoolId !== undefined && { spoolId: reported.spoolId }),
    share,
    printerMinutes: minutes ?? 0,
  }
}

/** Returns the use of a plate of a silent agent: the planned use times the last progress that the agent reported. */
export const useOfLapsed = (tx: Queryable, plate: LockedPlate['plate']): Promise<CancelledUse | null> =>
  plate.agent === null || plate.progress === 0 ? Promise.resolve(null) : useOfCancelled(tx, { plate }, {})
