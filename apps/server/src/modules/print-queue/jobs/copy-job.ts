import type { Insert } from '../../../platform/database/column-types.ts'
import { platesOf } from './create-job.ts'
import { withScaledEstimates } from './job-edit.ts'
import type { JobToEdit } from './jobs.queries.ts'

/**
 * Returns the columns for a new waiting job that prints the same item or model with another quantity. The caller adds
 * the id. The copy gets the position of the original, so that it stays ahead of all jobs behind the original.
 */
export function copyOfJob(job: JobToEdit, quantity: number, now: Date): Omit<Insert<'print_jobs'>, 'id'> {
  const {
    estimated_grams = null,
    estimated_minutes = null,
    expected_rejects = 0,
  } = withScaledEstimates(job, { quantity })
  return {
    item_id: job.item_id,
    stl_file_id: job.stl_file_id,
    stl_version_id: job.stl_version_id,
    quantity,
    status: 'pending',
    priority: job.priority,
    position: job.position,
    material: job.material,
    color: job.color,
    spool_id: job.spool_id,
    match_strictness: job.match_strictness,
    printer_id: null,
    attempt: job.attempt,
    pieces_per_plate: job.pieces_per_plate,
    plates: platesOf(quantity + expected_rejects, job.pieces_per_plate),
    expected_rejects,
    slice_id: job.slice_id,
    estimated_grams,
    estimated_minutes,
    // The copy keeps the planned cost of the original, because this cost is stored for the number of `planned_pieces`.
    planned_cost_minor: job.planned_cost_minor,
    planned_pieces: job.planned_pieces,
    order_id: job.order_id,
    order_line_id: job.order_line_id,
    due_at: job.due_at === null ? null : new Date(job.due_at),
    notes: job.notes,
    created_at: now,
    updated_at: now,
  }
}
