import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import { isSame, usedTools } from './filament/place-tools.ts'
import type { Candidate, JobRequirements, RequiredSlice } from './requirements.queries.ts'

const listOf = (parts: readonly string[]): string => parts.join(', ')

/** Returns whether the agent of a printer has stated in its claim that it reads files of this format. */
export const readsFormat = ({ stated_file_types: stated }: Candidate, format: string | null): boolean =>
  stated === null || (format !== null && stated.includes(format))

/** Returns whether all used tools of a sliced file print from materials that the agent of the printer has stated. */
export const usesStatedMaterials = (
  { tools }: RequiredSlice,
  { stated_materials: stated }: Candidate,
): boolean =>
  stated === null ||
  usedTools(tools).every(({ material }) => material === null || stated.some((each) => isSame(each, material)))

/** Returns whether the agent of a printer has stated the material of a job. */
export const hasStatedMaterial = (
  { material }: JobRequirements,
  { stated_materials: stated }: Candidate,
): boolean => stated === null || material === null || stated.some((each) => isSame(each, material))

/**
 * Returns whether the agent of a printer decides alone on the filament, because no spool is recorded for the printer.
 * Such an agent gets jobs of the materials that it has stated. If it has stated no material, it gets jobs of every
 * material.
 */
export const isLoadedByAgent = ({ has_stated: hasStated, loaded }: Candidate): boolean =>
  hasStated && loaded.length === 0

/** Returns a sentence with the materials that the agent of a printer has stated. */
export const statedMaterials = ({ stated_materials: stated }: Candidate): string =>
  `Its agent has stated ${listOf(stated ?? [])}.`

/** Returns a reason if the agent of a printer has not stated the material of a job. */
export const statedMaterialReasons = (needs: JobRequirements, printer: Candidate): MatchReason[] =>
  hasStatedMaterial(needs, printer)
    ? []
    : [
        {
          code: 'material',
          message: `Needs ${needs.material}. ${statedMaterials(printer)}`,
        },
      ]

/** Returns the message for a job without a file in one of the formats that the agent of a printer has stated. */
export const formatsSentence = ({ stated_file_types: stated }: Candidate): string =>
  `Its agent reads only ${listOf((stated ?? []).map((format) => `.${format}`))} files.`
