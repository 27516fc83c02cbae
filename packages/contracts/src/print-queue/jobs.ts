import * as z from 'zod/mini'
import {
  actor,
  deletedOnly,
  linkedModel,
  moment,
  nullable,
  optionalId,
  timestamp,
  revisedTimes,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRINT_JOB_STATUSES } from '../statuses.ts'
import { MATCH_STRICTNESS, jobWait } from './job-waits.ts'

const { get, list } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

export const HIGHEST_PRIORITY = 1
export const LOWEST_PRIORITY = 99
export const DEFAULT_PRIORITY = 3
export const MAX_JOB_QUANTITY = 1_000_000
/**
 * Maximum estimates for a whole job: ten tonnes of filament and nineteen years. Calculated estimates are cut to these
 * limits.
 */
export const MAX_ESTIMATED_GRAMS = 10_000_000
export const MAX_ESTIMATED_MINUTES = 10_000_000

/** The plate of a job that a printer is printing. */
const currentPlate = z.object({
  started_at: timestamp,
  /**
   * When the printer expects the plate to end, otherwise its start plus its planned print time. Null if both are
   * unknown.
   */
  ends_at: nullable.timestamp,
  /** The reported progress from 0 to 1. Null if no printer or agent reports it. */
  progress: nullable.number,
})

/** A print job: an item or a model, and the number of pieces to print. */
export const printJob = z.object({
  id: z.uuid(),
  label_code: z.string(),
  inventory_item_id: nullable.id,
  /** Name of the item, or of the model if the job has no item. */
  inventory_item_name: z.string(),
  /** The picture shows the version that the job prints. */
  ...linkedModel,
  /** Number of the model's version that was current when the job was queued. Null without a model. */
  stl_version_number: nullable.number,
  /** Number of the model's current version. */
  stl_current_version_number: nullable.number,
  quantity: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  /** Number of pieces that are neither good yet nor on a running plate. */
  missing_quantity: z.number(),
  /** Whether all plates on the printers have finished, so that a person can clear them and count their pieces. */
  is_printed: z.boolean(),
  /**
   * Whether a person can complete the job or one of its plates now. A plate that a network printer is printing cannot
   * be completed.
   */
  can_complete: z.boolean(),
  /** The running plate that ends last. Null if no plate is printing. */
  current_plate: z.nullable(currentPlate),
  /** Number of pieces in one print. Null means that one print makes all pieces. */
  pieces_per_plate: nullable.number,
  /** Number of pieces that will probably be rejected. They are planned in addition to those of `quantity`. */
  expected_rejects: z.number(),
  /** Number of plates that are done, in progress or still needed. */
  plates: z.number(),
  plates_done: z.number(),
  status: z.enum(PRINT_JOB_STATUSES),
  /** The priority, where 1 is the highest. It is shown as P1. */
  priority: z.number(),
  position: z.number(),
  material: nullable.text,
  color: nullable.text,
  color_hex: nullable.text,
  /** The id of the chosen spool. */
  filament_id: nullable.id,
  filament_label: nullable.text,
  filament_remaining_grams: nullable.number,
  /** How closely a printer's loaded filament must match the job's filament. */
  match_strictness: z.enum(MATCH_STRICTNESS),
  /**
   * Why the job does not start: the reasons of its assigned printer, otherwise of the printer that is closest
   * to starting it. Empty if a printer can start it.
   */
  waits_for: z.array(jobWait),
  /** The printer for which the job waits. Null means any printer. */
  assigned_printer_id: nullable.id,
  /** When the planner expects the job to start. Null if that is not known yet, or if the job is over. */
  expected_start: nullable.timestamp,
  /** When the planner expects the job to end. Null if that is not known yet, or if the job is over. */
  expected_end: nullable.timestamp,
  /** The printer that prints the job, or printed it last. */
  printer: nullable.text,
  printer_id: nullable.id,
  /** The sliced file that was chosen for the job. Null means the newest that fits the printer. */
  slice_id: nullable.id,
  /** Number of pieces that one print of the chosen sliced file makes. */
  slice_pieces: nullable.number,
  /**
   * Number of plates that one print of the job's sliced file has: 1, or all plates of the file if one piece needs them.
   * The sliced file is the one that is being printed, otherwise the chosen one, otherwise the newest one until the job
   * is over. Null without a sliced file.
   */
  slice_plates: nullable.number,
  agent: nullable.text,
  attempt: z.number(),
  previous_job_id: nullable.id,
  /** The attempt that followed this one. */
  next_job_id: nullable.id,
  /** The job to which the missing pieces of this job were moved. */
  merged_into_job_id: nullable.id,
  failure_reason: nullable.text,
  hold_reason: nullable.text,
  /** Progress from 0 to 1. */
  progress: z.number(),
  /** Estimates for the whole job. */
  estimated_grams: nullable.number,
  estimated_minutes: nullable.number,
  /** Filament that was booked for the job. */
  used_grams: nullable.number,
  /** The print time, in minutes, that printers reported. */
  print_minutes: nullable.number,
  /**
   * Cost of the whole job in the currency of the shop. It includes failed plates and failed earlier attempts. It is
   * stored when the job is completed, and is null before that.
   */
  cost: nullable.number,
  /** Whether the filament in `cost` was reported for all plates. If not, it is at least partly estimated. */
  cost_is_measured: z.nullable(z.boolean()),
  /**
   * Planned cost of all pieces of the job, or of its good pieces after the job was completed. It is calculated when the
   * job is queued, and again if somebody edits the job before its first plate. Filament and time come from the sliced
   * file, otherwise from the estimates, otherwise from the item. Null if a figure is missing, and for unfinished jobs
   * from versions that stored no plan.
   */
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
    status: z.optional(z.enum(PRINT_JOB_STATUSES, 'status must be one of the statuses of a print job')),
    /** Only jobs that print this item. */
    inventory_item_id: optionalId('inventory_item_id'),
    /** Only jobs that finished after this time and that nobody has queued again. */
    unresolved_since: z.optional(moment('unresolved_since')),
    /**
     * Lists the trash instead of the queue. It contains jobs with any status, sorted by the time of deletion.
     */
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
  /** The other job in a split or a merge. */
  other_job_id: nullable.id,
  other_job_code: nullable.text,
  actor,
  created_at: timestamp,
})
export type PrintJobStep = z.output<typeof jobStep>

export const listPrintJobSteps = get('/api/print-queue/:id/history', 'signed-in', {
  summary: 'Status changes of a print job, newest first',
  returns: z.array(jobStep),
})
