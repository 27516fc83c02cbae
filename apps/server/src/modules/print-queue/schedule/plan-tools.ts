import { placeOnPrinter, spoolForTool } from '../matching/fits-filament.ts'
import { hasFixedSlots } from '../matching/place-tools.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from '../matching/requirements.queries.ts'

/** A spool that has to be loaded before a print, and its slot. */
export interface SpoolChange {
  spool: UnloadedSpool
  slot: number
}

/** What has to be loaded for a plate with several tools, and from which spools the tools print then. */
export interface ToolPlan {
  changes: SpoolChange[]
  /** The filament in the printer after the changes. */
  loaded: LoadedFilament[]
  feeds: { spool: LoadedFilament; grams: number }[]
}

/** Returns the first empty slot of a printer, or null if all its slots are full. */
export const emptySlot = (
  { empty_slots: empty }: Candidate,
  loaded: readonly LoadedFilament[],
): number | null => empty.find((slot) => !loaded.some((spool) => spool.slot === slot)) ?? null

/**
 * Plans the filament of a plate with several tools. `loaded` is the filament that is in the printer by then, and `main`
 * the spool to load for the job's own filament, or null if it is loaded, with its slot, or null for any slot. Returns
 * null if a tool lacks filament that no spool of the stock has, or for which there is no slot.
 */
export function planTools(
  needs: JobRequirements,
  printer: Candidate,
  {
    slice,
    loaded,
    main,
    unloaded,
  }: {
    slice: RequiredSlice
    loaded: LoadedFilament[]
    main: { spool: UnloadedSpool; slot: number | null } | null
    unloaded: readonly UnloadedSpool[]
  },
): ToolPlan | null {
  const isFixed = hasFixedSlots(printer.kind, printer.slot_count)
  const plan: ToolPlan = { changes: [], loaded, feeds: [] }
  const place = () => placeOnPrinter(needs, { ...printer, loaded: plan.loaded }, slice)
  /** Returns the first loaded slot that no fitting tool uses if the tools are placed without one of them. */
  const slotWithout = (missing: number): number | undefined => {
    const tools = slice.tools.filter(({ tool }) => tool !== missing)
    const others = placeOnPrinter(needs, { ...printer, loaded: plan.loaded }, { ...slice, tools })
    const used = new Set(others.map(({ spool, lacks }) => (lacks === null ? spool?.slot : null)))
    return plan.loaded
      .map(({ slot }) => slot)
      .toSorted((a, b) => a - b)
      .find((slot) => !used.has(slot))
  }
  const load = (spool: UnloadedSpool, slot: number) => {
    plan.changes.push({ spool, slot })
    plan.loaded = [{ ...spool, slot }, ...plan.loaded.filter((other) => other.slot !== slot)]
  }
  if (main) {
    const used = new Set(place().map(({ spool, lacks }) => (lacks === null ? spool?.slot : null)))
    const unused = loaded.find(({ slot }) => !used.has(slot)) ?? loaded[0]
    load(main.spool, main.slot ?? emptySlot(printer, loaded) ?? unused?.slot ?? 1)
  }
  // Each loaded spool may free another one for the tools after it, so the tools are placed again after each.
  for (let most = place().length; most > 0; most -= 1) {
    const lacking = place().find(({ lacks }) => lacks !== null)
    if (!lacking) break
    const { tool, spool } = lacking
    if (printer.slot_count < 2) return null
    const slot = isFixed
      ? tool.tool + 1
      : (emptySlot(printer, plan.loaded) ?? slotWithout(tool.tool) ?? spool?.slot)
    const left = unloaded.filter((other) => plan.changes.every((change) => change.spool !== other))
    const fitting = spoolForTool(needs, tool, left)
    if (slot === undefined || !fitting) return null
    load(fitting, slot)
  }
  for (const { tool, spool, lacks } of place()) {
    if (lacks !== null) return null
    if (spool && tool.grams !== null) plan.feeds.push({ spool, grams: tool.grams })
  }
  return plan
}
