import * as z from 'zod/mini'
import { clearableText, optionalId, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { FAILURE_REASON_MAX_LENGTH, MAX_USED_GRAMS, byTool, line, pieces } from './agents.ts'
import { MAX_ESTIMATED_MINUTES, MAX_JOB_QUANTITY, printJob } from './jobs.ts'

/**
 * Steps of a print job that people take. `PRINT_JOB_TRANSITIONS` defines which steps are allowed, for people
 * and for agents.
 */
const { post, declareActions } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

/** Common reasons for failed prints, which forms offer. Any other text is also accepted. */
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
  'Wrong color',
  'Wrong size',
  'Damaged on removal',
  'Cancelled by a person',
] as const

const STEP_ERRORS = ['PRINT_JOB_STATE', 'MALFORMED_REQUEST'] as const

/** Declares a step. The response is the job after the step. */
const step = declareActions('/api/print-queue/:id', 'staff', { returns: printJob, errors: STEP_ERRORS })

/** The plate to which the step applies. The default is the only plate in progress. */
const plate = { plate_id: optionalId('plate_id') }

/** Filament and time that the plate used. The filament is booked in the spool's ledger. */
const filament = {
  print_minutes: z.optional(wholeNumber('print_minutes', 0, MAX_ESTIMATED_MINUTES)),
  /**
   * Grams, or a list of grams for each tool of the printer. The use of a tool is booked on the spool that is
   * loaded in its slot.
   */
  used_grams: byTool('used_grams', MAX_USED_GRAMS),
  /**
   * The spool, if a spool other than the chosen one was used. With grams by tool, it is the spool of the
   * first tool.
   */
  filament_id: optionalId('filament_id'),
}

export const startPrintJob = step(
  'start',
  'Start the next plate of a job; if two starts of a plate arrive at the same time, one is refused. Repeating it with the same Idempotency-Key starts nothing',
  {
    body: z.nullish(
      z.object({
        /** Name of the printer. The printer is created if it does not exist. */
        printer: clearableText(100, 'Printer'),
        filament_id: filament.filament_id,
        /**
         * Number of pieces on this plate. The default is the number of pieces in the sliced file, otherwise as
         * many as fit.
         */
        pieces: z.optional(wholeNumber('pieces', 1, MAX_JOB_QUANTITY)),
      }),
    ),
    errors: ['SPOOL_NOT_FOUND', 'PRINTER_BUSY', 'PRINTER_STATE', 'IDEMPOTENCY_KEY_REUSED'],
  },
)

export const completeQueuedJobBody = z.nullish(
  z.object({
    /**
     * The default is all pieces that are not rejected. Good and rejected pieces together are at most the pieces of the
     * plate, unless nobody started the job.
     */
    good_quantity: pieces('good_quantity'),
    rejected_quantity: pieces('rejected_quantity'),
    /** Why pieces were rejected. */
    reason: clearableText(FAILURE_REASON_MAX_LENGTH, 'Reason'),
    /**
     * Whether the plate is off the bed. With false, its printer has the state `needs_clearing` until a person clears it.
     * The default is false for a print of a network printer, and true for a print that a person or an agent has started.
     */
    cleared: z.optional(z.boolean('cleared must be true or false')),
    ...filament,
    ...plate,
  }),
)

export const completeQueuedJob = step(
  'complete',
  'Finish a job or one of its plates; good pieces go into stock once. Repeating it changes nothing if it names the plate, has no counts, or has the same Idempotency-Key',
  {
    body: completeQueuedJobBody,
    errors: ['PRINT_JOB_INVALID', 'STOCK_LIMIT', 'SPOOL_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  },
)

export const undoCompletion = step(
  'undo',
  'Undo the last completion of a job: its pieces leave stock, its filament returns to the spools, and its plate is active again; only if no later change depends on it',
  { errors: ['PRINT_JOB_NOT_UNDOABLE'] },
)

export const failQueuedJob = step(
  'fail',
  'Report a running job as failed, with a reason; its used filament is booked as waste',
  {
    body: z.object({
      reason: line('reason', FAILURE_REASON_MAX_LENGTH),
      /**
       * Good pieces of a plate whose printer failed. They go into stock, and only the pieces that are neither good nor
       * rejected are missing again. For a plate on a network printer, this works only if the printer is offline,
       * reports an error, or has not shown the print since an outage.
       */
      good_quantity: pieces('good_quantity'),
      rejected_quantity: pieces('rejected_quantity'),
      ...filament,
      ...plate,
    }),
    errors: ['PRINT_JOB_INVALID', 'STOCK_LIMIT', 'SPOOL_NOT_FOUND'],
  },
)

const reason = { reason: clearableText(FAILURE_REASON_MAX_LENGTH, 'Reason') }

/**
 * Filament and time of the running plate, if a person or an agent prints it. The call is refused if they are sent for a
 * job without such a plate, or with several of them.
 */
const stopped = { ...reason, ...filament }

export const cancelPrintJob = step(
  'cancel',
  'Cancel a job; the used filament and time of its running plates are booked: the given ones, otherwise the printed share that the printer or agent has reported',
  {
    body: z.nullish(
      z.object({
        ...stopped,
        /**
         * If true, the call is refused for a job that is being printed, or that was put on hold after its start. A job
         * that waits between two plates is cancelled.
         */
        only_if_not_started: z._default(z.boolean('only_if_not_started must be true or false'), false),
      }),
    ),
    errors: ['SPOOL_NOT_FOUND'],
  },
)

export const holdPrintJob = step(
  'hold',
  'Put a job on hold; its running plates are cancelled, and their used filament and time are booked as for a cancelled job',
  { body: z.nullish(z.object(stopped)), errors: ['SPOOL_NOT_FOUND'] },
)

const plateBody = z.nullish(z.object(plate))

export const pausePrintJob = step(
  'pause',
  'Pause a running plate; a network printer pauses the print itself, and a plate that an agent prints cannot be paused',
  {
    body: plateBody,
  },
)

export const resumePrintJob = step('resume', 'Resume a paused plate', { body: plateBody })

export const requeuePrintJob = post('/api/print-queue/:id/requeue', 'staff', {
  summary:
    'Queue a job again; its running plates are cancelled, and their used filament and time are booked as for a cancelled job; for a failed, cancelled or incomplete job, this creates and returns a new attempt',
  body: z.nullish(
    z.object({
      /**
       * Undoes the start of the running plate. This also restores the job's chosen spool, assigned printer and pieces
       * per plate, and the spools in the printers. Values that somebody has changed since the start stay as they are.
       */
      undo_start: z._default(z.boolean('undo_start must be true or false'), false),
      ...stopped,
    }),
  ),
  creates: printJob,
  alternative: 200,
  errors: [...STEP_ERRORS, 'PRINT_JOB_REPEATED', 'IDEMPOTENCY_KEY_REUSED', 'SPOOL_NOT_FOUND'],
})
