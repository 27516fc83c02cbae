import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'

/** The states that the web app shows after a step until the server responds. */

export const asFinished = (job: PrintJob, status: 'completed' | 'failed' | 'cancelled'): PrintJob => ({
  ...job,
  status,
  finished_at: new Date().toISOString(),
})

/** Returns the state of a job after the start of its next plate. The pieces of that plate are no longer missing. */
export function asStarted(job: PrintJob): PrintJob {
  const { missing_quantity: missing, pieces_per_plate: perPlate, slice_pieces: slicePieces } = job
  const pieces = slicePieces ?? perPlate ?? missing
  return {
    ...job,
    status: 'in_progress',
    started_at: new Date().toISOString(),
    progress: 0,
    missing_quantity: Math.max(0, missing - pieces),
    // An undivided job continues with the pieces that are not on its first plate.
    pieces_per_plate: perPlate ?? (pieces < missing ? pieces : null),
  }
}

/**
 * Returns the state of a job after a plate has failed. `others` is the number of its other running plates. The server
 * also puts a job on hold after three failures in a row, which is not shown here, because only the server counts them.
 */
export function asFailed(job: PrintJob, reason: string, others: number): PrintJob {
  if (others > 0) return { ...job, failure_reason: reason }
  return job.pieces_per_plate === null
    ? { ...asFinished(job, 'failed'), failure_reason: reason }
    : { ...job, status: 'pending', failure_reason: reason }
}

/**
 * Returns the status of a job when one of its plates is completed. `others` is the number of its other running plates.
 */
export function statusAfterPlate(job: PrintJob, good: number, others: number): PrintJob['status'] {
  if (others > 0) return 'in_progress'
  // An undivided job continues only if its quantity was increased during the print.
  const isWhole =
    job.pieces_per_plate === null && (job.status !== 'in_progress' || job.missing_quantity === 0)
  const isEnough = isWhole || job.good_quantity + good >= job.quantity
  return isEnough ? 'completed' : 'pending'
}
