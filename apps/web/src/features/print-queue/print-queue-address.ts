import { PRINT_JOB_STATUSES, type PrintJobStatus } from '@pegasus/contracts/statuses'
import { readOneOf, withParams } from '@/lib/address-state.ts'

/** Null: what is not finished. */
export const readStatus = (params: URLSearchParams): PrintJobStatus | null =>
  readOneOf(params, 'status', PRINT_JOB_STATUSES)

export const withStatus = (params: URLSearchParams, status: PrintJobStatus | null): URLSearchParams =>
  withParams(params, { status })
