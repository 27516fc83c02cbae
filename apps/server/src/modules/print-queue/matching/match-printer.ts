import { type MatchReason, isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { MatchedTool } from '@pegasus/contracts/print-queue/matching'
import { endSentence } from '../../../platform/sentences.ts'
import { chooseFile, fitsBed, isPlacedOn } from './bed-fit.ts'
import { piecesOfPlate } from '../plates/pieces-of-plate.ts'
import { maintenanceEndDay } from './maintenance-end-day.ts'
import { filamentReasons, toolReasons } from './filament/filament-reasons.ts'
import { toolsOnPrinter } from './filament/fits-filament.ts'
import { byHandReasons, isPrintable } from './printed-by-hand.ts'
import { findMainTool, usedTools } from './filament/place-tools.ts'
import { canRead, formatsOf } from './readable-formats.ts'
import {
  formatsSentence,
  hasStatedMaterial,
  isLoadedByAgent,
  readsFormat,
  statedMaterialReasons,
  statedMaterials,
  usesStatedMaterials,
} from './stated-facts.ts'
import { silentAgentReasons } from './silent-agent.ts'
import { unknownModelReasons } from './unknown-model.ts'
import { isForNozzle, isOfMaterial, isPossible, unnamedReasons } from './unnamed-values.ts'
import { actionOf, sliceAction } from './wait-action.ts'
import type { Candidate, JobRequirements, UnloadedSpool, RequiredSlice } from './requirements.queries.ts'

// The formatter is created once, because creating one takes longer than matching a printer.
const DECIMAL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const mm = (value: number): string => DECIMAL.format(value)
const size = (sides: readonly number[]): string => `${sides.map(mm).join(' × ')} mm`

const isBedFit = (needs: JobRequirements, printer: Candidate): boolean =>
  needs.size_mm === null ||
  printer.bed_mm === null ||
  fitsBed(needs.size_mm, printer.bed_mm) ||
  matchSlices(needs, printer).isPlaced

function bedReasons(needs: JobRequirements, printer: Candidate): MatchReason[] {
  const { size_mm: model } = needs
  const { bed_mm: bed } = printer
  if (model === null || bed === null || isBedFit(needs, printer)) return []
  const area = printer.has_stated_bed
    ? `. Its agent has stated a print area of ${size(bed)}.`
    : `, but the print area is ${size(bed)}.`
  return [{ code: 'bed_too_small', message: `The part is ${size(model)}${area}` }]
}

/**
 * Returns whether a sliced file may be used for a printer. A file that names no printer model is used for a network
 * printer only if a person chose it. People and agents decide for themselves. A chosen file also fits their printer if
 * the model of that printer is unknown.
 */
const isForPrinter = (
  needs: JobRequirements,
  slice: RequiredSlice,
  { model_key: key, kind }: Candidate,
): boolean =>
  slice.printer_model_key === key ||
  (slice.printer_model_key === null && (slice.id === needs.slice_id || !isNetworkKind(kind))) ||
  (key === null && slice.id === needs.slice_id && !isNetworkKind(kind))

/** The result of matching a job's sliced files with a printer. */
interface SliceMatch {
  /** The file that the printer would print: the chosen file, otherwise the best one that fits. */
  fitting: RequiredSlice | null
  /** The reasons why no file fits. Empty if one fits. */
  reasons: readonly MatchReason[]
  /** Whether the fitting file was made for a bed that fits the bed of the printer. */
  isPlaced: boolean
}

/**
 * Cached matches by list of files, chosen file with material, and printer. Jobs for the same version share the list of
 * files. Without this cache, a queue of a thousand jobs would compare every file with every printer for each job.
 */
const sliceMatches = new WeakMap<readonly RequiredSlice[], Map<string, WeakMap<Candidate, SliceMatch>>>()

function matchSlices(needs: JobRequirements, printer: Candidate): SliceMatch {
  const { slices, slice_id: sliceId, material, model_format: format } = needs
  const byChoice = sliceMatches.get(slices) ?? new Map<string, WeakMap<Candidate, SliceMatch>>()
  sliceMatches.set(slices, byChoice)
  const key = `${sliceId} ${format} ${material?.toLowerCase()}`
  const byPrinter = byChoice.get(key) ?? new WeakMap<Candidate, SliceMatch>()
  byChoice.set(key, byPrinter)
  const known = byPrinter.get(printer)
  if (known) return known
  const fits = (slice: RequiredSlice) =>
    isForPrinter(needs, slice, printer) &&
    isPrintable(slice, printer) &&
    canRead(printer.kind, slice.format) &&
    readsFormat(printer, slice.format) &&
    isOfMaterial(needs, slice, printer) &&
    usesStatedMaterials(slice, printer) &&
    isForNozzle(needs, slice, printer)
  const offered = sliceId === null ? slices : slices.filter(({ id }) => id === sliceId)
  const fitting = chooseFile(offered.filter(fits), printer, needs.size_mm)
  const match = {
    fitting,
    reasons: fitting ? [] : sliceReasons(needs, printer),
    isPlaced: fitting !== null && isPlacedOn(fitting, printer),
  }
  byPrinter.set(printer, match)
  return match
}

/**
 * Returns the sliced file that a printer would print: the chosen file, otherwise the best one that fits. An
 * overridden job may use a file for another nozzle or material, or a chosen file for another printer.
 */
export function sliceFor(needs: JobRequirements, printer: Candidate): RequiredSlice | null {
  const { fitting } = matchSlices(needs, printer)
  if (fitting || !isOverridden(needs, printer)) return fitting
  const readable = needs.slices.filter(
    (slice) =>
      isPrintable(slice, printer) &&
      canRead(printer.kind, slice.format) &&
      readsFormat(printer, slice.format),
  )
  return (
    readable.find(({ id }) => id === needs.slice_id) ??
    (needs.slice_id === null ? overriddenSlice(needs, printer, readable) : null) ??
    null
  )
}

/**
 * Returns the file for an overridden job without a chosen file. A file that does not name its material or nozzle comes
 * before a file that names a wrong one.
 */
function overriddenSlice(
  needs: JobRequirements,
  printer: Candidate,
  readable: readonly RequiredSlice[],
): RequiredSlice | undefined {
  const offered = readable.filter((slice) => isForPrinter(needs, slice, printer))
  const possible = offered.filter((slice) => isPossible(needs, slice, printer))
  return chooseFile(possible, printer, needs.size_mm) ?? offered[0]
}

const listOf = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' and ')

