import { isDeepStrictEqual } from 'node:util'
import {
  MAX_ESTIMATED_GRAMS,
  MAX_ESTIMATED_MINUTES,
  MAX_JOB_QUANTITY,
} from '@pegasus/contracts/print-queue/jobs'
import type { UpdatePrintJobBody } from '@pegasus/contracts/print-queue/job-changes'
import type { JobToEdit } from './jobs.queries.ts'

/** The columns that people can edit, keyed by the names of their API fields. */
const COLUMNS = {
  inventory_item_id: 'item_id',
  stl_file_id: 'stl_file_id',
  quantity: 'quantity',
  pieces_per_plate: 'pieces_per_plate',
  expected_rejects: 'expected_rejects',
  priority: 'priority',
  material: 'material',
  color: 'color',
  filament_id: 'spool_id',
  slice_id: 'slice_id',
  match_strictness: 'match_strictness',
  order_id: 'order_id',
  estimated_grams: 'estimated_grams',
  estimated_minutes: 'estimated_minutes',
  due_at: 'due_at',
  notes: 'notes',
} as const satisfies Record<keyof UpdatePrintJobBody, keyof JobToEdit>

export type EditedColumns = Partial<Pick<JobToEdit, (typeof COLUMNS)[keyof typeof COLUMNS]>>

const isSame = (sent: unknown, known: unknown, column: string): boolean =>
  column === 'due_at' && typeof sent === 'string' && typeof known === 'string'
    ? new Date(sent).getTime() === new Date(known).getTime()
    : isDeepStrictEqual(sent, known)

/** Returns the fields of an edit whose value differs from the current value. */
export function changesOf(job: JobToEdit, edit: UpdatePrintJobBody): EditedColumns {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
  const sent = names.filter((name) => edit[name] !== undefined)
  const other = sent.filter((name) => !isSame(edit[name], job[COLUMNS[name]], COLUMNS[name]))
  return Object.fromEntries(other.map((name) => [COLUMNS[name], edit[name]]))
}

const scaled = (known: number | null, factor: number, most: number): number | null =>
  known === null ? null : Math.min(most, Math.round(known * factor * 100) / 100)

/**
 * Scales the estimates and the expected rejects with the quantity, because they are for the whole job. Estimates that
 * the edit itself contains are kept.
 */
export function withScaledEstimates(job: JobToEdit, changes: EditedColumns): EditedColumns {
  if (changes.quantity === undefined) return changes
  const factor = changes.quantity / job.quantity
  const minutes = scaled(job.estimated_minutes, factor, MAX_ESTIMATED_MINUTES)
  return {
    estimated_grams: scaled(job.estimated_grams, factor, MAX_ESTIMATED_GRAMS),
    estimated_minutes: minutes === null ? null : Math.round(minutes),
    expected_rejects: Math.min(MAX_JOB_QUANTITY, Math.round(job.expected_rejects * factor)),
    ...changes,
  }
}

/** Returns the fields of a job that the audit stores. */
export const auditedJob = (job: JobToEdit) => ({
  item_id: job.item_id,
  stl_file_id: job.stl_file_id,
  stl_version_id: job.stl_version_id,
  quantity: job.quantity,
  pieces_per_plate: job.pieces_per_plate,
  expected_rejects: job.expected_rejects,
  priority: job.priority,
  material: job.material,
  color: job.color,
  spool_id: job.spool_id,
  slice_id: job.slice_id,
  match_strictness: job.match_strictness,
  order_id: job.order_id,
  estimated_grams: job.estimated_grams,
  estimated_minutes: job.estimated_minutes,
  due_at: job.due_at,
  notes: job.notes,
})
