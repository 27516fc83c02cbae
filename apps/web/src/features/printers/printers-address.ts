import { PRINTER_STATES, type PrinterState } from '@pegasus/contracts/print-queue/printers'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The filters of the floor view in the URL. The shell adds its own parameter, `tab`. */
export interface PrinterFilters {
  search: string
  /** The selected state; null for all states. */
  state: PrinterState | null
}

export const readFilters = (params: URLSearchParams): PrinterFilters => ({
  search: readText(params, 'search'),
  state: readOneOf(params, 'state', PRINTER_STATES),
})

export const withFilters = (params: URLSearchParams, { search, state }: PrinterFilters): URLSearchParams =>
  withParams(params, { search, state, printer: null })

/** Opens the page of a printer, or the floor for null. The filters stay in the URL. */
export const withPrinter = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { printer: id })

/** Returns whether the trash is shown instead of the floor. */
export const isTrashOpen = (params: URLSearchParams): boolean => params.get('deleted') === '1'

export const withTrash = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { deleted: isOpen ? '1' : null, printer: null })

/** Addresses of the pages to which a printer links. */
export interface PrinterAddresses {
  queue: string
  job: (id: string) => string
  spool: (id: string) => string
}
