import { placeOnPrinter, spoolOnPrinter } from './fits-filament.ts'
import { usedTools } from './place-tools.ts'
import type { Candidate, JobRequirements, LoadedFilament } from '../requirements.queries.ts'

/**
 * Returns copies of the spools in a printer, less the filament that the running plate is expected to use. That filament
 * is booked only when the plate ends.
 */
export function filamentAfterRunning(
  printer: Candidate,
  requirements: ReadonlyMap<string, JobRequirements>,
): LoadedFilament[] {
  const loaded = printer.loaded.map((spool) => ({ ...spool }))
  const { running } = printer
  const needs = running && requirements.get(running.job_id)
  if (!running?.grams || !needs) return loaded
  const take = (spoolId: string | undefined, grams: number) => {
    const spool = loaded.find(({ id }) => id === spoolId)
    if (spool) spool.remaining_grams = Math.max(0, spool.remaining_grams - grams)
  }
  const slice = needs.slices.find(({ id }) => id === running.slice_id) ?? null
  const tools = usedTools(slice?.tools ?? [])
  const total = tools.reduce((sum, { grams }) => sum + (grams ?? 0), 0)
  if (slice && tools.length > 1 && printer.slot_count > 1 && total > 0)
    for (const { tool, spool } of placeOnPrinter(needs, printer, slice))
      take(spool?.id, (running.grams * (tool.grams ?? 0)) / total)
  else take(running.spool_id ?? spoolOnPrinter(needs, printer, { slice, needed: null })?.id, running.grams)
  return loaded
}