/** Returns whether the file that a person chose is in the trash. Files in the trash are not among the slices. */
const isChosenDeleted = ({ slices, slice_id: chosen }: JobRequirements): boolean =>
  chosen !== null && !slices.some(({ id }) => id === chosen)

/**
 * Returns the reasons why no file fits. A person or an agent can slice at the machine, so for their printers
 * a missing file is not a reason. A network printer needs a file from the server. A chosen file must always
 * be made for the printer and the material of the job. While it is in the trash, the job waits for every printer.
 */
function sliceReasons(needs: JobRequirements, printer: Candidate): MatchReason[] {
  const noSlice = (message: string): MatchReason[] => [{ code: 'no_slice', message, ...sliceAction(needs) }]
  if (isChosenDeleted(needs)) return noSlice('The chosen file is in the trash.')
  const chosenSlice = needs.slices.find(({ id }) => id === needs.slice_id)
  const isByHand = !isNetworkKind(printer.kind)
  const offered = chosenSlice ? [chosenSlice] : needs.slices
  const forModel = offered.filter((slice) => isForPrinter(needs, slice, printer))
  // If the model of an agent's printer is unknown, a claim could get any of the files.
  const byHand = byHandReasons(needs, printer, isByHand && printer.model_key === null ? offered : forModel)
  if (byHand.length > 0) return byHand
  if (!chosenSlice && isByHand && readsFormat(printer, needs.model_format)) return []
  const [first] = forModel
  const unknown = first || chosenSlice ? [] : unknownModelReasons(needs, printer)
  if (unknown.length > 0) return unknown
  if (!first)
    return noSlice(
      chosenSlice
        ? `The chosen file is for ${chosenSlice.printer_model ?? 'another printer'}.`
        : isByHand
          ? formatsSentence(printer)
          : `There is no sliced file for ${printer.model ?? 'this printer'}.`,
    )
  const readable = forModel.filter(
    (slice) =>
      isPrintable(slice, printer) &&
      canRead(printer.kind, slice.format) &&
      readsFormat(printer, slice.format),
  )
  if (readable.length === 0 && isNetworkKind(printer.kind))
    return noSlice(
      `${chosenSlice ? 'The chosen file' : `The sliced file for ${printer.model ?? 'this printer'}`} is a .${first.format} file, but ${printer.name} prints only ${formatsOf(printer.kind)}.`,
    )
  if (readable.length === 0)
    return noSlice(
      `${chosenSlice ? 'The chosen file' : 'The sliced file'} is a .${first.format} file. ${formatsSentence(printer)}`,
    )
  const unnamed = unnamedReasons(needs, printer, readable)
  if (unnamed.length > 0) return unnamed
  const ofMaterial = readable.find((slice) => isOfMaterial(needs, slice, printer))
  if (!ofMaterial) {
    const materials = [...new Set(usedTools(first.tools).map(({ material }) => material))]
    return noSlice(
      chosenSlice
        ? `The chosen file is for ${listOf(materials)}, but the job needs ${needs.material}.`
        : `There is no sliced file for ${printer.model ?? 'this printer'} and ${needs.material}, only for ${listOf(materials)}.`,
    )
  }
  const ofStated = readable.find(
    (slice) => isOfMaterial(needs, slice, printer) && usesStatedMaterials(slice, printer),
  )
  if (!ofStated) {
    const materials = [...new Set(usedTools(ofMaterial.tools).map(({ material }) => material))]
    return noSlice(
      `${chosenSlice ? 'The chosen file' : 'The sliced file'} is for ${listOf(materials)}. ${statedMaterials(printer)}`,
    )
  }
  const nozzle = `${mm(printer.nozzle_mm ?? 0)} mm.`
  const installed = printer.has_stated_nozzle
    ? `. Its agent has stated a nozzle of ${nozzle}`
    : `, but the printer has ${nozzle}`
  const message = `Sliced for a nozzle of ${mm(ofStated.nozzle_mm ?? 0)} mm${installed}`
  return [{ code: 'nozzle', message, ...sliceAction(needs) }]
}

