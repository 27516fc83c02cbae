import type { ClaimPrintJobBody } from '@pegasus/contracts/print-queue/agents'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findBestSlice } from '../../slices/index.ts'
import { hasFilament } from '../matching/match-printer.ts'
import { readCandidates, readRequirements } from '../matching/requirements.queries.ts'
import { findRunningPlate } from '../plates/plates.queries.ts'
import type { AgentFacts } from './silent-printers.queries.ts'
import {
  type ClaimNeeds,
  type FilterByFilament,
  ensureAgentPrinter,
  findJobVersion,
  hasJobFor,
  lockClaimsOf,
  lockNextJob,
} from './claims.queries.ts'

/** A job for an agent, the printer named in the claim, and the sliced file to print. */
export interface JobToClaim {
  /** Null if no job fits. */
  jobId: string | null
  printerId: string | null
  sliceId: string | null
}

const inLowerCase = (texts: readonly string[] | undefined): string[] | null =>
  texts ? texts.map((text) => text.toLowerCase().replace(/^\./, '')) : null

/** Returns what an agent states about its printer in a claim: materials, bed, nozzle and file formats. */
export const factsOf = ({ materials, bed_mm, nozzle_mm, file_types }: ClaimPrintJobBody): AgentFacts => ({
  materials,
  bed_mm,
  nozzle_mm,
  file_types: inLowerCase(file_types) ?? undefined,
})

/**
 * Returns the capabilities of the claim's printer. Values in the claim take precedence over those stored for
 * the printer.
 */
async function readNeeds(
  tx: Queryable,
  body: ClaimPrintJobBody,
  now: Date,
): Promise<ClaimNeeds & { isUsable: boolean; hasSpools: boolean }> {
  const { bed_mm: bedMm = null, nozzle_mm: nozzleMm = null } = body
  const stated = { materials: inLowerCase(body.materials), fileTypes: inLowerCase(body.file_types) }
  if (body.printer === undefined)
    return {
      ...stated,
      printerId: null,
      printerModel: null,
      bedMm,
      nozzleMm,
      isUsable: true,
      hasSpools: false,
    }
  const wanted = { id: uuidv7(), name: body.printer, facts: factsOf(body) }
  const printer = await ensureAgentPrinter(tx, wanted, now)
  if (isNetworkKind(printer.kind))
    throw new AppError('PRINTER_STATE', {
      text: `The server itself runs ${body.printer}, so an agent cannot claim jobs for it.`,
    })
  await lockClaimsOf(tx, printer.id)
  return {
    ...stated,
    printerId: printer.id,
    printerModel: printer.model,
    bedMm: bedMm ?? printer.bed_mm,
    nozzleMm: nozzleMm ?? printer.nozzle_mm,
    isUsable: printer.state !== 'maintenance' && printer.state !== 'needs_clearing',
    hasSpools: printer.has_spools,
  }
}

/** Returns a function that filters jobs by the filament that is loaded in a printer. The printer is read only once. */
async function filterByFilament(tx: Queryable, printerId: string): Promise<FilterByFilament> {
  const [printer] = await readCandidates(tx, printerId)
  return async (jobIds) => {
    const jobs = await readRequirements(tx, jobIds)
    return jobs.filter((needs) => !printer || hasFilament(needs, printer)).map(({ id }) => id)
  }
}

/**
 * Returns the id of the sliced file that a person chose for the job, otherwise of the best one for the printer. Returns
 * null if the agent has to print the model itself. For a job that an admin assigned despite a misfit, the file may be
 * for another nozzle or material, if the agent cannot read the model.
 */
async function chooseSlice(tx: Queryable, jobId: string, needs: ClaimNeeds): Promise<string | null> {
  const job = await findJobVersion(tx, jobId, needs)
  if (!job?.stl_version_id) return null
  if (job.slice_id) return job.slice_id
  const { printerModel, bedMm, nozzleMm, fileTypes } = needs
  const materials = job.is_overridden ? null : needs.materials
  const file = { versionId: job.stl_version_id, printerModel, bedMm, modelMm: job.size_mm, fileTypes }
  const slice = await findBestSlice(tx, { ...file, nozzleMm, materials, material: job.material })
  if (slice) return slice.id
  const readsModel = fileTypes === null || fileTypes.some((format) => format === job.model_format)
  if (readsModel || !job.is_overridden) return null
  return (await findBestSlice(tx, { ...file, nozzleMm: null }))?.id ?? null
}

/**
 * Finds the next job that the printer of a claim can print, and locks it until the transaction ends. If spools are
 * recorded for the printer, they must fit the job, unless an admin has assigned the job anyway. A printer in
 * maintenance, or with a full bed, gets no job. Throws PRINTER_STATE for a printer that the server itself runs, and
 * PRINTER_BUSY if a job fits but a plate is already on the printer.
 */
export async function findJobToClaim(tx: Queryable, body: ClaimPrintJobBody, now: Date): Promise<JobToClaim> {
  const { isUsable, hasSpools, ...needs } = await readNeeds(tx, body, now)
  const { printerId } = needs
  if (!isUsable) return { jobId: null, printerId, sliceId: null }
  const isBusy = printerId !== null && (await findRunningPlate(tx, printerId)) !== null
  const filter = printerId !== null && hasSpools ? await filterByFilament(tx, printerId) : null
  if (isBusy) {
    if (await hasJobFor(tx, { needs, filter }))
      throw new AppError('PRINTER_BUSY', { text: `${body.printer} is printing another plate.` })
    return { jobId: null, printerId, sliceId: null }
  }
  const jobId = await lockNextJob(tx, { needs, filter })
  const sliceId = jobId === null ? null : await chooseSlice(tx, jobId, needs)
  return { jobId, printerId, sliceId }
}
