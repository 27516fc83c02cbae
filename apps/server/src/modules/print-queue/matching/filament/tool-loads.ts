import { byFullest, fitsFilament, placeOnPrinter, plateNeeds } from './fits-filament.ts'
import {
  type PlacedTool,
  type PlateTool,
  areColored,
  findMainTool,
  fitsTool,
  hasFixedSlots,
  pairTools,
  usedTools,
} from './place-tools.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from '../requirements.queries.ts'

/** A spool that has to be loaded for a tool before a plate. */
export interface ToolLoad {
  /** The tool, with the spool from which it would print now. Null for the tool with the job's own filament. */
  placed: PlacedTool<LoadedFilament> | null
  /** The spool to load. Null if no spool in stock fits. */
  spool: UnloadedSpool | null
  /** The slot for the spool. Null if the other tools need all slots. */
  slot: number | null
}

/** Returns the empty slots of a printer, in ascending order, as if it held the `loaded` spools. */
export const emptySlots = (
  { empty_slots: empty }: Pick<Candidate, 'empty_slots'>,
  loaded: readonly LoadedFilament[],
): number[] => empty.filter((slot) => !loaded.some((spool) => spool.slot === slot))

/** Returns whether the sliced file uses several tools and the printer has several slots for them. */
export const hasToolSlots = ({ slot_count: slots }: Candidate, { tools }: RequiredSlice): boolean =>
  slots > 1 && usedTools(tools).length > 1

/**
 * Returns the spools in stock that can feed another tool than the one with the job's own filament, best first. The
 * fullest comes first. If the file has no colors, spools with the job's own filament come before all others.
 */
function spoolsForTool(
  needs: JobRequirements,
  tool: PlateTool,
  { isColored, unloaded }: { isColored: boolean; unloaded: readonly UnloadedSpool[] },
): UnloadedSpool[] {
  const isOwn = (spool: UnloadedSpool) => Number(!isColored && fitsFilament(needs, spool))
  return unloaded
    .filter(
      (spool) =>
        spool.printer_id === null &&
        fitsTool(tool, spool, isColored) &&
        spool.remaining_grams >= (tool.grams ?? 0),
    )
    .toSorted((a, b) => isOwn(b) - isOwn(a) || byFullest(a, b))
}

/**
 * Decides which spools have to be loaded for a plate with several tools, and into which slots. `main` lists the spools
 * that can be loaded for the job's own filament, best first. Then the first result is for that filament. `main` is null
 * if that filament is loaded already, or does not matter.
 *
 * On a printer with fixed slots, each spool goes into the slot of its tool. On any other printer, it goes into an empty
 * slot, otherwise into a slot that no tool needs. No spool is given to two tools.
 */
export function planLoads(
  needs: JobRequirements,
  printer: Candidate,
  {
    slice,
    main,
    unloaded,
  }: {
    slice: RequiredSlice
    main: { spools: readonly UnloadedSpool[] } | null
    unloaded: readonly UnloadedSpool[]
  },
): ToolLoad[] {
  // The printer has only one slot, which feeds all tools.
  if (main && printer.slot_count < 2)
    return [{ placed: null, spool: main.spools[0] ?? null, slot: onlySlot(printer) }]
  const tools = usedTools(slice.tools)
  const mainTool = findMainTool(tools, needs.material)
  const placed = placeOnPrinter(needs, printer, slice, { lacksOwn: main !== null })
  const others = placed.filter(({ tool }) => tool !== mainTool)
  const lacking: (PlacedTool<LoadedFilament> | null)[] = others.filter(({ lacks }) => lacks !== null)
  if (main) lacking.unshift(null)
  const wanted = plateNeeds(needs, slice)
  const isColored = areColored(tools, needs.match_strictness !== 'exact')
  const spools = pairTools(lacking, (each) =>
    each ? spoolsForTool(wanted, each.tool, { isColored, unloaded }) : (main?.spools ?? []),
  )
  const nextSlot = slotsFor(printer, main ? others : placed)
  return lacking.map((each) => ({
    placed: each,
    spool: spools.get(each) ?? null,
    slot: nextSlot((each?.tool ?? mainTool)?.tool ?? 0, each?.spool?.slot ?? null),
  }))
}

const onlySlot = ({ empty_slots: empty, loaded }: Candidate): number | null =>
  loaded[0]?.slot ?? empty[0] ?? null

/**
 * Returns a function that chooses the slot for the next spool. Its arguments are the number of the tool, and the slot
 * of the spool that the tool has now but that does not fit.
 */
function slotsFor(
  printer: Candidate,
  placed: readonly PlacedTool<LoadedFilament>[],
): (tool: number, unfit: number | null) => number | null {
  const { kind, slot_count: slotCount, loaded } = printer
  const used = new Set(placed.map(({ spool, lacks }) => (lacks === null ? spool?.slot : null)))
  const empty = emptySlots(printer, loaded)
  const full = loaded.map(({ slot }) => slot).toSorted((a, b) => a - b)
  if (hasFixedSlots(kind, slotCount))
    return (tool) => ([...empty, ...full].includes(tool + 1) ? tool + 1 : null)
  // If there is only one slot, it has to stay free for the job's own filament.
  const open = slotCount < 2 ? [] : [...empty, ...full.filter((slot) => !used.has(slot))]
  return (_tool, unfit) => {
    const isFull = unfit !== null && !open.some((slot) => empty.includes(slot)) && open.includes(unfit)
    const slot = (isFull ? unfit : open[0]) ?? null
    if (slot !== null) open.splice(open.indexOf(slot), 1)
    return slot
  }
}
