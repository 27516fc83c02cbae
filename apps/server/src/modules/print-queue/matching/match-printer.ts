import { type MatchReason, isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { filamentReasons, toolReasons } from './fits-filament.ts'
import { actionOf } from './wait-action.ts'
import type { Candidate, JobRequirements, UnloadedSpool, RequiredSlice } from './requirements.queries.ts'

// The formatter is created once, because creating one takes longer than matching a printer.
const DECIMAL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const mm = (value: number): string => DECIMAL.format(value)
const size = (sides: readonly number[]): string => `${sides.map(mm).join(' × ')} mm`

/** Returns whether a model fits on a bed, possibly rotated by 90 degrees. The third number is the height. */
function fitsBed(model: readonly number[], bed: readonly number[]): boolean {
  const [x = 0, y = 0, z = 0] = model
  const [width = 0, depth = 0, height = 0] = bed
  // Tolerate a measuring error of 0.1 mm.
  const [long, short] = [Math.max(x, y) - 0.1, Math.min(x, y) - 0.1]
  return long <= Math.max(width, depth) && short <= Math.min(width, depth) && z - 0.1 <= height
}

function bedReasons({ size_mm: model }: JobRequirements, { bed_mm: bed }: Candidate): MatchReason[] {
  if (model === null || bed === null || fitsBed(model, bed)) return []
  return [
    { code: 'bed_too_small', message: `The part is ${size(model)}, but the print area is ${size(bed)}.` },
  ]
}

/**
 * Returns whether a sliced file may be used for a printer. If the file names no printer model, it is sent to
 * a network printer only if a person chose it. People and agents decide for themselves.
 */
const isForPrinter = (
  needs: JobRequirements,
  slice: RequiredSlice,
  { model_key: key, kind }: Candidate,
): boolean =>
  slice.printer_model_key === key ||
  (slice.printer_model_key === null && (slice.id === needs.slice_id || !isNetworkKind(kind)))

const hasNozzle = (slice: RequiredSlice, { nozzle_mm: nozzle }: Candidate): boolean =>
  slice.nozzle_mm === null || nozzle === null || slice.nozzle_mm === nozzle

/** The result of matching a job's sliced files with a printer. */
interface SliceMatch {
  /** The file that the printer would print: the chosen file, otherwise the newest one that fits. */
  fitting: RequiredSlice | null
  /** The reasons why no file fits. Empty if one fits. */
  reasons: readonly MatchReason[]
}

/**
 * Cached matches by list of files, chosen file and printer. Jobs for the same version share the list of
 * files. Without this cache, a queue of a thousand jobs would compare every file with every printer for each
 * job.
 */
const sliceMatches = new WeakMap<
  readonly RequiredSlice[],
  Map<string | null, WeakMap<Candidate, SliceMatch>>
>()

function matchSlices(needs: JobRequirements, printer: Candidate): SliceMatch {
  const { slices, slice_id: sliceId } = needs
  const byChoice = sliceMatches.get(slices) ?? new Map<string | null, WeakMap<Candidate, SliceMatch>>()
  sliceMatches.set(slices, byChoice)
  const byPrinter = byChoice.get(sliceId) ?? new WeakMap<Candidate, SliceMatch>()
  byChoice.set(sliceId, byPrinter)
  const known = byPrinter.get(printer)
  if (known) return known
  const fits = (slice: RequiredSlice) => isForPrinter(needs, slice, printer) && hasNozzle(slice, printer)
  const offered = sliceId === null ? slices : slices.filter(({ id }) => id === sliceId)
  const fitting = offered.find(fits) ?? null
  const match = { fitting, reasons: fitting ? [] : sliceReasons(needs, printer) }
  byPrinter.set(printer, match)
  return match
}

/**
 * Returns the sliced file that a printer would print: the chosen file, otherwise the newest one that fits.
 */
export const sliceFor = (needs: JobRequirements, printer: Candidate): RequiredSlice | null =>
  matchSlices(needs, printer).fitting

const slicing = (needs: JobRequirements) =>
  needs.stl_file_id === null
    ? {}
    : { action: actionOf('slice', 'Slice for this printer', { stl_file_id: needs.stl_file_id }) }

/**
 * Returns the reasons why no file fits. A person or an agent can slice at the machine, so for their printers
 * a missing file is not a reason. A network printer needs a file from the server. A chosen file must always
 * be made for the printer.
 */
function sliceReasons(needs: JobRequirements, printer: Candidate): MatchReason[] {
  const chosen = needs.slices.find(({ id }) => id === needs.slice_id)
  const forModel = (chosen ? [chosen] : needs.slices).find((slice) => isForPrinter(needs, slice, printer))
  if (forModel)
    return chosen || isNetworkKind(printer.kind)
      ? [
          {
            code: 'nozzle',
            message: `Sliced for a nozzle of ${mm(forModel.nozzle_mm ?? 0)} mm, but the printer has ${mm(printer.nozzle_mm ?? 0)} mm.`,
            ...slicing(needs),
          },
        ]
      : []
  if (chosen)
    return [
      {
        code: 'no_slice',
        message: `The chosen file is for ${chosen.printer_model ?? 'another printer'}.`,
        ...slicing(needs),
      },
    ]
  if (!isNetworkKind(printer.kind)) return []
  const message = `There is no sliced file for ${printer.model ?? 'this printer'}.`
  return [{ code: 'no_slice', message, ...slicing(needs) }]
}

/** Returns the grams that the next plate needs, or null if they are unknown. */
export function neededGrams(needs: JobRequirements, slice: RequiredSlice | null): number | null {
  if (slice?.tools[0]?.grams != null) return slice.tools[0].grams
  if (slice?.grams != null) return slice.grams
  if (needs.estimated_grams === null) return null
  const missing = Math.max(0, needs.quantity - needs.good_quantity)
  const pieces = Math.min(needs.pieces_per_plate ?? missing, missing)
  return Math.round((needs.estimated_grams / needs.quantity) * pieces * 10) / 10
}

/** Formats a date, for example `Friday, 27 November`. */
const day = (moment: string): string =>
  new Date(moment).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })

