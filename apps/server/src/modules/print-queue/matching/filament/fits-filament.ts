import type { MatchedTool } from '@pegasus/contracts/print-queue/matching'
import { type PlacedTool, findMainTool, hasFixedSlots, isSame, placeTools, usedTools } from './place-tools.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from '../requirements.queries.ts'

type Filament = Pick<LoadedFilament, 'material' | 'product' | 'color'>

/** Returns whether a filament has the material of a job, and its product if a person chose a spool for the job. */
export const hasMaterial = (needs: JobRequirements, { material, product }: Filament): boolean =>
  isSame(material, needs.material) &&
  // The product matters only if a person chose a spool for the job.
  (needs.match_strictness === 'material' || needs.product === null || isSame(product, needs.product))

/** Returns whether a filament has the color of a job. Any color fits unless the job needs the exact filament. */
export const hasColor = (needs: JobRequirements, { color }: Filament): boolean =>
  needs.match_strictness !== 'exact' || needs.color === null || isSame(color, needs.color)

/**
 * Returns whether a filament matches a job, according to the job's strictness. A job without a material accepts any
 * filament.
 */
export const fitsFilament = (needs: JobRequirements, filament: Filament): boolean =>
  needs.material === null || (hasMaterial(needs, filament) && hasColor(needs, filament))

/**
 * Returns the requirements of a job for a plate of this sliced file. If the job names no material, the material of the
 * file is required.
 */
export function plateNeeds(needs: JobRequirements, slice: RequiredSlice | null): JobRequirements {
  if (needs.material !== null || slice === null) return needs
  const material = findMainTool(usedTools(slice.tools), null)?.material ?? null
  return material === null ? needs : { ...needs, material, product: null }
}

/** Returns the slot from which the tool with the job's own filament prints. Null if it can print from any slot. */
export function mainSlot(
  needs: JobRequirements,
  slice: RequiredSlice | null,
  { kind, slot_count: slots }: Candidate,
): number | null {
  if (slice === null || !hasFixedSlots(kind, slots)) return null
  const tool = findMainTool(usedTools(slice.tools), needs.material)
  return tool === null ? null : tool.tool + 1
}

/**
 * Returns the loaded spool that a plate uses. A spool with at least `needed` grams comes first, then the chosen spool,
 * then other spools that match. If no spool matches an overridden job, the first loaded spool is used.
 */
export function spoolOnPrinter(
  needs: JobRequirements,
  printer: Candidate,
  { slice, needed }: { slice: RequiredSlice | null; needed: number | null },
): LoadedFilament | null {
  const slot = mainSlot(needs, slice, printer)
  const loaded = slot === null ? printer.loaded : printer.loaded.filter((spool) => spool.slot === slot)
  const wanted = plateNeeds(needs, slice)
  const fitting = loaded.filter((spool) => spool.id === needs.spool_id || fitsFilament(wanted, spool))
  const enough = fitting.filter(({ remaining_grams: left }) => needed === null || left >= needed)
  const chosen = (spools: LoadedFilament[]) => spools.find(({ id }) => id === needs.spool_id)
  const fullest = fitting.toSorted((a, b) => b.remaining_grams - a.remaining_grams)[0]
  return chosen(enough) ?? enough[0] ?? chosen(fitting) ?? fullest ?? loaded[0] ?? null
}

/** Compares two spools, so that the fullest comes first. */
export const byFullest = (a: UnloadedSpool, b: UnloadedSpool) => b.remaining_grams - a.remaining_grams

/**
 * Returns the spools with at least `needed` grams that could be loaded for a job, best first. If a spool was chosen,
 * only that spool is returned, even if it is in another printer. Otherwise, all matching spools that are in no printer
 * are returned, the fullest first.
 */
export function spoolsToLoad(
  needs: JobRequirements,
  unloaded: readonly UnloadedSpool[],
  needed: number | null,
): UnloadedSpool[] {
  const enough = unloaded.filter(
    (spool) => (needed === null || spool.remaining_grams >= needed) && fitsFilament(needs, spool),
  )
  const chosen = enough.find(({ id }) => id === needs.spool_id)
  return chosen ? [chosen] : enough.filter((spool) => spool.printer_id === null).toSorted(byFullest)
}

/** Returns the first of `spoolsToLoad`, or null if there is none. */
export const spoolToLoad = (
  needs: JobRequirements,
  unloaded: readonly UnloadedSpool[],
  needed: number | null,
): UnloadedSpool | null => spoolsToLoad(needs, unloaded, needed)[0] ?? null

/**
 * Finds the spool in a printer from which each used tool of a sliced file prints. The tool with the job's own filament
 * has no `lacks` here, because `filamentReasons` reports its problems. If `lacksOwn` is set, the job's own filament is
 * not loaded yet, so all loaded spools are offered to the other tools.
 */
export function placeOnPrinter(
  needs: JobRequirements,
  printer: Candidate,
  slice: RequiredSlice,
  { lacksOwn = false } = {},
): PlacedTool<LoadedFilament>[] {
  const tools = usedTools(slice.tools)
  const mainTool = findMainTool(tools, needs.material)
  const { kind, slot_count: slotCount, loaded } = printer
  const isAnyColor = needs.match_strictness !== 'exact'
  const mainSpool = spoolOnPrinter(needs, printer, { slice, needed: mainTool?.grams ?? null })
  const isOwn =
    mainSpool !== null &&
    (mainSpool.id === needs.spool_id || fitsFilament(plateNeeds(needs, slice), mainSpool))
  // A spool that does not fit the job's own filament is offered to the other tools.
  const at = {
    kind,
    slotCount,
    loaded,
    mainTool,
    mainSpool: isOwn && !lacksOwn ? mainSpool : null,
    isAnyColor,
  }
  return placeTools(tools, at).map((each) => (each.tool === mainTool ? { ...each, spool: mainSpool } : each))
}

/** Returns the used tools of a sliced file with the slots from which they would print. */
export function toolsOnPrinter(
  needs: JobRequirements,
  printer: Candidate,
  slice: RequiredSlice,
): MatchedTool[] {
  const own = findMainTool(usedTools(slice.tools), needs.material)
  const wanted = plateNeeds(needs, slice)
  const lackOf = (spool: LoadedFilament | null, needed: number | null): MatchedTool['lacks'] => {
    if (spool === null || (spool.id !== needs.spool_id && !fitsFilament(wanted, spool)))
      return spool !== null && hasMaterial(wanted, spool) ? 'color' : 'material'
    return needed !== null && spool.remaining_grams < needed ? 'grams' : null
  }
  return placeOnPrinter(needs, printer, slice).map(({ tool, spool, lacks: other }) => {
    const lacks = tool === own ? lackOf(spool, tool.grams) : other
    const isThere = lacks === null || lacks === 'grams'
    const fixed = hasFixedSlots(printer.kind, printer.slot_count) ? tool.tool + 1 : null
    return {
      tool: tool.tool,
      material: tool.material,
      color_hex: tool.color_hex,
      grams: tool.grams,
      slot: fixed ?? (isThere ? (spool?.slot ?? null) : null),
      filament_id: isThere ? (spool?.id ?? null) : null,
      filament_label: isThere ? (spool?.label ?? null) : null,
      lacks,
    }
  })
}
