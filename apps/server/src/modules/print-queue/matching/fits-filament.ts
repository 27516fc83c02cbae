import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import type { MatchedTool } from '@pegasus/contracts/print-queue/matching'
import { type ActionParts, actionOf, sliceAction } from './wait-action.ts'
import {
  type PlacedTool,
  type PlateTool,
  findMainTool,
  hasFixedSlots,
  hasToolColor,
  isSame,
  placeTools,
  usedTools,
} from './place-tools.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from './requirements.queries.ts'

type Filament = Pick<LoadedFilament, 'material' | 'product' | 'color'>

const hasMaterial = (needs: JobRequirements, { material, product }: Filament): boolean =>
  isSame(material, needs.material) &&
  // The product matters only if a person chose a spool for the job.
  (needs.match_strictness === 'material' || needs.product === null || isSame(product, needs.product))

const hasColor = (needs: JobRequirements, { color }: Filament): boolean =>
  needs.match_strictness !== 'exact' || needs.color === null || isSame(color, needs.color)

/**
 * Returns whether a filament matches a job, according to the job's strictness. A job without a material accepts any
 * filament.
 */
export const fitsFilament = (needs: JobRequirements, filament: Filament): boolean =>
  needs.material === null || (hasMaterial(needs, filament) && hasColor(needs, filament))

/**
 * Returns the needed filament of a plate. If the job names no material, the sliced file decides on the material.
 */
export function plateNeeds(needs: JobRequirements, slice: RequiredSlice | null): JobRequirements {
  if (needs.material !== null || slice === null) return needs
  const material = findMainTool(usedTools(slice.tools), null)?.material ?? null
  return material === null ? needs : { ...needs, material, product: null }
}

/** Returns the slot from which a printer must print the job's own filament. Null if any slot is possible. */
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
 * Returns the loaded spool that a plate uses. A spool with the `needed` grams comes before any other, and the chosen
 * spool before other spools that match. An overridden job may have no match and then uses the first loaded spool.
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

/**
 * Returns the name of the needed filament, such as `PLA Black`. If a spool was chosen, the name includes its product:
 * `PolyLite PLA Black`.
 */
const filamentName = (needs: JobRequirements): string => {
  const product = needs.match_strictness === 'material' ? null : needs.product
  const color = needs.match_strictness === 'exact' ? needs.color : null
  return [product, needs.material, color].filter(Boolean).join(' ')
}

const loadedNames = (loaded: readonly LoadedFilament[], slot: number | null = null): string => {
  const names = loaded.map(({ material, color }) => [material, color].filter(Boolean).join(' '))
  if (names.length > 0) return `Loaded: ${[...new Set(names)].join(', ')}.`
  return slot === null ? 'Its slots are empty.' : `Slot ${slot} is empty.`
}

const DECIMAL = new Intl.NumberFormat('en-US')

const grams = (value: number): string => {
  const rounded = value >= 10 ? Math.ceil(value) : Math.ceil(value * 10) / 10
  return `${DECIMAL.format(rounded)} g`
}

const byFullest = (a: UnloadedSpool, b: UnloadedSpool) => b.remaining_grams - a.remaining_grams

/**
 * Returns the unloaded spool to load: the chosen spool, even from another printer, otherwise the fullest one that
 * matches. The spool must hold the `needed` grams. Returns null if there is none.
 */
export function spoolToLoad(
  needs: JobRequirements,
  unloaded: readonly UnloadedSpool[],
  needed: number | null,
): UnloadedSpool | null {
  const enough = unloaded.filter(
    (spool) => (needed === null || spool.remaining_grams >= needed) && fitsFilament(needs, spool),
  )
  const chosen = enough.find(({ id }) => id === needs.spool_id)
  return chosen ?? enough.filter((spool) => spool.printer_id === null).toSorted(byFullest)[0] ?? null
}

/** Returns the action to load a spool. `slot` is null if any slot is possible. */
const loadAction = (
  printer: Candidate,
  spool: UnloadedSpool | LoadedFilament,
  slot: number | null,
): ActionParts => ({
  action: actionOf('load_spool', `Load ${spool.label}`, {
    printer_id: printer.id,
    filament_id: spool.id,
    slot,
  }),
})

/** Returns the action to add a spool to the stock, because no spool of the stock fits. */
const addSpool = (): ActionParts => ({ action: actionOf('add_spool', 'Add a spool') })

/**
 * Returns the reasons that concern the loaded filament: wrong material, wrong color, or too little filament.
 * `needed` is in grams.
 */