const because = (reason: string | null): string => (reason ? `: ${reason}` : '')

const stateReasons = new WeakMap<Candidate, readonly MatchReason[]>()

/** Returns the reasons that come from the state of the printer. They are the same for all jobs, so they are cached. */
function stateReasonsOf(printer: Candidate): readonly MatchReason[] {
  const reasons = stateReasons.get(printer) ?? readState(printer)
  stateReasons.set(printer, reasons)
  return reasons
}

function readState(printer: Candidate): MatchReason[] {
  const { id, state, state_reason: reason, state_until: until, printing, progress } = printer
  switch (state) {
    case 'available':
      return printing === null ? [] : [{ code: 'busy', message: `It prints ${printing}.` }]
    case 'printing':
    case 'paused': {
      const share = progress === null ? '' : `, ${Math.floor(progress * 100)} % done`
      const does = state === 'paused' ? 'Paused with' : 'Prints'
      return [{ code: 'busy', message: `${does} ${printing ?? 'something else'}${share}.` }]
    }
    case 'needs_clearing':
      return [
        {
          code: 'needs_clearing',
          message: printing
            ? `The plate of ${printing} is still on the bed.`
            : 'The last plate is still on the bed.',
          action: actionOf('clear', 'Clear the plate', { printer_id: id }),
        },
      ]
    case 'maintenance': {
      const end = until === null ? '' : ` until ${day(until)}`
      const action = actionOf('resume', 'End maintenance', { printer_id: id })
      return [{ code: 'maintenance', message: `In maintenance${end}${because(reason)}.`, action }]
    }
    case 'offline':
    case 'error': {
      const message = state === 'error' ? `Reports an error${because(reason)}.` : `Offline${because(reason)}.`
      return [
        { code: 'offline', message, action: actionOf('resume', 'Put back into use', { printer_id: id }) },
      ]
    }
  }
}

/**
 * Returns a reason if another job must be printed first. A printer is reserved for the jobs that are assigned
 * to it, and prints them in queue order.
 */
function orderReasons(needs: JobRequirements, { id, first_assigned: first }: Candidate): MatchReason[] {
  if (first === null || first.id === needs.id) return []
  const isOwn = needs.assigned_printer_id === id
  return [
    {
      code: 'previous_job',
      message: isOwn ? `${first.label} goes first.` : `Reserved for ${first.label}.`,
    },
  ]
}

/** Returns whether an admin assigned the job to this printer although it does not fit. */
export const isOverridden = (needs: JobRequirements, printer: Candidate): boolean =>
  needs.assigned_anyway && needs.assigned_printer_id === printer.id

/**
 * Returns the reasons that concern the bed and the sliced file. Loading another spool cannot remove these
 * reasons.
 */
export const machineReasons = (needs: JobRequirements, printer: Candidate): MatchReason[] => [
  ...bedReasons(needs, printer),
  ...matchSlices(needs, printer).reasons,
]

/** Returns only those reasons of `matchPrinter` that are cached, as a cheap first estimate. */
export const knownReasons = (needs: JobRequirements, printer: Candidate): readonly MatchReason[] =>
  isOverridden(needs, printer)
    ? stateReasonsOf(printer)
    : [...matchSlices(needs, printer).reasons, ...stateReasonsOf(printer)]

/** Returns the reasons why a printer cannot print a job now. Empty if it can. */
export function matchPrinter(
  needs: JobRequirements,
  printer: Candidate,
  unloaded: readonly UnloadedSpool[],
): MatchReason[] {
  const slice = sliceFor(needs, printer)
  const misfits = [
    ...machineReasons(needs, printer),
    ...filamentReasons(needs, printer, { needed: neededGrams(needs, slice), unloaded }),
    ...toolReasons(slice?.tools ?? [], printer),
  ]
  return [
    ...(isOverridden(needs, printer) ? misfits.filter(({ code }) => !isMisfit(code)) : misfits),
    ...stateReasonsOf(printer),
    ...orderReasons(needs, printer),
  ]
}
