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

/** A tool whose filament has to be loaded before a plate. */
export interface ToolLoad {
  /** The tool with what it has now. Null for the job's own filament. */
  placed: PlacedTool<LoadedFilament> | null
  /** The spool to load. Null if no spool of the stock fits. */
  spool: UnloadedSpool | null
  /** The slot for it. Null if the printer has no slot that the other tools leave free. */
  slot: number | null
}

/** Returns the empty slots of a printer that holds this filament, in ascending order. */
export const emptySlots = (
  { empty_slots: empty }: Pick<Candidate, 'empty_slots'>,
  loaded: readonly LoadedFilament[],
): number[] => empty.filter((slot) => !loaded.some((spool) => spool.slot === slot))

/** Returns whether the tools of a sliced file print from different slots of a printer. */
export const hasToolSlots = ({ slot_count: slots }: Candidate, { tools }: RequiredSlice): boolean =>
  slots > 1 && usedTools(tools).length > 1

/**
 * Returns the spools of the stock that can feed a tool other than the one with the job's own filament, best first. If the
 * file has no colors, spools of the job's own filament come first, then the fullest.
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
 * Decides which spools have to be loaded for a plate with several tools, and into which slots. `main` contains the spools
 * that could be loaded for the job's own filament, best first. It is null if that filament is loaded or does not matter;
 * otherwise, the first result is the load for that filament.
 *
 * On a printer with fixed slots, each spool goes into the slot of its tool. On any other printer, it goes into an empty
 * slot, otherwise into a slot that no tool needs. No spool of the stock is given to two tools.
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
  // All tools print from the only slot.
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
 * Returns a function that chooses a slot for each spool to load. Its arguments are the number of the tool and the slot of
 * the spool that does not fit.
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
  // A printer with one slot cannot hold another filament.
  const open = slotCount < 2 ? [] : [...empty, ...full.filter((slot) => !used.has(slot))]
  return (_tool, unfit) => {
    const isFull = unfit !== null && !open.some((slot) => empty.includes(slot)) && open.includes(unfit)
    const slot = (isFull ? unfit : open[0]) ?? null
    if (slot !== null) open.splice(open.indexOf(slot), 1)
    return slot
  }
}
