import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { clearableMoment } from '../filament/spool-changes.ts'
import {
  DEFAULT_PRIORITY,
  HIGHEST_PRIORITY,
  LOWEST_PRIORITY,
  MAX_ESTIMATED_GRAMS,
  MAX_ESTIMATED_MINUTES,
  MAX_JOB_QUANTITY,
  printJob,
} from './jobs.ts'
import { clearableText } from '../stl-library/upload.ts'

const { post, put, del } = declareEndpoints('print-queue')

/** Queueing, changing and putting away print jobs. */

const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${most}`
  return z.int(message).check(z.gte(least, message), z.lte(most, message))
}

const id = (name: string) => z.optional(z.nullable(z.uuid(`${name} is not an id`)))

const quantity = whole('Quantity', 1, MAX_JOB_QUANTITY)
const priority = whole('Priority', HIGHEST_PRIORITY, LOWEST_PRIORITY)
const GRAMS = `Estimated grams must be a number from 0 to ${MAX_ESTIMATED_GRAMS}`

const jobFields = {
  /** One of the two at least. A job for an item prints the item's model unless another is named. */
  inventory_item_id: id('inventory_item_id'),
  stl_file_id: id('stl_file_id'),
  material: clearableText(64, 'Material'),
  color: clearableText(64, 'Color'),
  /** The spool that is to be used. */
  filament_id: id('filament_id'),
  order_id: id('order_id'),
  /** Of the whole job; by the item's weight where it is left out. */
  estimated_grams: z.optional(
    z.nullable(z.number(GRAMS).check(z.gte(0, GRAMS), z.lte(MAX_ESTIMATED_GRAMS, GRAMS))),
  ),
  estimated_minutes: z.optional(z.nullable(whole('Estimated minutes', 0, MAX_ESTIMATED_MINUTES))),
  due_at: clearableMoment('due_at'),
  notes: clearableText(10_000, 'Notes'),
}

export const createPrintJobBody = z.object({
  quantity: z._default(quantity, 1),
  /** 1 is the highest. */
  priority: z._default(priority, DEFAULT_PRIORITY),
  ...jobFields,
})
export type CreatePrintJobBody = z.output<typeof createPrintJobBody>

/**
 * What is absent stays. What a job prints can be changed until it is started, and pins the model's current version
 * anew; of a job that is over, the notes alone.
 */
export const updatePrintJobBody = z.object({
  quantity: z.optional(quantity),
  priority: z.optional(priority),
  ...jobFields,
})
export type UpdatePrintJobBody = z.output<typeof updatePrintJobBody>

const WRITES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'PRINT_JOB_INVALID',
  'ITEM_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'SPOOL_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
] as const

export const createPrintJob = post('/api/print-queue', 'staff', {
  summary: 'Queue a print of an item or a model, with the version of the model that is current now',
  body: createPrintJobBody,
  creates: printJob,
  errors: [...WRITES, 'IDEMPOTENCY_KEY_REUSED'],
})

export const updatePrintJob = put('/api/print-queue/:id', 'staff', {
  summary: 'Change a print job',
  body: updatePrintJobBody,
  returns: printJob,
  errors: [
    ...WRITES,
    'PRINT_JOB_NOT_FOUND',
    'PRINT_JOB_STATE',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
  ],
})

export const deletePrintJob = del('/api/print-queue/:id', 'staff', {
  summary: 'Put a print job that is not being printed into the bin, which keeps it for 30 days',
  current: printJob,
  errors: ['PRINT_JOB_NOT_FOUND', 'PRINT_JOB_STATE', 'PRECONDITION_FAILED'],
})

export const restorePrintJob = post('/api/print-queue/:id/restore', 'staff', {
  summary: 'Take a print job out of the bin',
  returns: printJob,
  errors: ['PRINT_JOB_NOT_FOUND', 'PRINT_JOB_REPEATED', 'PRINT_JOB_STATE'],
})

/**
 * Puts one job right before another, or at the end of the queue where `before_id` is null. It keeps its priority where
 * that fits between its new neighbours, and takes the nearest that does where not.
 */
export const reorderPrintQueueBody = z.object({
  id: z.uuid('id is not an id'),
  before_id: z.nullable(z.uuid('before_id is not an id')),
})

export const reorderPrintQueue = post('/api/print-queue/reorder', 'staff', {
  summary: 'Move a print job to another place in the queue',
  body: reorderPrintQueueBody,
  returns: printJob,
  errors: ['PRINT_JOB_NOT_FOUND', 'PRINT_JOB_STATE', 'MALFORMED_REQUEST'],
})
