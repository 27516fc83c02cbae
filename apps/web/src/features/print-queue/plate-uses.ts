import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { type Plate, isRunningPlate } from '@pegasus/contracts/print-queue/plates'

interface Used {
  id: string
  name: string
}

/** Returns each entry once, in the order in which they were used first. */
const distinct = (all: readonly { id: string | null; name: string | null }[]): Used[] => {
  const names = new Map<string, string>()
  for (const { id, name } of all) if (id !== null && name !== null) names.set(id, name)
  return [...names].map(([id, name]) => ({ id, name }))
}

/** Returns the printers and the spools that the started plates of a job have used. */
export const usesOf = (plates: readonly Plate[]): { printers: Used[]; spools: Used[] } => ({
  printers: distinct(plates.map(({ printer_id: id, printer: name }) => ({ id, name }))),
  spools: distinct(plates.map(({ filament_id: id, filament_label: name }) => ({ id, name }))),
})

/** Returns the number of plates that a job still has to start. `plates` are those that it has started. */
export function countComingPlates(job: PrintJob, plates: readonly Plate[]): number {
  if (job.finished_at !== null) return 0
  const running = plates.filter(({ state }) => isRunningPlate(state)).length
  return Math.max(0, job.plates - job.plates_done - running)
}
