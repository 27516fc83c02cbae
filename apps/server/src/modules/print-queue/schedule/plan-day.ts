import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { filamentAfterRunning } from '../matching/filament/filament-after-running.ts'
import { fitsFilament, mainSlot, plateNeeds } from '../matching/filament/fits-filament.ts'
import { isLoadedByAgent } from '../matching/stated-facts.ts'
import { filamentSlice, fitsMachine, isOverridden, neededGrams, sliceFor } from '../matching/match-printer.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  UnloadedSpool,
  RequiredSlice,
} from '../matching/requirements.queries.ts'
import { piecesOfPlate } from '../plates/pieces-of-plate.ts'
import { usedTools } from '../matching/filament/place-tools.ts'
import { emptySlots } from '../matching/filament/tool-loads.ts'
import { CLEARING_MS, UNKNOWN_MINUTES, freeFrom, runningOn } from './running-plate.ts'
import type { PlannedRun } from './planned-run.ts'
import { type SpoolShelf, createSpoolShelf } from './spool-shelf.ts'
import { type SpoolChange, type ToolPlan, planTools } from './plan-tools.ts'

/** Time to change a spool. */
const CHANGE_MS = 10 * MINUTE_MS
/** A plate may end this much later if that saves a spool change. */
const CHANGE_IS_WORTH_MS = 30 * MINUTE_MS
/**
 * Up to this number, the plates of a job are planned one by one. All further plates go to the printer that is chosen
 * next.
 */
const PLACED_ONE_BY_ONE = 100
/** Jobs without a due date are sorted as if they were due a week after their creation. */
export const DUE_WITHOUT_DATE_MS = 7 * DAY_MS

/** A printer with its planned prints. */
interface Lane {
  printer: Candidate
  /** The time when the next plate can start. Null if it is unknown when the printer will be back in use. */
  freeAt: number | null
  /** The filament that is in the printer after its planned prints. */
  loaded: LoadedFilament[]
  runs: PlannedRun[]
}

interface PlateTime {
  pieces: number
  durationMs: number
  isGuess: boolean
}

/**
 * Returns the pieces and the duration of a job's next plate. `slice` is the sliced file that the printer would print.
 * On a manual printer, the number of pieces comes only from a file that was chosen for the job.
 */
function plateOf(
  needs: JobRequirements,
  { slice, lane: { printer } }: Pick<Fit, 'slice' | 'lane'>,
  missing: number,
): PlateTime {
  const isFixed = slice !== null && (printer.kind !== 'manual' || slice.id === needs.slice_id)
  const pieces = isFixed ? slice.pieces : piecesOfPlate(needs, missing)
  const estimated =
    needs.estimated_minutes === null ? null : (needs.estimated_minutes / needs.quantity) * pieces
  const sliced = slice?.minutes == null ? null : (slice.minutes / slice.pieces) * pieces
  const minutes = sliced ?? estimated
  return { pieces, durationMs: (minutes ?? UNKNOWN_MINUTES) * MINUTE_MS, isGuess: minutes === null }
}

/**
 * Returns the loaded filament that a plate would use, or the spool to load for it. Both are null if the filament does
 * not matter, or if the agent of the printer loads it. Returns null if no spool matches.
 */
function filamentOn(
  needs: JobRequirements,
  { lane, wanted, slot }: Fit,
  {
    needed,
    toLoad,
    fits,
  }: {
    needed: number | null
    toLoad: (wanted: JobRequirements, needed: number | null) => UnloadedSpool | null
    fits: (spool: LoadedFilament, wanted: JobRequirements) => boolean
  },
): { loaded: LoadedFilament | null; load: UnloadedSpool | null } | null {
  if (wanted.material === null || isOverridden(wanted, lane.printer)) return { loaded: null, load: null }
  if (isLoadedByAgent(lane.printer)) return { loaded: null, load: null }
  const offered = slot === null ? lane.loaded : lane.loaded.filter((spool) => spool.slot === slot)
  // The job names no material and no spool is recorded, so the filament does not matter.
  if (needs.material === null && offered.length === 0) return { loaded: null, load: null }
  const loaded = offered.find(
    (spool) => fits(spool, wanted) && (needed === null || spool.remaining_grams >= needed),
  )
  if (loaded) return { loaded, load: null }
  const load = toLoad(wanted, needed)
  if (load) return { loaded: null, load }
  // If a person has assigned the job to this printer, assume that the person will load the filament.
  return wanted.assigned_printer_id === lane.printer.id ? { loaded: null, load: null } : null
}

