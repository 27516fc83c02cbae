/**
 * Returns the number of pieces on the next plate of a job, if no sliced file determines it: `pieces_per_plate`, even if
 * fewer are missing, because the plate is prepared for that number. The surplus goes into stock. Once pieces of the job
 * were rejected, a plate prints no more than are missing. The plate of an undivided job prints all missing pieces.
 */
export function piecesOfPlate(
  job: { pieces_per_plate: number | null; rejected_quantity: number },
  missing: number,
): number {
  if (job.pieces_per_plate === null) return missing
  return job.rejected_quantity > 0 ? Math.min(job.pieces_per_plate, missing) : job.pieces_per_plate
}
