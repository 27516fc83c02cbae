import { PRINTER_STATES, type PrinterSort } from '@pegasus/contracts/print-queue/printers'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The states to choose from. `needs_person` stands for all printers that need a person, in whatever state. */
export const FLOOR_STATES = ['needs_person', ...PRINTER_STATES] as const

/** The sort orders that people can choose on the floor. */
export const FLOOR_SORTS = ['attention', 'name'] as const satisfies readonly PrinterSort[]
export type FloorSort = (typeof FLOOR_SORTS)[number]

/** The filters of the floor view in the URL. The shell adds its own parameter, `tab`. */
export interface PrinterFilters {
  search: string
  /** The selected state; null for all states. */
  state: (typeof FLOOR_STATES)[number] | null
  sort: FloorSort
}

/** The default sort order. The URL does not contain it. */
export const USUAL_SORT: FloorSort = 'attention'

export const readFilters = (params: URLSearchParams): PrinterFilters => ({
  search: readText(params, 'search'),
  state: readOneOf(params, 'state', FLOOR_STATES),
  sort: readOneOf(params, 'sort', FLOOR_SORTS) ?? USUAL_SORT,
})

export const withFilters = (
  params: URLSearchParams,
  { search, state, sort }: PrinterFilters,
): URLSearchParams =>
  withParams(params, { search, state, sort: sort === USUAL_SORT ? null : sort, printer: null })

/** Returns the URL parameters that open the page of a printer, or the floor for null. The filters stay in the URL. */
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
