import { Fragment, type ReactNode, useCallback } from 'react'
import { cx } from '@/lib/class-names.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { Skeleton, SkeletonGroup, SkeletonText } from './ui/feedback/skeleton.tsx'
import { ColumnHead } from './table-view/column-head.tsx'
import type { ColumnValue } from './table-view/sort-rows.ts'
import { useTableSettings } from './table-view/table-settings.ts'
import type { TableSorting } from './table-view/use-sorting.ts'
import { useRowKeys } from './use-row-keys.ts'
import { VirtualRows } from './virtual-rows.tsx'

export interface Column<Row> {
  id: string
  head: ReactNode
  /** Width of the column in grid syntax: `minmax(0, 2fr)`, `96px`. */
  track: string
  /** True if the column has numbers, which are aligned right. */
  isNumber?: boolean
  /** Minimum table width in pixels at which the column is shown. If absent, it is always shown. */
  from?: number
  /**
   * Returns the value of the cell, which sorting and the export use. A person can hide a column that has this
   * function, unless it is the first column.
   */
  value?: ((row: Row) => ColumnValue) | undefined
  /** Renders the cell. `rows` are all rows in the order of the table. */
  cell: (row: Row, index: number, rows: readonly Row[]) => ReactNode
}

interface DataTableProps<Row extends { id: string }> {
  /** The name under which the browser stores a person's settings of this table. Only a table with a menu needs one. */
  name?: string
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Number of rows on the server; −1 if unknown. */
  total: number
  rowHeight: number
  /** Renders a row on a phone, where columns do not fit. */
  phoneRow: (row: Row, index: number) => ReactNode
  phoneRowHeight: number
  isStale: boolean
  hasMore: boolean
  onMore: () => void
  /** The sorting of the rows by the column heads. */
  sort?: TableSorting | undefined
}

/**
 * Returns the columns that people can hide. These are the columns with a value, except the first, which names the row.
 */
export const hideableColumns = <Row,>(columns: readonly Column<Row>[]): { id: string; name: string }[] =>
  columns
    .flatMap(({ id, head, value }) => (typeof head === 'string' && value ? [{ id, name: head }] : []))
    .slice(1)

/** Height in pixels of a compact row, which has small pictures. */
const COMPACT_HEIGHT = 44

const GRID = 'grid items-center gap-x-5 px-4'

/** A virtualized table inside a card; a list of rows on a phone. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { name = '', label, columns, rows, total, phoneRowHeight, isStale, hasMore, onMore, sort } = props
  const { hidden, isCompact } = useTableSettings(name)
  const rowHeight = isCompact ? Math.min(props.rowHeight, COMPACT_HEIGHT) : props.rowHeight
  const [box, { width, pageTop, isPhone }] = useElementBox<HTMLDivElement>()
  const { ref: keysRef, props: keyProps } = useRowKeys({
    list: label,
    ids: rows.map(({ id }) => id),
    topOf: (index) => pageTop + index * (isPhone ? phoneRowHeight : rowHeight),
  })
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      keysRef(element)
      return box(element)
    },
    [box, keysRef],
  )
  const shownColumns = columns.filter(({ id, from = 0 }) => width >= from && !hidden.includes(id))
  const tracks = { gridTemplateColumns: shownColumns.map(({ track }) => track).join(' ') }
  const keys = keysOf(rows)
  const rowsOf = (children: (index: number) => ReactNode) => (
    <VirtualRows
      rowCount={width === 0 ? 0 : rows.length}
      estimatedHeight={isPhone ? phoneRowHeight : rowHeight}
      // The table's head is between the top of the table and its first row.
      pageTop={pageTop + (isPhone ? 0 : HEAD_HEIGHT)}
      layoutKey={isPhone ? 'phone' : isCompact ? 'compact' : 'table'}
      keyOf={(index) => keys[index]}
      hasMore={hasMore}
      onMore={onMore}
    >
      {children}
    </VirtualRows>
  )
  const surface = cx(
    // The card is clipped and does not scroll, so that the head sticks to the window.
    'overflow-clip border-line bg-surface transition-opacity phone:-mx-4 phone:border-y sm:rounded-card sm:border',
    isStale && 'opacity-55',
  )
  if (isPhone) {
    return (
      <div {...keyProps} ref={ref} role="list" aria-label={label} aria-busy={isStale} className={surface}>
        {rowsOf((index) => {
          const row = rows[index]
          return row ? (
            <div role="listitem" aria-posinset={index + 1} aria-setsize={total} className={rowLine(index)}>
              {props.phoneRow(row, index)}
            </div>
          ) : null
        })}
      </div>
    )
  }
  return (
    <div
      {...keyProps}
      ref={ref}
      role="table"
      aria-label={label}
      aria-busy={isStale}
      aria-rowcount={total < 0 ? -1 : total + 1}
      aria-colcount={shownColumns.length}
      className={cx(surface, isCompact && '[&_.plinth]:size-9')}
    >
      <div role="rowgroup" className="sticky top-[93px] z-10 bg-surface">
        <div
          role="row"
          aria-rowindex={1}
          className={cx(GRID, 'h-9 border-b border-line text-caption font-medium text-ink-3')}
          style={tracks}
        >
          {shownColumns.map((column) => (
            <Head key={column.id} column={column} sort={sort} />
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {rowsOf((index) => {
          const row = rows[index]
          if (!row) return null
          return (
            <div
              role="row"
              aria-rowindex={index + 2}
              className={cx(GRID, rowLine(index), 'relative hover:bg-hover', isCompact ? 'py-0.5' : 'py-1.5')}
              style={{ ...tracks, minHeight: rowHeight }}
            >
              {shownColumns.map(({ id, isNumber, cell }) => (
                <div key={id} role="cell" className={cx('min-w-0', isNumber && 'text-end')}>
                  {cell(row, index, rows)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const HEAD_HEIGHT = 37

/** Returns a key for each row. A row that moves while the pages load can be listed twice for a moment. */
function keysOf(rows: readonly { id: string }[]): string[] {
  const seen = new Set<string>()
  return rows.map(({ id }, index) => {
    if (seen.has(id)) return `${id}:${index}`
    seen.add(id)
    return id
  })
}

