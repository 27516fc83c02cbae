import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { withParams } from '@/lib/browser/address-state.ts'
import { readSorting, type Sorting, sortRows, type ValueColumn, writeSorting } from './sort-rows.ts'

/** Name of the URL parameter for sorting in the browser. */
const PARAM = 'by'

/** Returns the URL parameters without the parameter for sorting in the browser. */
export const withoutSorting = (params: URLSearchParams): URLSearchParams =>
  withParams(params, { [PARAM]: null })

/** Longer lists are sorted only by the server, because the browser would have to load all rows. */
const MAX_ROWS = 2000

/**
 * The orders that the server can sort by. Maps a column to the names of its ascending and its descending order; null if
 * the server lacks that order.
 */
export interface ServerSort {
  value: string
  onChange: (value: string) => void
  byColumn: Readonly<Record<string, readonly [ascending: string | null, descending: string | null]>>
}

interface SortingOptions<Row> {
  columns: readonly ValueColumn<Row>[]
  rows: readonly Row[]
  count: { total: number; isTotalCapped: boolean } | null
  paging: { hasMore: boolean; isStale: boolean; onMore: () => void }
  server?: ServerSort | undefined
}

/** Sorting state for the column headers of a table. */
export interface TableSorting {
  sorting: Sorting | null
  /** Returns whether rows can be sorted by this column. */
  canSort: (column: string) => boolean
  onSort: (column: string) => void
}

function serverSorting({ value, byColumn }: ServerSort): Sorting | null {
  for (const [column, [ascending, descending]] of Object.entries(byColumn))
    if (value === ascending || value === descending) return { column, isDescending: value === descending }
  return null
}

/**
 * Returns the sorting after a click on a column's head: ascending, then descending, then none. Columns of
 * numbers start with descending.
 */
function nextSorting(now: Sorting | null, column: string, isNumber: boolean): Sorting | null {
  if (now?.column !== column) return { column, isDescending: isNumber }
  return now.isDescending === isNumber ? { column, isDescending: !isNumber } : null
}

/**
 * Returns the rows in the order chosen with the column heads. If the server supports that order, it sorts the
 * rows. Otherwise the browser loads the rest of the list and sorts it.
 */
export function useSorting<Row>(options: SortingOptions<Row>): TableSorting & { rows: readonly Row[] } {
  const { columns, rows, count, paging, server } = options
  const [params, setParams] = useSearchParams()
  const isSmall = count !== null && !count.isTotalCapped && count.total <= MAX_ROWS
  const own = isSmall ? readSorting(params.get(PARAM)) : null
  const valueOf = (column: string) => columns.find(({ id }) => id === column)?.value
  const isOwn = own !== null && valueOf(own.column) !== undefined
  const { hasMore } = paging
  const loadMore = useEffectEvent(() => paging.onMore())
  useEffect(() => {
    if (isOwn && hasMore) loadMore()
  }, [isOwn, hasMore])
  const sorting = isOwn ? own : server ? serverSorting(server) : null
  return {
    rows: isOwn ? sortRows(rows, columns, own) : rows,
    sorting,
    canSort: (column) => server?.byColumn[column] !== undefined || (isSmall && valueOf(column) !== undefined),
    onSort: (column) => {
      const isNumber = rows.some((row) => typeof valueOf(column)?.(row) === 'number')
      const next = nextSorting(sorting, column, isNumber)
      const orders = server?.byColumn[column]
      const order = next && orders ? orders[next.isDescending ? 1 : 0] : null
      if (order !== null && server) server.onChange(order)
      else setParams(withParams(params, { [PARAM]: next && writeSorting(next) }), { replace: true })
    },
  }
}
