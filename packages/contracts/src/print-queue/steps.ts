import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { FAILURE_REASON_MAX_LENGTH, line, pieces } from './agents.ts'
import { printJob } from './jobs.ts'
import { clearableText } from '../stl-library/upload.ts'

const { post } = declareEndpoints('print-queue')

/** What people do with a print job; `PRINT_JOB_TRANSITIONS` says what may follow what, for them as for agents. */

/** Why prints fail, for a form to offer; any other words will do. */
export const COMMON_FAILURE_REASONS = [
  'Did not stick to the bed',
  'Came loose',
  'Layer shift',
  'Clogged nozzle',
  'Filament ran out',
  'Warped',
  'Stringing',
  'Under-extrusion',
  'Power failure',
  'Wrong file or material',
  'Wrong size',
  'Damaged on removal',
] as const

const STEPS = ['UNAUTHENTICATED', 'FORBIDDEN', 'PRINT_JOB_NOT_FOUND', 'PRINT_JOB_STATE'] as const
const BODIES = ['INVALID_INPUT', 'MALFORMED_REQUEST'] as const

const GRAMS = 'used_grams must be a number from 0 to 1000000'

/** What the job took off its spool; booked in the spool's ledger where it is told. */
const filament = {
  used_grams: z.optional(z.number(GRAMS).check(z.gte(0, GRAMS), z.lte(1_000_000, GRAMS))),
  /** The spool, where it is another than the one that was chosen. */
  filament_id: z.optional(z.uuid('filament_id is not an id')),
}

export const startPrintJobBody = z.nullish(
  z.object({
    /** Name of the printer, made where it is not known yet. */
    printer: clearableText(100, 'Printer'),
    filament_id: filament.filament_id,
  }),
)

export const startPrintJob = post('/api/print-queue/:id/start', 'staff', {
  summary: 'Begin to print a job; of two who start it at once, one is told that the other has',
  body: startPrintJobBody,
  returns: printJob,
  errors: [...STEPS, ...BODIES, 'SPOOL_NOT_FOUND'],
})

export const completeQueuedJobBody = z.nullish(
  z.object({
    /** All that are not rejected unless told. */
    good_quantity: pieces('good_quantity'),
    rejected_quantity: pieces('rejected_quantity'),
    /** Why pieces were rejected. */
    reason: clearableText(FAILURE_REASON_MAX_LENGTH, 'Reason'),
    ...filament,
  }),
)

export const completeQueuedJob = post('/api/print-queue/:id/complete', 'staff', {
  summary: 'Finish a job; its good pieces go into stock, once. A second time changes nothing',
  body: completeQueuedJobBody,
  returns: printJob,
  errors: [...STEPS, ...BODIES, 'PRINT_JOB_INVALID', 'STOCK_LIMIT', 'SPOOL_NOT_FOUND'],
})

export const failQueuedJob = post('/api/print-queue/:id/fail', 'staff', {
  summary:
    'Give a job up that is being printed, with the reason; what it took of its spool is booked as waste',
  body: z.object({
    reason: line('reason', FAILURE_REASON_MAX_LENGTH),
    rejected_quantity: pieces('rejected_quantity'),
    ...filament,
  }),
  returns: printJob,
  errors: [...STEPS, ...BODIES, 'PRINT_JOB_INVALID', 'SPOOL_NOT_FOUND'],
})

const why = z.nullish(z.object({ reason: clearableText(FAILURE_REASON_MAX_LENGTH, 'Reason') }))

export const cancelPrintJob = post('/api/print-queue/:id/cancel', 'staff', {
  summary: 'Give a job up that is not wanted any more',
  body: why,
  returns: printJob,
  errors: [...STEPS, ...BODIES],
})

export const holdPrintJob = post('/api/print-queue/:id/hold', 'staff', {
  summary: 'Set a job aside until it is put back into the queue',
  body: why,
  returns: printJob,
  errors: [...STEPS, ...BODIES],
})

export const requeuePrintJob = post('/api/print-queue/:id/requeue', 'staff', {
  summary:
    'Back into the queue: a job on hold or being printed as itself; one that failed, was cancelled or has rejected pieces as its next attempt, which is what comes back',
  creates: printJob,
  alternative: 200,
  errors: [...STEPS, 'PRINT_JOB_REPEATED', 'IDEMPOTENCY_KEY_REUSED', 'MALFORMED_REQUEST'],
})
