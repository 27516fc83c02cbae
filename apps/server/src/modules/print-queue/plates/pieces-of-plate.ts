/**
 * Returns the number of pieces on the next plate of a job, if no sliced file determines it. For a divided job, this is
 * `pieces_per_plate`, even if fewer pieces are missing, because the plate is prepared for that number. The surplus goes
 * into stock. After pieces of the job were rejected, it is at most the number of missing pieces. For an undivided job,
 * it is the number of missing pieces.
 */
export function piecesOfPlate(
  job: { pieces_per_plate: number | null; rejected_quantity: number },
  missing: number,
): number {
  if (job.pieces_per_plate === null) return missing
  return job.rejected_quantity > 0 ? Math.min(job.pieces_per_plate, missing) : job.pieces_per_plate
}
