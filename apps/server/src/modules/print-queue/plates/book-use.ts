import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type BookedFilament, bookFilament } from '../steps/book-results.ts'
import type { LockedPlate } from './lock-plate.ts'
import { addBookedEntries } from './plates.queries.ts'
import { type ToolUse, estimateUse, resolveUse } from './used-by-tool.ts'

/** The filament and time that a plate has used. For a missing field, the value that the printer reported is used. */
export interface UsedByPlate {
  usedGrams?: number
  printMinutes?: number
  /** The spool that was really used, if it is not the chosen spool. */
  spoolId?: string
  /** Grams of each tool, instead of `usedGrams`. */
  tools?: readonly ToolUse[]
  /** Grams of each tool, as a person enters them. Each tool uses the spool in its slot of the printer. */
  gramsByTool?: number[]
  /** True if `usedGrams` was computed rather than measured by the printer. */
  isEstimated?: boolean
}

/**
 * Returns the grams of each tool with their spools. The result is undefined if the use was not given by tool.
 */
export async function toolsOf(
  tx: Queryable,
  plateId: string,
  { tools, gramsByTool, spoolId }: UsedByPlate,
): Promise<readonly ToolUse[] | undefined> {
  if (tools || !gramsByTool) return tools
  const [first, ...others] = await resolveUse(tx, plateId, { grams: gramsByTool })
  return first && [{ ...first, spoolId: spoolId ?? first.spoolId }, ...others]
}

const noteOfUnbooked = (grams: number): string =>
  `${grams} g were not booked, because no matching spool is loaded.`

/** The filament that a finished plate has used. `grams` is null if it is unknown, or if no loaded spool matches. */
interface PlateUse {
  grams: number | null
  tools: readonly ToolUse[] | undefined
  isEstimated: boolean
  /** A note for the history about expected filament that is not booked, because no loaded spool matches. */
  note: string | null
}

/**
 * Returns the grams of a finished plate in total and for each tool. If nobody has reported them, they are estimated.
 */
export async function useOf(
  tx: Queryable,
  { plate }: LockedPlate,
  result: UsedByPlate & { pieces: number },
): Promise<PlateUse> {
  const tools = await toolsOf(tx, plate.id, result)
  const reported = result.usedGrams ?? sumOfTools(tools)
  if (reported !== null)
    return { grams: reported, tools, isEstimated: result.isEstimated ?? false, note: null }
  if (plate.used_grams !== null)
    return { grams: plate.used_grams, tools, isEstimated: plate.is_estimated, note: null }
  const pieces = { pieces: result.pieces }
  const { tools: estimated, bookedEntries, unsuppliedGrams } = await estimateUse(tx, plate.id, pieces)
  await addBookedEntries(tx, plate.id, bookedEntries)
  const estimate = estimated ?? undefined
  // If only some of the tools have a matching spool, `bookUse` writes the note.
  const note = estimate || unsuppliedGrams === 0 ? null : noteOfUnbooked(unsuppliedGrams)
  return { grams: sumOfTools(estimate), tools: estimate, isEstimated: estimate !== undefined, note }
}

/** Returns the grams of all tools together. It is null if the use was not given by tool. */
export const sumOfTools = (tools: readonly ToolUse[] | undefined): number | null =>
  tools ? Math.round(tools.reduce((sum, { grams }) => sum + grams, 0) * 100) / 100 : null

interface BookedUse {
  entries: string[]
  note: string | null
}

/** Adds the booked ledger entries to the plate. Returns their ids, and all notes in one text. */
async function saveUse(
  tx: Queryable,
  plateId: string,
  booked: readonly BookedFilament[],
): Promise<BookedUse> {
  const entries = booked.flatMap(({ entryId }) => entryId ?? [])
  await addBookedEntries(tx, plateId, entries)
  return { entries, note: booked.flatMap(({ note }) => note ?? []).join(' ') || null }
}

/**
 * Books the filament of a plate, by tool if the use was reported by tool. Returns the ids of the ledger entries, and a
 * note for the history about filament that could not be booked.
 */
export async function bookUse(
  tx: Queryable,
  { job, plate }: { job: Pick<LockedPlate['job'], 'id'>; plate: Pick<LockedPlate['plate'], 'id'> },
  use: { grams: number | null; kind: 'use' | 'waste'; reason: string | null } & UsedByPlate,
  by: AuditContext,
): Promise<BookedUse> {
  const { kind, reason } = use
  const grams = use.grams ?? 0
  if (use.spoolId !== undefined && (use.usedGrams !== undefined || !use.tools)) {
    const booking = { grams, kind, reason, toldSpoolId: use.spoolId, chosenSpoolId: null }
    return saveUse(tx, plate.id, [await bookFilament(tx, job.id, booking, by)])
  }
  const isSingle = use.usedGrams !== undefined || !use.tools
  if (isSingle && grams === 0) return { entries: [], note: null }
  const tools = isSingle ? await resolveUse(tx, plate.id, { grams }) : (use.tools ?? [])
  // Spools are always locked in the same order, so that two reports cannot deadlock.
  const inOrder = tools.toSorted((a, b) => ((a.spoolId ?? '') < (b.spoolId ?? '') ? -1 : 1))
  const booked: BookedFilament[] = []
  for (const { spoolId, grams: ofTool } of inOrder) {
    const booking = { grams: ofTool, kind, reason, toldSpoolId: null, chosenSpoolId: spoolId }
    if (spoolId === null && ofTool > 0) booked.push({ entryId: null, note: noteOfUnbooked(ofTool) })
    else booked.push(await bookFilament(tx, job.id, booking, by))
  }
  return saveUse(tx, plate.id, booked)
}