const byQueue = (a: JobRequirements, b: JobRequirements): number =>
  a.priority - b.priority ||
  a.position - b.position ||
  Date.parse(a.created_at) - Date.parse(b.created_at) ||
  (a.id < b.id ? -1 : 1)

/**
 * Returns the hour in which a job is due, counted from 1970. Jobs without a due date are due at the end of the UTC day
 * a week after their creation, so that the jobs of one day are sorted by priority.
 */
export function dueHourOf({
  due_at: due,
  created_at: created,
}: Pick<JobRequirements, 'due_at' | 'created_at'>): number {
  if (due !== null) return Math.floor(Date.parse(due) / HOUR_MS)
  return Math.ceil((Date.parse(created) + DUE_WITHOUT_DATE_MS) / DAY_MS) * (DAY_MS / HOUR_MS)
}

/** Jobs that need the same filament, are due in the same hour and have the same priority. */
interface FilamentGroup {
  /** The index of the group's first job in the sorted list. */
  place: number
  isLoaded: boolean
}

/**
 * Sorts jobs by the hour in which they are due, and then by priority. Jobs with a due date that are equal in both are
 * grouped by filament, to save spool changes. Groups whose filament is loaded come first. All other jobs keep the order
 * of the queue.
 */
function inOrderOfPlan(jobs: readonly JobRequirements[], lanes: readonly Lane[]): JobRequirements[] {
  const usable = lanes.flatMap(({ freeAt, loaded }) => (freeAt === null ? [] : loaded))
  const isLoaded = (needs: JobRequirements) =>
    usable.some((spool) => spool.remaining_grams > 0 && fitsFilament(needs, spool))
  const sorted = jobs
    .map((needs) => ({ needs, dueHour: dueHourOf(needs) }))
    .toSorted((a, b) => a.dueHour - b.dueHour || byQueue(a.needs, b.needs))
  const groups = new Map<string, FilamentGroup>()
  const grouped = sorted.map((job, place) => {
    const { material, color, priority, due_at: due } = job.needs
    if (due === null) return { ...job, group: { place, isLoaded: false } }
    const key = JSON.stringify([job.dueHour, priority, material?.toLowerCase(), color?.toLowerCase()])
    const group = groups.get(key) ?? { place, isLoaded: isLoaded(job.needs) }
    groups.set(key, group)
    return { ...job, group }
  })
  return grouped
    .toSorted(
      (a, b) =>
        a.dueHour - b.dueHour ||
        a.needs.priority - b.needs.priority ||
        Number(b.group.isLoaded) - Number(a.group.isLoaded) ||
        a.group.place - b.group.place,
    )
    .map(({ needs }) => needs)
}

/**
 * Plans the plates of all waiting jobs. Jobs that are assigned to a printer come first on that printer, in queue order.
 * The other jobs follow in the order of `inOrderOfPlan`.
 * Each plate goes to the printer on which it ends first. A spool change counts as an extra half hour, and the time for
 * pieces that nobody needs counts twice. Jobs that no printer can print are left out.
 */
