import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { wholeNumber } from '../fields.ts'
import { MAX_JOB_QUANTITY, type PrintJob, printJob } from './jobs.ts'

/** Splitting a print job into two, and merging two print jobs into one. */
const { post } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

const ERRORS = ['PRINT_JOB_STATE', 'PRINT_JOB_INVALID', 'MALFORMED_REQUEST'] as const

export const splitPrintJob = post('/api/print-queue/:id/split', 'staff', {
  summary:
    'Split missing pieces off an unfinished job; they become a new job, which is returned. The history of each job names the other',
  body: z.object({
    /** Number of pieces of the new job. */
    quantity: wholeNumber('Quantity', 1, MAX_JOB_QUANTITY),
  }),
  creates: printJob,
  errors: [...ERRORS, 'IDEMPOTENCY_KEY_REUSED'],
})

export const mergePrintJobs = post('/api/print-queue/:id/merge', 'staff', {
  summary:
    'Add the missing pieces of another waiting job to this job; the other job ends and keeps its plates and its history',
  body: z.object({ job_id: z.uuid('job_id is not an id') }),
  returns: printJob,
  errors: ERRORS,
})

type JobToDivide = Pick<
  PrintJob,
  'status' | 'quantity' | 'good_quantity' | 'missing_quantity' | 'pieces_per_plate'
>

const isWaiting = ({ status }: Pick<PrintJob, 'status'>): boolean =>
  status === 'pending' || status === 'on_hold'

/**
 * Returns the largest number of pieces that can be moved to a new job, or 0 if none can. Pieces that are good or on a
 * plate stay with the job. A job that is on hold, or whose pieces are all missing, also keeps one missing piece.
 */
export function mostToSplitOff(job: JobToDivide): number {
  if (!isWaiting(job) && job.status !== 'in_progress') return 0
  const isKept = job.status === 'on_hold' || job.missing_quantity === job.quantity
  return Math.max(0, job.missing_quantity - (isKept ? 1 : 0))
}

/**
 * Returns whether pieces of another job can be added to this job. The number of pieces of an undivided job is
 * final after its print has started.
 */
export const canTakePieces = (job: Pick<PrintJob, 'status' | 'pieces_per_plate'>): boolean =>
  isWaiting(job) || (job.status === 'in_progress' && job.pieces_per_plate !== null)

/** Returns whether the missing pieces of this job can be moved to another job. */
export const canGivePieces = (job: Pick<PrintJob, 'status' | 'missing_quantity'>): boolean =>
  isWaiting(job) && job.missing_quantity > 0

/** The fields that must be equal in two jobs before they can be merged, with their names on the screens. */
const SHARED = {
  inventory_item_id: 'item',
  stl_file_id: 'model',
  stl_version_number: 'version of the model',
  slice_id: 'sliced file',
  material: 'material',
  color: 'color',
  match_strictness: 'strictness of the filament',
  filament_id: 'spool',
  order_id: 'order',
  order_line_id: 'line of the order',
} as const satisfies Partial<Record<keyof PrintJob, string>>

type SharedField = keyof typeof SHARED

/** Returns the names of the fields in which two jobs differ. Only jobs without a difference can be merged. */
export const differencesOf = (
  one: Pick<PrintJob, SharedField>,
  other: Pick<PrintJob, SharedField>,
): string[] =>
  (Object.keys(SHARED) as SharedField[])
    .filter((field) => one[field] !== other[field])
    .map((field) => SHARED[field])
