import { PRINT_JOB_STATUSES, type PrintJobStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** Reads the status filter; null for all unfinished jobs. */
export const readStatus = (params: URLSearchParams): PrintJobStatus | null =>
  readOneOf(params, 'status', PRINT_JOB_STATUSES)

export const withStatus = (params: URLSearchParams, status: PrintJobStatus | null): URLSearchParams =>
  withParams(params, { status, job: null, view: null })

/** Returns the filter in a URL, in the format of a saved search. */
export const searchQueryOf = (params: URLSearchParams): string =>
  withStatus(new URLSearchParams(), readStatus(params)).toString()

/** Returns the URL's parameters with the filter of a saved search. */
export const withSavedSearch = (params: URLSearchParams, query: string): URLSearchParams =>
  withStatus(params, readStatus(new URLSearchParams(query)))

/** Returns the URL parameters that open the page of a job, or the queue for null. The filter stays in the URL. */
export const withJob = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { job: id })

/**
 * Returns the URL parameters that open a job from any page. The toast with this link may still be shown on another
 * page.
 */
export const toJob = (params: URLSearchParams, id: string): URLSearchParams =>
  withParams(params, { tab: 'print-queue', view: null, job: id })

/** Returns whether the trash is shown instead of the queue. */
export const isTrashOpen = (params: URLSearchParams): boolean => params.get('view') === 'bin'

export const withTrash = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'bin' : null, job: null, add: null })

/** Returns whether the printers' schedule is shown instead of the queue. */
export const isScheduleOpen = (params: URLSearchParams): boolean => params.get('view') === 'schedule'

export const withSchedule = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'schedule' : null, job: null, add: null })

/** Returns whether the nightly replenishment is shown instead of the queue. */
export const isReplenishmentOpen = (params: URLSearchParams): boolean =>
  params.get('view') === 'replenishment'

export const withReplenishment = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'replenishment' : null, job: null, add: null })

/** Returns whether the report of planned and actual prints is shown instead of the queue. */
export const isProductionOpen = (params: URLSearchParams): boolean => params.get('view') === 'production'

export const withProduction = (params: URLSearchParams): URLSearchParams =>
  withParams(params, { view: 'production', job: null, add: null })

/** Returns the URL parameters that open the page of a printer with the dialog that loads a spool. */
export const withLoading = (params: URLSearchParams, printerId: string): URLSearchParams =>
  withParams(params, {
    tab: 'print-queue',
    view: 'printers',
    printer: printerId,
    do: 'load',
    job: null,
    add: null,
  })

/** The initial values of the dialog for a new job, from a URL such as `add=1&item=…&quantity=3`. */
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

/** Addresses of the pages to which a job links. */
export interface JobAddresses {
  spool: (id: string) => string
  model: (id: string) => string
  order: (id: string) => string
  item: (id: string) => string
  /** Address of the list of spools. */
  spools: string
  /** Address of the floor with all printers. */
  printers: string
  printer: (id: string) => string
  /** Address of the printer's page with the form that edits the printer. */
  printerForm: (id: string) => string
}
