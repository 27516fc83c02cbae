import * as z from 'zod/mini'
import {
  actor,
  deletedOnly,
  linkedModel,
  nullableId,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  optionalId,
  pageQuery,
  timestamp,
  trashableTimes,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRINT_JOB_STATUSES } from '../statuses.ts'
import { MATCH_STRICTNESS, jobWait } from './job-waits.ts'

const { get } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

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
  inventory_item_id: nullableId,
  /** Name of the item, or of the model if the job has no item. */
  inventory_item_name: z.string(),
  /** The picture is that of the version that it prints. */
  ...linkedModel,
  /** Version of the model that was current when the job was queued; null if it has none. */
  stl_version_number: nullableNumber,
  /** Version of the model that is current now. */
  stl_current_version_number: nullableNumber,
  quantity: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  /** Pieces that neither are good nor lie on a running plate. */
  missing_quantity: z.number(),
  /** Pieces of one print; null: all at once. */
  pieces_per_plate: nullableNumber,
  /** Plates that are done, at work or still needed. */
  plates: z.number(),
  plates_done: z.number(),
  status: z.enum(PRINT_JOB_STATUSES),
  /** 1 is the highest and shown as P1. */
  priority: z.number(),
  position: z.number(),
  material: nullableText,
  color: nullableText,
  color_hex: nullableText,
  /** The chosen spool. */
  filament_id: nullableId,
  filament_label: nullableText,
  filament_remaining_grams: nullableNumber,
  /** How closely a printer's loaded filament must be that of the job. */
  match_strictness: z.enum(MATCH_STRICTNESS),
  /** Why it does not start; empty if a printer can start it. If several printers could soon, the closest one's reasons. */
  waits_for: z.array(jobWait),
  /** The printer that it waits for; null: any. */
  assigned_printer_id: nullableId,
  /** When the planner expects it to start and to end; null if nobody can tell yet, or if it is over. */
  expected_start: nullableTimestamp,
  expected_end: nullableTimestamp,
  /** The printer that prints it, or printed it last. */
  printer: nullableText,
  printer_id: nullableId,
  /** The sliced file that it is printed from. */
  slice_id: nullableId,
  agent: nullableText,
  attempt: z.number(),
  previous_job_id: nullableId,
  /** The attempt that followed this one. */
  next_job_id: nullableId,
  failure_reason: nullableText,
  hold_reason: nullableText,
  /** 0 to 1. */
  progress: z.number(),
  /** Estimates for the whole job. */
  estimated_grams: nullableNumber,
  estimated_minutes: nullableNumber,
  /** Booked filament. */
  used_grams: nullableNumber,
  /** Minutes that printers reported. */
  print_minutes: nullableNumber,
  /** What the whole job cost, kept when it was completed; null before. In the currency of the shop. */
  cost: nullableNumber,
  /** What its good pieces should have cost by the item's figures on that day. */
  planned_cost: nullableNumber,
  order_id: nullableId,
  order_line_id: nullableId,
  order_number: nullableText,
  due_at: nullableTimestamp,
  started_at: nullableTimestamp,
  finished_at: nullableTimestamp,
  notes: nullableText,
  /** Quoted, it is the value for `If-Match`. */
  revision: z.number(),
  ...trashableTimes,
})
export type PrintJob = z.output<typeof printJob>

export const listPrintQueue = get('/api/print-queue', 'signed-in', {
  summary: 'Unfinished print jobs by priority, position and age; or finished ones, newest first',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(PRINT_JOB_STATUSES, 'status is not one of the statuses of a print job')),
    /** Jobs that print this item. */
    inventory_item_id: optionalId('inventory_item_id'),
    /** The trash instead of the queue, in the order of deletion, with jobs of any status. */
    deleted: deletedOnly,
  }),
  returns: z.array(printJob),
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
  reason: nullableText,
  good_quantity: nullableNumber,
  rejected_quantity: nullableNumber,
  actor,
  created_at: timestamp,
})
export type PrintJobStep = z.output<typeof jobStep>

export const listPrintJobSteps = get('/api/print-queue/:id/history', 'signed-in', {
  summary: 'Status changes of a print job, newest first',
  returns: z.array(jobStep),
})
