import { PRINT_JOB_TRANSITIONS, type PrintJobStatus } from '@pegasus/contracts/statuses'
import { AppError } from '../../../platform/errors/app-error.ts'

const TOLD: Readonly<Record<PrintJobStatus, string>> = {
  pending: 'put back into the queue',
  in_progress: 'started',
  on_hold: 'put on hold',
  completed: 'completed',
  failed: 'marked as failed',
  cancelled: 'cancelled',
}

const IS: Readonly<Record<PrintJobStatus, string>> = {
  pending: 'waiting in the queue',
  in_progress: 'being printed',
  on_hold: 'on hold',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** Creates the error PRINT_JOB_STATE. Its message contains the current status and says why the step is impossible. */
export const refuseStep = (from: PrintJobStatus, to: PrintJobStatus): AppError =>
  new AppError('PRINT_JOB_STATE', {
    text:
      from === to
        ? `This print job is already ${IS[from]}.`
        : `This print job is ${IS[from]}, so it cannot be ${TOLD[to]}.`,
  })

/** Throws PRINT_JOB_STATE if the transition table does not allow this step. */
export function assertStep(from: PrintJobStatus, to: PrintJobStatus): void {
  const next: readonly PrintJobStatus[] = PRINT_JOB_TRANSITIONS[from]
  if (!next.includes(to)) throw refuseStep(from, to)
}
