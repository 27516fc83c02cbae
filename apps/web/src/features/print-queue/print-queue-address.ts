import { PRINT_JOB_STATUSES, type PrintJobStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** Null: what is not finished. */
export const readStatus = (params: URLSearchParams): PrintJobStatus | null =>
  readOneOf(params, 'status', PRINT_JOB_STATUSES)

export const withStatus = (params: URLSearchParams, status: PrintJobStatus | null): URLSearchParams =>
  withParams(params, { status, job: null, view: null })

/** The same address with a job opened, or with none: the way back keeps the filter. */
export const withJob = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { job: id })

/** A job opened from wherever one is by now: what told of it stays on the screen for some seconds. */
export const toJob = (params: URLSearchParams, id: string): URLSearchParams =>
  withParams(params, { tab: 'print-queue', view: null, job: id })

/** Whether the bin is shown in place of the queue. */
export const isBin = (params: URLSearchParams): boolean => params.get('view') === 'bin'

export const withBin = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'bin' : null, job: null, add: null })

/** What the dialog that adds a job begins with, where an address opens it: `add=1&item=…&quantity=3`. */
export interface AddRequest {
  itemId: string
  modelId: string
  orderId: string
  quantity: string
}

export const readAddRequest = (params: URLSearchParams): AddRequest | null =>
  params.get('add') === '1'
    ? {
        itemId: readText(params, 'item'),
        modelId: readText(params, 'model'),
        orderId: readText(params, 'order'),
        quantity: readText(params, 'quantity'),
      }
    : null

export const withAdd = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { add: isOpen ? '1' : null, item: null, model: null, order: null, quantity: null })