export function planDay(
  {
    requirements,
    candidates,
    unloaded: onShelf,
  }: {
    requirements: readonly JobRequirements[]
    candidates: readonly Candidate[]
    unloaded: readonly UnloadedSpool[]
  },
  now: number,
): PlannedRun[] {
  const byId = new Map(requirements.map((needs) => [needs.id, needs]))
  const shelf = createSpoolShelf(onShelf.filter(({ printer_id: loadedIn }) => loadedIn === null))
  const lanes = candidates.map((printer): Lane => {
    const run = runningOn(printer, byId, now)
    return {
      printer,
      freeAt: freeFrom(
        printer,
        run?.endsAt ?? (printer.finishes_at === null ? null : Date.parse(printer.finishes_at)),
        now,
      ),
      loaded: filamentAfterRunning(printer, byId),
      runs: run ? [run] : [],
    }
  })
  const waiting = requirements.filter(({ status }) => status === 'pending' || status === 'in_progress')
  const assigned = waiting.filter(({ assigned_printer_id: id }) => id !== null).toSorted(byQueue)
  const open = waiting.filter(({ assigned_printer_id: id }) => id === null)
  for (const needs of assigned)
    placeJob(
      needs,
      lanes.filter(({ printer }) => printer.id === needs.assigned_printer_id),
      shelf,
    )
  for (const needs of inOrderOfPlan(open, lanes)) placeJob(needs, lanes, shelf)
  return lanes.flatMap(({ runs }) => runs)
}

/** A printer that can print a job, with the sliced file that it would print. */
interface Fit {
  lane: Lane
  slice: RequiredSlice | null
  /** The requirements of the plate, with the material of the sliced file if the job names none. */
  wanted: JobRequirements
  /** The slot that must hold the filament. Null if any slot is possible. */
  slot: number | null
  /** The sliced file if several of its tools need filament, otherwise null. */
  toolSlice: RequiredSlice | null
}

function placeJob(needs: JobRequirements, lanes: readonly Lane[], shelf: SpoolShelf): void {
  let missing = needs.quantity - needs.good_quantity - needs.running_pieces
  if (missing <= 0 || needs.is_given_up) return
  const offered: Fit[] = []
  for (const lane of lanes) {
    if (lane.freeAt === null) continue
    if (!isOverridden(needs, lane.printer) && !fitsMachine(needs, lane.printer)) continue
    const slice = sliceFor(needs, lane.printer)
    const decisive = filamentSlice(needs, lane.printer, slice)
    const hasTools = decisive !== null && usedTools(decisive.tools).length > 1
    offered.push({
      lane,
      slice,
      wanted: plateNeeds(needs, decisive),
      slot: mainSlot(needs, decisive, lane.printer),
      toolSlice:
        hasTools && !isOverridden(needs, lane.printer) && !isLoadedByAgent(lane.printer) ? decisive : null,
    })
  }
  const known = new Map<string, boolean>()
  const fits = (spool: LoadedFilament, wanted: JobRequirements): boolean => {
    if (wanted !== needs) return fitsFilament(wanted, spool)
    const isKnown = known.get(spool.id) ?? fitsFilament(needs, spool)
    known.set(spool.id, isKnown)
    return isKnown
  }
  for (let placed = 0; missing > 0; placed++) {
    const best = findBest(needs, offered, missing, shelf, fits)
    if (!best) return
    const rest = placed < PLACED_ONE_BY_ONE ? 1 : Math.ceil(missing / best.plate.pieces)
    append(needs, best, rest, shelf)
    missing -= best.plate.pieces * rest
  }
}

interface Placed {
  lane: Lane
  plate: PlateTime
  startsAt: number
  loaded: LoadedFilament | null
  load: UnloadedSpool | null
  needed: number | null
  slot: number | null
  /** The filament of a plate with several tools. */
  tools: ToolPlan | null
}

