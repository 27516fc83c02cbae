import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type HTMLAttributes, memo, type ReactNode, type RefCallback, useCallback, useEffect } from 'react'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { useIsIdle } from '@/lib/browser/when-idle.ts'
import { cx } from '@/lib/class-names.ts'
import { useRowKeys } from './use-row-keys.ts'

/** The next page is requested when this many rows are left below the window. */
const ROWS_AHEAD = 4
/**
 * Number of rows that are drawn outside the window. It is one at first, because more would delay the visible
 * rows. Once the browser is idle, more rows are drawn to keep scrolling smooth.
 */
const OVERSCAN = { atFirst: 1, later: 4 }

interface VirtualRowsProps {
  rowCount: number
  /** Estimated height of a row, in pixels, before it is measured. */
  estimatedHeight: number
  gap?: number
  /**
   * Offset of the first row from the top of the page, in pixels. useElementBox of the surrounding element
   * returns it.
   */
  pageTop: number
  /** Changes with the layout, so that heights measured in another layout are discarded. */
  layoutKey: string | number
  /**
   * Returns the identity of a row. A row then keeps its state, such as an open dialog, when rows above it are added or
   * removed. If absent, the state stays at the position.
   */
  keyOf?: (index: number) => string | undefined
  hasMore: boolean
  onMore: () => void
  children: (index: number) => ReactNode
}

/** Renders only when the list itself changes, not with each measurement and each scroll step. */
const RowContent = memo(({ index, render }: { index: number; render: (index: number) => ReactNode }) =>
  render(index),
)

interface VirtualListProps extends Omit<VirtualRowsProps, 'pageTop' | 'children'> {
  ref: RefCallback<HTMLDivElement>
  box: { width: number; pageTop: number }
  label: string
  /** True if the rows match the previous filters, because the rows for the new filters are still loading. */
  isStale: boolean
  className?: string | undefined
  /** Further properties of the element of the list. */
  props?: HTMLAttributes<HTMLDivElement>
  children: (index: number) => ReactNode
}

/** A list for screen readers that renders only the rows near the window. `ref` and `box` come from useElementBox. */
export const VirtualList = ({
  ref,
  box,
  label,
  isStale,
  className,
  props,
  rowCount,
  ...rows
}: VirtualListProps) => (
  <div
    {...props}
    ref={ref}
    role="list"
    aria-label={label}
    aria-busy={isStale}
    className={cx('transition-opacity', isStale && 'opacity-55', className)}
  >
    <VirtualRows {...rows} rowCount={box.width === 0 ? 0 : rowCount} pageTop={box.pageTop} />
  </div>
)

/** The layout of a grid of cards for a given width. */
export interface GridLayout {
  columns: number
  gap: number
  /** Estimated height of a row of cards, in pixels, before it is drawn. */
  estimatedHeight: number
}

const NO_IDS: readonly string[] = []

interface VirtualGridProps<Layout extends GridLayout> {
  label: string
  /** The number of positions in the grid. */
  count: number
  /** The ids of the cards, in order. With them, the keys of lists work: each card has its position as `data-card`. */
  ids?: readonly string[]
  layoutOf: (width: number, isPhone: boolean) => Layout
  isStale: boolean
  hasMore: boolean
  onMore: () => void
  className?: string | undefined
  /** Renders the positions from `first` up to, but not including, `end` as one row. */
  children: (row: { first: number; end: number; layout: Layout }) => ReactNode
}

/** A grid of cards that renders only the rows near the window. */
export function VirtualGrid<Layout extends GridLayout>(props: VirtualGridProps<Layout>) {
  const { count, ids = NO_IDS, layoutOf, children, ...list } = props
  const [boxRef, box] = useElementBox<HTMLDivElement>()
  const layout = layoutOf(box.width, box.isPhone)
  const { columns, gap, estimatedHeight } = layout
  const { ref: keysRef, props: keyProps } = useRowKeys({
    list: list.label,
    ids,
    topOf: (index) => box.pageTop + Math.floor(index / columns) * (estimatedHeight + gap),
    indexAttribute: 'data-card',
  })
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      keysRef(element)
      return boxRef(element)
    },
    [boxRef, keysRef],
  )
  return (
    <VirtualList
      {...list}
      {...(ids.length > 0 && { props: keyProps })}
      ref={ref}
      box={box}
      rowCount={Math.ceil(count / columns)}
      estimatedHeight={estimatedHeight}
      gap={gap}
      layoutKey={columns}
    >
      {(row) => children({ first: row * columns, end: Math.min(count, (row + 1) * columns), layout })}
    </VirtualList>
  )
}

/** Renders only the rows near the window. The rows scroll with the page. */
export function VirtualRows({
  rowCount,
  estimatedHeight,
  gap = 0,
  pageTop,
  layoutKey,
  keyOf,
  hasMore,
  onMore,
  children,
}: VirtualRowsProps) {
  const isIdle = useIsIdle()
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => estimatedHeight,
    overscan: isIdle ? OVERSCAN.later : OVERSCAN.atFirst,
    gap,
    scrollMargin: pageTop,
    getItemKey: (index) => `${layoutKey}:${keyOf?.(index) ?? index}`,
  })
  const rows = virtualizer.getVirtualItems()
  const lastRow = rows.at(-1)?.index ?? -1

  // `lastRow` changes during scrolling, so no scroll listener is needed.
  useEffect(() => {
    if (hasMore && lastRow >= rowCount - ROWS_AHEAD) onMore()
  }, [hasMore, lastRow, rowCount, onMore])

  return (
    <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {rows.map((row) => (
        <div
          key={row.key}
          ref={virtualizer.measureElement}
          data-index={row.index}
          role="presentation"
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${row.start - pageTop}px)` }}
        >
          <RowContent index={row.index} render={children} />
        </div>
      ))}
    </div>
  )
}