/**
 * Returns the grams of the job's own filament that the next plate needs, or null if they are unknown. A printer with
 * one slot takes the filament of all tools from it.
 */
export function neededGrams(
  needs: JobRequirements,
  slice: RequiredSlice | null,
  { kind, slot_count: slots }: Candidate,
): number | null {
  const tools = usedTools(slice?.tools ?? [])
  const main = findMainTool(tools, needs.material)?.grams ?? null
  const unfinished = Math.max(0, needs.quantity - needs.good_quantity)
  // If all missing pieces are already on plates, plan as if the next plate printed them again.
  const pieces = piecesOfPlate(needs, Math.max(0, unfinished - needs.running_pieces) || unfinished)
  // A person can change the pieces on a plate, unless the file was chosen for the job.
  const isWhole = slice === null || kind !== 'manual' || slice.id === needs.slice_id
  const ofFile = (grams: number) =>
    isWhole ? grams : Math.round((grams / slice.pieces) * pieces * 100) / 100
  if (main !== null && (tools.length === 1 || slots > 1)) return ofFile(main)
  if (slice?.grams != null) return ofFile(slice.grams)
  if (main !== null) return ofFile(tools.reduce((sum, { grams }) => sum + (grams ?? 0), 0))
  if (needs.estimated_grams === null) return null
  return Math.round((needs.estimated_grams / needs.quantity) * pieces * 10) / 10
}

/** Formats a day: `2026-11-27` becomes `Friday 27 November`. */
const nameOf = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })

/** Returns a reason as the end of a sentence. Reasons of the server are sentences with a period. */
const because = (reason: string | null): string => (reason ? `: ${reason.replace(/\.$/, '')}` : '')

const stateReasons = new WeakMap<Candidate, readonly MatchReason[]>()

/** Returns the reasons that come from the state of the printer. They are the same for all jobs, so they are cached. */
function stateReasonsOf(printer: Candidate): readonly MatchReason[] {
  const reasons = stateReasons.get(printer) ?? readState(printer)
  stateReasons.set(printer, reasons)
  return reasons
}

