import { Fragment, type ReactNode, useCallback } from 'react'
import { cx } from '@/lib/class-names.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { Skeleton, SkeletonGroup, SkeletonText } from './ui/feedback/skeleton.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { VirtualRows } from './virtual-rows.tsx'

export interface Column<Row> {
  id: string
  head: ReactNode
  /** Width of the column in grid syntax: `minmax(0, 2fr)`, `96px`. */
  track: string
  /** True if the column has numbers, which are aligned right. */
  isNumber?: boolean
  /** Minimum table width in pixels at which the column is shown; always if absent. */
  from?: number
  cell: (row: Row, index: number) => ReactNode
}

interface DataTableProps<Row extends { id: string }> {
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
}

const GRID = 'grid items-center gap-x-5 px-4'

/** A virtualized table inside a card; a list of rows on a phone. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, total, rowHeight, phoneRowHeight, isStale, hasMore, onMore } = props
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
  const shown = columns.filter(({ from = 0 }) => width >= from)
  const tracks = { gridTemplateColumns: shown.map(({ track }) => track).join(' ') }
  const rowsOf = (children: (index: number) => ReactNode) => (
    <VirtualRows
      rowCount={width === 0 ? 0 : rows.length}
      estimatedHeight={isPhone ? phoneRowHeight : rowHeight}
      // The table's head lies between its top and the first row.
      pageTop={pageTop + (isPhone ? 0 : HEAD_HEIGHT)}
      layoutKey={isPhone ? 'phone' : 'table'}
      hasMore={hasMore}
      onMore={onMore}
    >
      {children}
    </VirtualRows>
  )
  const surface = cx(
    'overflow-hidden border-line bg-surface transition-opacity phone:-mx-4 phone:border-y sm:rounded-card sm:border',
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
      aria-colcount={shown.length}
      className={surface}
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={cx(GRID, 'h-9 border-b border-line text-caption font-medium text-ink-3')}
          style={tracks}
        >
          {shown.map(({ id, head, isNumber }) => (
            <div
              key={id}
              role="columnheader"
              className={cx(typeof head === 'string' && 'truncate', isNumber && 'text-right')}
            >
              {head}
            </div>
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
              className={cx(GRID, rowLine(index), 'relative py-1.5 hover:bg-hover')}
              style={{ ...tracks, minHeight: rowHeight }}
            >
              {shown.map(({ id, isNumber, cell }) => (
                <div key={id} role="cell" className={cx('min-w-0', isNumber && 'text-right')}>
                  {cell(row, index)}
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
            <Skeleton className="ml-auto h-5 w-24" />
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