function findBest(
  needs: JobRequirements,
  offered: readonly Fit[],
  missing: number,
  shelf: SpoolShelf,
  fits: (spool: LoadedFilament, wanted: JobRequirements) => boolean,
): Placed | null {
  let best: Placed | null = null
  let bestScore = Infinity
  // Cached results, because most printers need the same filament and the shelf does not change in this loop.
  const found = new Map<JobRequirements, Map<number | null, UnloadedSpool | null>>()
  const toLoad = (wanted: JobRequirements, needed: number | null): UnloadedSpool | null => {
    const byGrams = found.get(wanted) ?? new Map<number | null, UnloadedSpool | null>()
    found.set(wanted, byGrams)
    const known = byGrams.get(needed)
    if (known !== undefined) return known
    const spool = shelf.find(wanted, needed)
    byGrams.set(needed, spool)
    return spool
  }
  const rolls = new Map<number, UnloadedSpool[]>()
  const rollsFor = ({ slot_count: most }: Candidate): UnloadedSpool[] => {
    const all = rolls.get(most) ?? shelf.fullest(most)
    rolls.set(most, all)
    return all
  }
  for (const fit of offered) {
    const { lane, slice } = fit
    const plate = plateOf(needs, fit, missing)
    const from = lane.freeAt ?? 0
    // This printer would end later than the best one so far, whichever filament it holds.
    if (from + plate.durationMs >= bestScore) continue
    const needed = neededGrams(needs, slice, lane.printer)
    const filament = filamentOn(needs, fit, { needed, toLoad, fits })
    if (!filament) continue
    const { toolSlice, slot } = fit
    const main = filament.load && { load: filament.load, needed }
    const tools =
      toolSlice &&
      planTools(needs, lane.printer, {
        slice: toolSlice,
        loaded: lane.loaded,
        main,
        unloaded: rollsFor(lane.printer),
      })
    if (toolSlice && !tools) continue
    const changes = tools ? tools.changes.length : filament.load ? 1 : 0
    const startsAt = from + changes * CHANGE_MS
    // The time for superfluous pieces counts twice, so that a smaller plate is preferred even if it ends slightly
    // later.
    const surplusMs = (plate.durationMs * Math.max(0, plate.pieces - missing)) / plate.pieces
    const score = startsAt + plate.durationMs + surplusMs + changes * CHANGE_IS_WORTH_MS
    if (score >= bestScore) continue
    bestScore = score
    best = { lane, plate, startsAt, needed, slot, tools, ...filament }
  }
  return best
}

/** Adds a plate, or several equal plates, to the end of a printer's plan. */
function append(
  needs: JobRequirements,
  { lane, plate, startsAt, loaded, load, needed, slot, tools }: Placed,
  plates: number,
  shelf: SpoolShelf,
): void {
  const changes = tools?.changes ?? (load ? [{ spool: load, slot: slotFor(lane, slot) }] : [])
  const endsAt = startsAt + plate.durationMs * plates + CLEARING_MS * (plates - 1)
  const last = lane.runs.at(-1)
  if (last && last.jobId === needs.id && !last.isRunning && changes.length === 0) {
    last.plates += plates
    last.pieces += plate.pieces * plates
    last.endsAt = endsAt
    last.isGuess ||= plate.isGuess
  } else
    lane.runs.push({
      printerId: lane.printer.id,
      jobId: needs.id,
      plates,
      pieces: plate.pieces * plates,
      startsAt,
      endsAt,
      isRunning: false,
      isGuess: plate.isGuess,
      loads: changes.map((change) => ({
        spoolId: change.spool.id,
        slot: lane.printer.slot_count < 2 ? null : change.slot,
      })),
    })
  lane.freeAt = endsAt + CLEARING_MS
  for (const change of changes) changeSpool(lane, change, shelf)
  const usedIn = (slotNumber: number) => lane.loaded.find((spool) => spool.slot === slotNumber)
  const main = load ? lane.loaded[0] : loaded
  const feeds = tools?.feeds ?? (main && needed !== null ? [{ spool: main, grams: needed }] : [])
  for (const { spool, grams } of feeds) {
    const used = usedIn(spool.slot)
    if (used) used.remaining_grams -= grams * plates
  }
}

/** Returns the slot for a spool that may be in any slot: an empty one, otherwise the first slot with a spool. */
const slotFor = ({ printer, loaded }: Lane, slot: number | null): number =>
  slot ?? emptySlots(printer, loaded)[0] ?? loaded[0]?.slot ?? 1

/** Moves a spool from the shelf into its slot, and puts the spool that was in the slot on the shelf. */
function changeSpool(lane: Lane, { spool, slot }: SpoolChange, shelf: SpoolShelf): void {
  const out = lane.loaded.find((loaded) => loaded.slot === slot)
  lane.loaded = [{ ...spool, slot }, ...lane.loaded.filter((loaded) => loaded !== out)]
  shelf.take(spool)
  if (out) shelf.add({ ...out, printer_id: null })
}
