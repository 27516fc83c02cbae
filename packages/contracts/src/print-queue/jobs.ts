import * as z from 'zod/mini'
import { actor, deletedOnly, linkedModel, nullable, optionalId, timestamp, revisedTimes } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRINT_JOB_STATUSES } from '../statuses.ts'
import { MATCH_STRICTNESS, jobWait } from './job-waits.ts'

const { get, list } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

export const HIGHEST_PRIORITY = 1
export const LOWEST_PRIORITY = 99
export const DEFAULT_PRIORITY = 3
export const MAX_JOB_QUANTITY = 1_000_000
/** Limits for a whole job: ten tonnes, nineteen years. Computed estimates are cut off there too. */
export const MAX_ESTIMATED_GRAMS = 10_000_000
export const MAX_ESTIMATED_MINUTES = 10_000_000

/** A print job: an item or a model, and how many pieces of it. */
export const printJob = z.object({
  id: z.uuid(),
  label_code: z.string(),
  inventory_item_id: nullable.id,
  /** Name of the item, or of the model if the job has no item. */
  inventory_item_name: z.string(),
  /** The picture is that of the version that it prints. */
  ...linkedModel,
  /** Version of the model that was current when the job was queued; null if it has none. */
  stl_version_number: nullable.number,
  /** Version of the model that is current now. */
  stl_current_version_number: nullable.number,
  quantity: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  /** Pieces that neither are good nor lie on a running plate. */
  missing_quantity: z.number(),
  /** Pieces of one print; null: all at once. */
  pieces_per_plate: nullable.number,
  /** Plates that are done, at work or still needed. */
  plates: z.number(),
  plates_done: z.number(),
  status: z.enum(PRINT_JOB_STATUSES),
  /** 1 is the highest and shown as P1. */
  priority: z.number(),
  position: z.number(),
  material: nullable.text,
  color: nullable.text,
  color_hex: nullable.text,
  /** The chosen spool. */
  filament_id: nullable.id,
  filament_label: nullable.text,
  filament_remaining_grams: nullable.number,
  /** How closely a printer's loaded filament must be that of the job. */
  match_strictness: z.enum(MATCH_STRICTNESS),
  /** Why it does not start; empty if a printer can start it. If several printers could soon, the closest one's reasons. */
  waits_for: z.array(jobWait),
  /** The printer that it waits for; null: any. */
  assigned_printer_id: nullable.id,
  /** When the planner expects it to start and to end; null if nobody can tell yet, or if it is over. */
  expected_start: nullable.timestamp,
  expected_end: nullable.timestamp,
  /** The printer that prints it, or printed it last. */
  printer: nullable.text,
  printer_id: nullable.id,
  /** The sliced file that it is printed from. */
  slice_id: nullable.id,
  agent: nullable.text,
  attempt: z.number(),
  previous_job_id: nullable.id,
  /** The attempt that followed this one. */
  next_job_id: nullable.id,
  failure_reason: nullable.text,
  hold_reason: nullable.text,
  /** 0 to 1. */
  progress: z.number(),
  /** Estimates for the whole job. */
  estimated_grams: nullable.number,
  estimated_minutes: nullable.number,
  /** Booked filament. */
  used_grams: nullable.number,
  /** Minutes that printers reported. */
  print_minutes: nullable.number,
  /** Cost of the whole job, stored when it was completed; null before. In the currency of the shop. */
  cost: nullable.number,
  /** Expected cost of the job's good pieces, from the item's cost figures on the day of completion. */
  planned_cost: nullable.number,
  order_id: nullable.id,
  order_line_id: nullable.id,
  order_number: nullable.text,
  due_at: nullable.timestamp,
  started_at: nullable.timestamp,
  finished_at: nullable.timestamp,
  notes: nullable.text,
  ...revisedTimes,
})
export type PrintJob = z.output<typeof printJob>

export const listPrintQueue = list('/api/print-queue', 'signed-in', {
  summary: 'Unfinished print jobs by priority, position and age; or finished ones, newest first',
  filter: {
    status: z.optional(z.enum(PRINT_JOB_STATUSES, 'status is not one of the statuses of a print job')),
    /** Jobs that print this item. */
    inventory_item_id: optionalId('inventory_item_id'),
    /** The trash instead of the queue, in the order of deletion, with jobs of any status. */
    deleted: deletedOnly,
  },
  of: printJob,
})

export const getPrintJob = get('/api/print-queue/:id', 'signed-in', {
  summary: 'One print job',
  returns: printJob,
})

/** One change of a job's status. `from_status` is null for the first one. */
const jobStep = z.object({
  id: z.uuid(),
  from_status: z.nullable(z.enum(PRINT_JOB_STATUSES)),
  to_status: z.enum(PRINT_JOB_STATUSES),
  reason: nullable.text,
  good_quantity: nullable.number,
  rejected_quantity: nullable.number,
  actor,
  created_at: timestamp,
})
export type PrintJobStep = z.output<typeof jobStep>

export const listPrintJobSteps = get('/api/print-queue/:id/history', 'signed-in', {
  summary: 'Status changes of a print job, newest first',
  returns: z.array(jobStep),
})