function readState(printer: Candidate): MatchReason[] {
  const { id, state, state_reason: reason, state_until, state_until_day, printing, progress } = printer
  switch (state) {
    case 'available':
      if (printing === null) return silentAgentReasons(printer)
      return [{ code: 'busy', message: `It prints ${printing}.` }]
    case 'printing':
    case 'paused': {
      // Without a job and a progress, the printer may only be getting ready. Its reason says what it does.
      if (!printing && progress === null && reason) return [{ code: 'busy', message: endSentence(reason) }]
      const share = progress === null ? '' : `, ${Math.floor(progress * 100)} % done`
      const does = state === 'paused' ? 'Paused with' : 'Prints'
      return [{ code: 'busy', message: `${does} ${printing ?? 'something else'}${share}.` }]
    }
    case 'needs_clearing': {
      const action = actionOf('clear', 'Clear the plate', { printer_id: id })
      const message = printing
        ? `The plate of ${printing} is still on the bed.`
        : 'The last plate is still on the bed.'
      return [{ code: 'needs_clearing', message, action }]
    }
    case 'maintenance': {
      const end =
        state_until === null ? '' : ` until ${nameOf(maintenanceEndDay(state_until, state_until_day))}`
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
const machineReasons = (needs: JobRequirements, printer: Candidate): MatchReason[] => [
  ...bedReasons(needs, printer),
  ...matchSlices(needs, printer).reasons,
]

/**
 * Returns whether no reason concerns the bed, the sliced file or the materials that an agent has stated. The planner
 * compares each job with each printer, and writing the texts would take a quarter of its time.
 */
export const fitsMachine = (needs: JobRequirements, printer: Candidate): boolean =>
  isBedFit(needs, printer) &&
  hasStatedMaterial(needs, printer) &&
  matchSlices(needs, printer).reasons.length === 0

/** Returns only those reasons of `matchPrinter` that are cached, as a cheap first estimate. */
export const knownReasons = (needs: JobRequirements, printer: Candidate): readonly MatchReason[] =>
  isOverridden(needs, printer)
    ? stateReasonsOf(printer)
    : [...matchSlices(needs, printer).reasons, ...stateReasonsOf(printer)]

/**
 * Returns the sliced file that determines the needed filament, or null. On the printer of a person or an agent, only a
 * chosen file does so.
 */
export const filamentSlice = (
  needs: JobRequirements,
  printer: Candidate,
  slice: RequiredSlice | null,
): RequiredSlice | null => (isNetworkKind(printer.kind) || slice?.id === needs.slice_id ? slice : null)

/**
 * Returns the tools of the sliced file whose filament counts, with the slots from which they would print. Returns none
 * if the agent of the printer decides on the filament.
 */
export function matchTools(needs: JobRequirements, printer: Candidate): MatchedTool[] {
  if (isLoadedByAgent(printer)) return []
  const slice = filamentSlice(needs, printer, sliceFor(needs, printer))
  return slice === null ? [] : toolsOnPrinter(needs, printer, slice)
}

/** Returns the reasons why a printer cannot print a job now. Empty if it can. */
export function matchPrinter(
  needs: JobRequirements,
  printer: Candidate,
  unloaded: readonly UnloadedSpool[],
): MatchReason[] {
  const slice = sliceFor(needs, printer)
  const decisive = filamentSlice(needs, printer, slice)
  const needed = neededGrams(needs, slice, printer)
  const isLoaded = isLoadedByAgent(printer)
  const stated = statedMaterialReasons(needs, printer)
  const filament =
    isLoaded || stated.length > 0
      ? stated
      : filamentReasons(needs, printer, { slice: decisive, needed, unloaded })
  const misfits = [
    ...machineReasons(needs, printer),
    ...filament,
    ...(decisive && !isLoaded ? toolReasons(needs, printer, { slice: decisive, unloaded, filament }) : []),
  ]
  return [
    ...(isOverridden(needs, printer) ? overriddenReasons(misfits, slice) : misfits),
    ...stateReasonsOf(printer),
    ...orderReasons(needs, printer),
  ]
}

const OF_FILAMENT: ReadonlySet<MatchReason['code']> = new Set(['material', 'color', 'grams_short'])

/**
 * Returns whether no reason of `matchPrinter` concerns the loaded filament. The spools in stock do not matter, because
 * they only decide on the action of a reason.
 */
export const hasFilament = (needs: JobRequirements, printer: Candidate): boolean =>
  !matchPrinter(needs, printer, []).some(({ code }) => OF_FILAMENT.has(code))

/** Returns the reasons that no admin can override: a network printer cannot print without any file. */
const overriddenReasons = (misfits: readonly MatchReason[], slice: RequiredSlice | null): MatchReason[] =>
  misfits.filter(({ code }) => !isMisfit(code) || (code === 'no_slice' && slice === null))
