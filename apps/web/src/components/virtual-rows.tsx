import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect } from 'react'
import { useIsIdle } from '@/lib/browser/when-idle.ts'

/** The next page is requested when this many rows are left below the window. */
const ROWS_AHEAD = 4
/**
 * Number of rows that are drawn outside the window. At first it is only one, because more rows would delay the visible
 * rows. Once the browser is idle, more rows are drawn for scrolling.
 */
const OVERSCAN = { atFirst: 1, later: 4 }

interface VirtualRowsProps {
  rowCount: number
  /** Estimated height of a row, in pixels, before it is measured. */
  estimatedHeight: number
  gap?: number
  /** Vertical offset of the first row on the page, in pixels, from useElementBox of the surrounding element. */
  pageTop: number
  /** Changes with the layout, so that heights measured in another layout are discarded. */
  layoutKey: string | number
  hasMore: boolean
  onMore: () => void
  children: (index: number) => ReactNode
}

/** Rendered again only when the list itself changes, and not with each measurement and each step of scrolling. */
const RowContent = memo(({ index, render }: { index: number; render: (index: number) => ReactNode }) =>
  render(index),
)

/** Renders only the rows near the window. The rows scroll with the page. */
export function VirtualRows({
  rowCount,
  estimatedHeight,
  gap = 0,
  pageTop,
  layoutKey,
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
    getItemKey: (index) => `${layoutKey}:${index}`,
  })
  const rows = virtualizer.getVirtualItems()
  const lastRow = rows.at(-1)?.index ?? -1

  // `lastRow` changes while the window scrolls, so this needs no scroll listener.
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
