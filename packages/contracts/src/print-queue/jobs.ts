import * as z from 'zod/mini'
import { actor, pageQuery, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { PRINT_JOB_STATUSES } from '../statuses.ts'

const { get } = declareEndpoints('print-queue')

export const HIGHEST_PRIORITY = 1
export const LOWEST_PRIORITY = 99
export const DEFAULT_PRIORITY = 3
export const MAX_JOB_QUANTITY = 1_000_000
/** Of a whole job: ten tonnes, nineteen years. What is worked out from pieces stops there too. */
export const MAX_ESTIMATED_GRAMS = 10_000_000
export const MAX_ESTIMATED_MINUTES = 10_000_000

/** A print job: print this, so often. */
export const printJob = z.object({
  id: z.uuid(),
  label_code: z.string(),
  inventory_item_id: z.nullable(z.uuid()),
  /** Name of the item; of the model where a job is for no item. */
  inventory_item_name: z.string(),
  stl_file_id: z.nullable(z.uuid()),
  stl_file_title: z.nullable(z.string()),
  /** The picture of the version that it prints. */
  stl_thumbnail_path: z.nullable(z.string()),
  /** The version of the model that it prints: the one that was current when it was queued; null where it keeps none. */
  stl_version_number: z.nullable(z.number()),
  /** The version that the model stands for by now. */
  stl_current_version_number: z.nullable(z.number()),
  quantity: z.number(),
  good_quantity: z.number(),
  rejected_quantity: z.number(),
  status: z.enum(PRINT_JOB_STATUSES),
  /** 1 is the highest and shown as P1. */
  priority: z.number(),
  position: z.number(),
  material: z.nullable(z.string()),
  color: z.nullable(z.string()),
  color_hex: z.nullable(z.string()),
  /** The spool that was chosen. */
  filament_id: z.nullable(z.uuid()),
  filament_label: z.nullable(z.string()),
  filament_remaining_grams: z.nullable(z.number()),
  printer: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  attempt: z.number(),
  previous_job_id: z.nullable(z.uuid()),
  /** The attempt that followed this one. */
  next_job_id: z.nullable(z.uuid()),
  failure_reason: z.nullable(z.string()),
  hold_reason: z.nullable(z.string()),
  /** 0 to 1. */
  progress: z.number(),
  /** Of the whole job. */
  estimated_grams: z.nullable(z.number()),
  estimated_minutes: z.nullable(z.number()),
  /** Filament that was booked for it. */
  used_grams: z.nullable(z.number()),
  order_id: z.nullable(z.uuid()),
  order_number: z.nullable(z.string()),
  due_at: z.nullable(timestamp),
  started_at: z.nullable(timestamp),
  finished_at: z.nullable(timestamp),
  notes: z.nullable(z.string()),
  /** What `If-Match` wants, in quotes. */
  revision: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
  /** When it was put into the bin, which keeps it for 30 days; null where it is not in it. */
  deleted_at: z.nullable(timestamp),
})
export type PrintJob = z.output<typeof printJob>

export const listPrintQueue = get('/api/print-queue', 'signed-in', {
  summary: 'Unfinished print jobs by priority, position and age; finished ones newest first when asked for',
  query: z.object({
    ...pageQuery,
    status: z.optional(z.enum(PRINT_JOB_STATUSES, 'status is not one of the statuses of a print job')),
    /** Jobs that bring more of this item. */
    inventory_item_id: z.optional(z.uuid('inventory_item_id is not an id')),
    /** The bin instead of the queue, by when jobs got there; of any status unless one is asked for. */
    deleted: z.optional(z.enum(['true'], 'deleted is true or absent')),
  }),
  returns: z.array(printJob),
})

export const getPrintJob = get('/api/print-queue/:id', 'signed-in', {
  summary: 'One print job',
  returns: printJob,
  errors: ['PRINT_JOB_NOT_FOUND'],
})

/** A step of a job: from nothing when it was queued. */
const jobStep = z.object({
  id: z.uuid(),
  from_status: z.nullable(z.enum(PRINT_JOB_STATUSES)),
  to_status: z.enum(PRINT_JOB_STATUSES),
  reason: z.nullable(z.string()),
  good_quantity: z.nullable(z.number()),
  rejected_quantity: z.nullable(z.number()),
  actor,
  created_at: timestamp,
})
export type PrintJobStep = z.output<typeof jobStep>

export const listPrintJobSteps = get('/api/print-queue/:id/history', 'signed-in', {
  summary: 'What became of a print job, the latest first',
  returns: z.array(jobStep),
  errors: ['PRINT_JOB_NOT_FOUND'],
})