interface HeadProps<Row> {
  column: Column<Row>
  sort: TableSorting | undefined
}

function Head<Row>({ column: { id, head, isNumber = false }, sort }: HeadProps<Row>) {
  const { sorting, canSort, onSort } = sort ?? {}
  const isSorted = sorting?.column === id
  const direction = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : null
  const canBeSorted = typeof head === 'string' && canSort?.(id)
  return (
    <div
      role="columnheader"
      {...(canBeSorted && { 'aria-sort': direction ?? 'none' })}
      className={cx(typeof head === 'string' && 'truncate', isNumber && 'text-end')}
    >
      {canBeSorted ? (
        <ColumnHead isNumber={isNumber} direction={direction} onSort={() => onSort?.(id)}>
          {head}
        </ColumnHead>
      ) : (
        head
      )}
    </div>
  )
}

const rowLine = (index: number): string => (index === 0 ? '' : 'border-t border-line')

interface TableSkeletonProps {
  /** Read out while the table loads. */
  label: string
  rowHeight: number
  phoneRowHeight: number
  rows?: number
  /** False if the rows show no picture. */
  hasPictures?: boolean
}

/** Placeholder for a table that is loading. */
export function TableSkeleton({
  label,
  rowHeight,
  phoneRowHeight,
  rows = 9,
  hasPictures = true,
}: TableSkeletonProps) {
  return (
    <SkeletonGroup
      label={label}
      className="overflow-hidden border-line bg-surface phone:-mx-4 phone:border-y sm:rounded-card sm:border"
    >
      <div className="hidden h-9 items-center border-b border-line px-4 sm:flex">
        <Skeleton className="h-2.5 w-16" />
      </div>
      {Array.from({ length: rows }, (_, index) => (
        <Fragment key={index}>
          <div
            className={cx('hidden items-center gap-4 px-4 sm:flex', rowLine(index))}
            style={{ height: rowHeight }}
          >
            {hasPictures ? <Skeleton className="size-14 rounded-control!" /> : null}
            <div className="w-1/4">
              <Skeleton className="h-3 w-3/4" />
              <Skeleton className="mt-2 h-2.5 w-2/5" />
            </div>
            <Skeleton className="h-1.5 w-1/4" />
            <Skeleton className="ms-auto h-5 w-24" />
            <Skeleton className="h-3 w-16" />
          </div>
          <div
            className={cx('flex items-center gap-3 px-4 sm:hidden', rowLine(index))}
            style={{ height: phoneRowHeight }}
          >
            {hasPictures ? <Skeleton className="size-14 rounded-control!" /> : null}
            <SkeletonText bars={['h-3 w-3/4', 'mt-2 h-2.5 w-2/5', 'mt-2.5 h-1.5 w-full']} />
          </div>
        </Fragment>
      ))}
    </SkeletonGroup>
  )
}
