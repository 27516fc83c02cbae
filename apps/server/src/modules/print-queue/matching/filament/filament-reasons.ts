import type { MatchReason, WaitAction } from '@pegasus/contracts/print-queue/job-waits'
import {
  hasColor,
  hasMaterial,
  fitsFilament,
  mainSlot,
  placeOnPrinter,
  plateNeeds,
  spoolToLoad,
  spoolsToLoad,
} from './fits-filament.ts'
import {
  type PlacedTool,
  type PlateTool,
  areColored,
  findMainTool,
  fitsTool,
  hasFixedSlots,
  usedTools,
} from './place-tools.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from '../requirements.queries.ts'
import { hasToolSlots, planLoads } from './tool-loads.ts'
import { type ActionParts, actionOf, sliceAction } from '../wait-action.ts'

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

/** Formats a weight in grams in the same way as the web app. */
const grams = (value: number): string => {
  const rounded = value >= 10 ? Math.round(value) : Math.max(value > 0 ? 0.1 : 0, Math.round(value * 10) / 10)
  return `${DECIMAL.format(rounded)} g`
}

/** Returns a slot for a spool, and the spool that is in it now. If no slot is `wanted`, empty slots come first. */
function slotToLoad(
  { loaded, empty_slots: empty }: Candidate,
  wanted: number | null,
): NonNullable<WaitAction['replaces']> {
  const slot = wanted ?? empty[0] ?? loaded[0]?.slot ?? 1
  return { slot, filament_id: loaded.find((spool) => spool.slot === slot)?.id ?? null }
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
    replaces: slotToLoad(printer, slot),
  }),
})

/** Returns the action to move a spool within the printer to the slot of the tool that needs it. */
const moveAction = (printer: Candidate, spool: LoadedFilament, slot: number): ActionParts => ({
  action: actionOf('load_spool', `Move ${spool.label} to slot ${slot}`, {
    printer_id: printer.id,
    filament_id: spool.id,
    slot,
    replaces: slotToLoad(printer, slot),
  }),
})

/** Returns the action to add a new spool, for the case that no spool in stock fits. */
const addSpool = (): ActionParts => ({ action: actionOf('add_spool', 'Add a spool') })

/** Returns the loaded spools from which no tool of a sliced file prints. They can be moved to another slot. */
function unusedSpools(
  job: JobRequirements,
  printer: Candidate,
  slice: RequiredSlice,
  { lacksOwn }: { lacksOwn: boolean },
): LoadedFilament[] {
  const mainTool = findMainTool(usedTools(slice.tools), job.material)
  const used = new Set(
    placeOnPrinter(job, printer, slice, { lacksOwn })
      .filter(({ tool, lacks }) => lacks === null && !(lacksOwn && tool === mainTool))
      .map(({ spool }) => spool?.id),
  )
  return printer.loaded.filter(({ id }) => !used.has(id))
}

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
  // The job names no material and no spool is recorded, so there is nothing to compare.
  if (job.material === null && loaded.length === 0) return []
  const loadOfOwn = (file: RequiredSlice) => {
    const main = { spools: spoolsToLoad(needs, unloaded, needed) }
    return planLoads(job, printer, { slice: file, main, unloaded })[0] ?? null
  }
  const where = slot === null ? '' : ` in slot ${slot}`
  const load = (): ActionParts => {
    const own = slice !== null && hasToolSlots(printer, slice) ? loadOfOwn(slice) : null
    const spool = own ? own.spool : spoolToLoad(needs, unloaded, needed)
    if (spool && spool.printer_id !== printer.id) return loadAction(printer, spool, own ? own.slot : slot)
    if (slot === null || slice === null) return addSpool()
    const inOther = unusedSpools(job, printer, slice, { lacksOwn: true }).find(
      (other) => other.slot !== slot && fitsFilament(needs, other) && other.remaining_grams >= (needed ?? 0),
    )
    return inOther ? moveAction(printer, inOther, slot) : addSpool()
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
  const short = `Short by ${grams(needed - fullest)} of ${filamentName(needs)}${where}: needs ${grams(needed)}, ${amountOf(printer, fullest)}.`
  return [{ code: 'grams_short', message: short, ...load() }]
}

/**
 * Returns how many grams of a loaded spool remain for the next plate. The plate on the bed takes its filament first.
 */
const amountOf = ({ running }: Candidate, left: number): string =>
  running ? `${grams(left)} left after the plate on the bed` : `${grams(left)} loaded`

const CODES = { material: 'material', color: 'color', grams: 'grams_short' } as const

/** Returns the sentence that says why the spool of a tool does not fit. */
function toolMessage(
  printer: Candidate,
  { tool, spool, lacks }: PlacedTool<LoadedFilament>,
  loaded: string,
): string {
  const name = `Tool ${tool.tool + 1}`
  const wanted = [tool.material, lacks === 'color' ? tool.color_hex : null].filter(Boolean).join(' ')
  if (lacks !== 'grams' || tool.grams === null || spool === null) return `${name} needs ${wanted}. ${loaded}`
  const short = grams(tool.grams - spool.remaining_grams)
  return `${name} is short by ${short}: needs ${grams(tool.grams)}, ${amountOf(printer, spool.remaining_grams)}.`
}

/**
 * Returns the reasons that concern the other tools of a sliced file, apart from the tool with the job's own filament:
 * wrong material, wrong color or too little filament. `filament` is the result of `filamentReasons`. The spool and the
 * slot in its action are not offered to another tool. On a printer with fixed slots, a spool that is loaded in a wrong
 * slot is moved if no spool in stock fits.
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
  const named = new Set(
    filament.map(({ action }) => (action?.kind === 'load_spool' ? action.filament_id : null)),
  )
  const main =
    filament.length > 0 && slotCount > 1 ? { spools: unloaded.filter(({ id }) => named.has(id)) } : null
  const isColored = areColored(usedTools(slice.tools), needs.match_strictness !== 'exact')
  const movable = isFixed ? unusedSpools(needs, printer, slice, { lacksOwn: filament.length > 0 }) : []
  const move = (tool: PlateTool, slot: number): ActionParts | null => {
    const spool = movable.find(
      (other) =>
        other.slot !== slot &&
        !named.has(other.id) &&
        fitsTool(tool, other, isColored) &&
        other.remaining_grams >= (tool.grams ?? 0),
    )
    if (!spool) return null
    named.add(spool.id)
    return moveAction(printer, spool, slot)
  }
  return planLoads(needs, printer, { slice, main, unloaded }).flatMap(
    ({ placed, spool, slot }): MatchReason[] => {
      if (!placed || placed.lacks === null) return []
      const inSlot = isFixed ? loaded.filter((other) => other.slot === placed.tool.tool + 1) : loaded
      return [
        {
          code: CODES[placed.lacks],
          message: toolMessage(printer, placed, loadedNames(inSlot, isFixed ? placed.tool.tool + 1 : null)),
          // If the printer has too few slots, only another sliced file helps.
          ...(slot === null
            ? sliceAction(needs)
            : spool
              ? loadAction(printer, spool, slot)
              : (move(placed.tool, slot) ?? addSpool())),
        },
      ]
    },
  )
}
