import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { findMainTool, isSame, usedTools } from './filament/place-tools.ts'
import type { Candidate, JobRequirements, RequiredSlice } from './requirements.queries.ts'
import { sliceAction } from './wait-action.ts'

/**
 * Returns whether a sliced file may be used although it does not name its material or nozzle. For a network printer, a
 * person must have chosen it, because the server sends the file without anybody checking it. People and agents check
 * the file themselves.
 */
const mayLeaveUnnamed = (needs: JobRequirements, slice: RequiredSlice, { kind }: Candidate): boolean =>
  slice.id === needs.slice_id || !isNetworkKind(kind)

/** Returns whether the material of a sliced file can be the job's material: a tool uses it, or names no material. */
function isMaterialPossible({ material }: JobRequirements, { tools }: RequiredSlice): boolean {
  const used = usedTools(tools)
  return material === null || used.length === 0 || findMainTool(used, material) !== null
}

const namesMaterial = ({ material }: JobRequirements, { tools }: RequiredSlice): boolean =>
  material === null || usedTools(tools).some((tool) => isSame(tool.material, material))

/** Returns whether a sliced file may be used for the material of a job. */
export const isOfMaterial = (needs: JobRequirements, slice: RequiredSlice, printer: Candidate): boolean =>
  isMaterialPossible(needs, slice) && (namesMaterial(needs, slice) || mayLeaveUnnamed(needs, slice, printer))

const isNozzlePossible = (slice: RequiredSlice, { nozzle_mm: nozzle }: Candidate): boolean =>
  slice.nozzle_mm === null || nozzle === null || slice.nozzle_mm === nozzle

/** Returns whether a sliced file may be used with the nozzle of a printer. */
export const isForNozzle = (needs: JobRequirements, slice: RequiredSlice, printer: Candidate): boolean =>
  isNozzlePossible(slice, printer) && (slice.nozzle_mm !== null || mayLeaveUnnamed(needs, slice, printer))

/** Returns whether a sliced file names neither a wrong material for the job nor a wrong nozzle for the printer. */
export const isPossible = (needs: JobRequirements, slice: RequiredSlice, printer: Candidate): boolean =>
  isMaterialPossible(needs, slice) && isNozzlePossible(slice, printer)

/**
 * Returns the reason that none of these files is sent, because the newest possible file does not name its material or
 * its nozzle. Returns an empty list if no file is possible.
 */
export function unnamedReasons(
  needs: JobRequirements,
  printer: Candidate,
  slices: readonly RequiredSlice[],
): MatchReason[] {
  const slice = slices.find(
    (each) => isPossible(needs, each, printer) && !mayLeaveUnnamed(needs, each, printer),
  )
  if (!slice) return []
  const end = 'Enter it, or choose the file for the job.'
  return namesMaterial(needs, slice)
    ? [
        {
          code: 'nozzle',
          message: `The sliced file ${slice.file_name} does not name its nozzle. ${end}`,
          ...sliceAction(needs, 'Enter the nozzle'),
        },
      ]
    : [
        {
          code: 'no_slice',
          message: `The sliced file ${slice.file_name} does not name its material. ${end}`,
          ...sliceAction(needs, 'Enter the material'),
        },
      ]
}