export function filamentReasons(
  job: JobRequirements,
  printer: Candidate,
  {
    slice,
    needed,
    unloaded,
  }: { slice: RequiredSlice | null; needed: number | null; unloaded: readonly UnloadedSpool[] },
): MatchReason[] {
  const needs = plateNeeds(job, slice)
  if (needs.material === null) return []
  const slot = mainSlot(job, slice, printer)
  const loaded = slot === null ? printer.loaded : printer.loaded.filter((spool) => spool.slot === slot)
  // A shop that does not record its spools names no material for its jobs either.
  if (job.material === null && loaded.length === 0) return []
  const where = slot === null ? '' : ` in slot ${slot}`
  const load = (): ActionParts => {
    const spool = spoolToLoad(needs, unloaded, needed)
    if (spool && spool.printer_id !== printer.id) return loadAction(printer, spool, slot)
    // A plate with one tool can use a spool that is in another slot of the printer.
    const inOther = printer.loaded.find(
      (other) =>
        slice !== null &&
        usedTools(slice.tools).length < 2 &&
        other.slot !== slot &&
        fitsFilament(needs, other) &&
        other.remaining_grams >= (needed ?? 0),
    )
    return slot !== null && inOther ? loadAction(printer, inOther, slot) : addSpool()
  }
  const ofMaterial = loaded.filter((spool) => hasMaterial(needs, spool))
  const message = () => `Needs ${filamentName(needs)}${where}. ${loadedNames(loaded, slot)}`
  if (ofMaterial.length === 0) return [{ code: 'material', message: message(), ...load() }]
  const fitting = ofMaterial.filter((spool) => hasColor(needs, spool))
  if (fitting.length === 0) {
    const other = ofMaterial.find(({ color }) => color !== null)?.color ?? null
    const change: ActionParts =
      other === null
        ? addSpool()
        : { action: actionOf('change_color', `Print in ${other}`, { color: other }) }
    const loading = load()
    return [
      {
        code: 'color',
        message: message(),
        ...(loading.action?.kind === 'load_spool' ? loading : change),
      },
    ]
  }
  const fullest = Math.max(...fitting.map(({ remaining_grams: left }) => left))
  if (needed === null || fullest >= needed) return []
  const short = `Short by ${grams(needed - fullest)} of ${filamentName(needs)}${where}: needs ${grams(needed)}, ${grams(fullest)} loaded.`
  return [{ code: 'grams_short', message: short, ...load() }]
}

/**
 * Finds the spool from which each used tool of a sliced file prints on a printer. The tool with the job's own filament
 * lacks nothing here, because `filamentReasons` reports its problems.
 */
export function placeOnPrinter(
  needs: JobRequirements,
  printer: Candidate,
  slice: RequiredSlice,
): PlacedTool<LoadedFilament>[] {
  const tools = usedTools(slice.tools)
  const mainTool = findMainTool(tools, needs.material)
  const { kind, slot_count: slotCount, loaded } = printer
  const isAnyColor = needs.match_strictness !== 'exact'
  const mainSpool = spoolOnPrinter(needs, printer, { slice, needed: mainTool?.grams ?? null })
  const isOwn =
    mainSpool !== null &&
    (mainSpool.id === needs.spool_id || fitsFilament(plateNeeds(needs, slice), mainSpool))
  // A spool that does not fit the job's own filament remains available for the other tools.
  const at = { kind, slotCount, loaded, mainTool, mainSpool: isOwn ? mainSpool : null, isAnyColor }
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

const CODES = { material: 'material', color: 'color', grams: 'grams_short' } as const

/** Describes why the spool of a tool does not fit. */
function toolMessage({ tool, spool, lacks }: PlacedTool<LoadedFilament>, loaded: string): string {
  const name = `Tool ${tool.tool + 1}`
  const wanted = [tool.material, lacks === 'color' ? tool.color_hex : null].filter(Boolean).join(' ')
  if (lacks !== 'grams' || tool.grams === null || spool === null) return `${name} needs ${wanted}. ${loaded}`
  const short = grams(tool.grams - spool.remaining_grams)
  return `${name} is short by ${short}: needs ${grams(tool.grams)}, ${grams(spool.remaining_grams)} loaded.`
}

/**
 * Returns the fullest spool of the stock that can feed a tool besides the one with the job's own filament. Returns null
 * if there is none.
 */
export const spoolForTool = (
  { match_strictness: strictness }: JobRequirements,
  tool: PlateTool,
  unloaded: readonly UnloadedSpool[],
): UnloadedSpool | null =>
  unloaded
    .filter(
      (spool) =>
        spool.printer_id === null &&
        (tool.material === null || isSame(spool.material, tool.material)) &&
        (strictness !== 'exact' || hasToolColor(tool, spool)) &&
        spool.remaining_grams >= (tool.grams ?? 0),
    )
    .toSorted(byFullest)[0] ?? null

/**
 * Returns the reasons that concern the tools of a sliced file besides the one with the job's own filament: wrong
 * material, wrong color or too little filament. `filament` is the result of `filamentReasons`. The spool that it names
 * is not offered to another tool.
 */
export function toolReasons(
  needs: JobRequirements,
  printer: Candidate,
  {
    slice,
    unloaded,
    filament,
  }: { slice: RequiredSlice; unloaded: readonly UnloadedSpool[]; filament: readonly MatchReason[] },
): MatchReason[] {
  if (usedTools(slice.tools).length < 2) return []
  const { kind, slot_count: slotCount, loaded } = printer
  const isFixed = hasFixedSlots(kind, slotCount)
  const taken = new Set(
    filament.map(({ action }) => (action?.kind === 'load_spool' ? action.filament_id : null)),
  )
  const offered = unloaded.filter(({ id }) => !taken.has(id))
  return placeOnPrinter(needs, printer, slice).flatMap((each): MatchReason[] => {
    const { tool, lacks } = each
    if (lacks === null) return []
    const slot = isFixed ? tool.tool + 1 : null
    const inSlot = slot === null ? loaded : loaded.filter((spool) => spool.slot === slot)
    const spool = spoolForTool(needs, tool, offered)
    // Two tools cannot print from the same spool.
    if (spool) offered.splice(offered.indexOf(spool), 1)
    // Without a fixed slot, the spool must not replace the job's own filament.
    const target = slot ?? each.spool?.slot ?? null
    return [
      {
        code: CODES[lacks],
        message: toolMessage(each, loadedNames(inSlot, slot)),
        // A printer with one slot cannot hold another filament.
        ...(slotCount < 2 ? sliceAction(needs) : spool ? loadAction(printer, spool, target) : addSpool()),
      },
    ]
  })
}
