import * as z from 'zod/mini'
import { clearableText, clearableId, clearableMoment, numberBetween, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MATCH_STRICTNESS } from './job-waits.ts'
import {
  DEFAULT_PRIORITY,
  HIGHEST_PRIORITY,
  LOWEST_PRIORITY,
  MAX_ESTIMATED_GRAMS,
  MAX_ESTIMATED_MINUTES,
  MAX_JOB_QUANTITY,
  printJob,
} from './jobs.ts'

/** Queuing, changing and deleting print jobs. */
const { post, declareWrites, declareTrash } = declareEndpoints('print-queue', {
  notFound: 'PRINT_JOB_NOT_FOUND',
})

const quantity = wholeNumber('Quantity', 1, MAX_JOB_QUANTITY)
const priority = wholeNumber('Priority', HIGHEST_PRIORITY, LOWEST_PRIORITY)
const jobFields = {
  /**
   * At least one of `inventory_item_id` and `stl_file_id` is required. A job for an item prints the item's model unless
   * another model is given.
   */
  inventory_item_id: clearableId('inventory_item_id'),
  stl_file_id: clearableId('stl_file_id'),
  material: clearableText(64, 'Material'),
  color: clearableText(64, 'Color'),
  /** Number of pieces in one print. Null means that one print makes all pieces. */
  pieces_per_plate: z.optional(z.nullable(wholeNumber('Pieces per plate', 1, MAX_JOB_QUANTITY))),
  /**
   * Number of pieces that will probably be rejected. It adds no plates to a job without `pieces_per_plate`, which
   * always prints one plate.
   */
  expected_rejects: z.optional(wholeNumber('Expected rejects', 0, MAX_JOB_QUANTITY)),
  /** The spool to use. */
  filament_id: clearableId('filament_id'),
  /**
   * The sliced file to print. It must belong to the version of the model that the job prints. Null means the newest
   * sliced file that fits the printer.
   */
  slice_id: clearableId('slice_id'),
  match_strictness: z.optional(
    z.enum(MATCH_STRICTNESS, `match_strictness must be one of ${MATCH_STRICTNESS.join(', ')}`),
  ),
  order_id: clearableId('order_id'),
  /**
   * Weight for the whole job in grams. By default, it is calculated from the sliced file, otherwise from the item's
   * weight.
   */
  estimated_grams: z.optional(z.nullable(numberBetween('Estimated grams', 0, MAX_ESTIMATED_GRAMS))),
  /** Print time for the whole job. By default, it is calculated from the sliced file, otherwise from the item. */
  estimated_minutes: z.optional(z.nullable(wholeNumber('Estimated minutes', 0, MAX_ESTIMATED_MINUTES))),
  due_at: clearableMoment('due_at'),
  notes: clearableText(10_000, 'Notes'),
}

export const createPrintJobBody = z.object({
  quantity: z._default(quantity, 1),
  /** 1 is the highest priority. */
  priority: z._default(priority, DEFAULT_PRIORITY),
  ...jobFields,
})
export type CreatePrintJobBody = z.output<typeof createPrintJobBody>

/**
 * Missing fields stay unchanged. Item and model can be changed until the job starts; the job then gets the
 * current version of the new model. Only the notes of a finished job can be changed.
 */
export const updatePrintJobBody = z.object({
  quantity: z.optional(quantity),
  priority: z.optional(priority),
  ...jobFields,
})
export type UpdatePrintJobBody = z.output<typeof updatePrintJobBody>

export const { create: createPrintJob, update: updatePrintJob } = declareWrites('/api/print-queue', 'staff', {
  returns: printJob,
  create: {
    summary: 'Queue a print of an item or a model, with the current version of the model',
    body: createPrintJobBody,
  },
  update: { summary: 'Change a print job', body: updatePrintJobBody, errors: ['PRINT_JOB_STATE'] },
  errors: [
    'PRINT_JOB_INVALID',
    'ITEM_NOT_FOUND',
    'MODEL_NOT_FOUND',
    'SPOOL_NOT_FOUND',
    'ORDER_NOT_FOUND',
    'MALFORMED_REQUEST',
  ],
})

export const { remove: deletePrintJob, restore: restorePrintJob } = declareTrash(
  '/api/print-queue',
  'staff',
  {
    name: 'a print job that is not running',
    returns: printJob,
    remove: ['PRINT_JOB_STATE'],
    restore: ['PRINT_JOB_REPEATED', 'PRINT_JOB_STATE'],
  },
)

/**
 * Moves a job right before another job, or to the end of the queue if `before_id` is null. The job keeps its priority
 * if it fits between the new neighbors. Otherwise, the job gets the nearest priority that fits.
 */
export const reorderPrintQueue = post('/api/print-queue/reorder', 'staff', {
  summary: 'Move a print job to another position in the queue',
  body: z.object({
    id: z.uuid('id is not an id'),
    before_id: z.nullable(z.uuid('before_id is not an id')),
  }),
  returns: printJob,
  errors: ['PRINT_JOB_NOT_FOUND', 'PRINT_JOB_STATE', 'MALFORMED_REQUEST'],
})
