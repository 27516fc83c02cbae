import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect } from 'react'

/** Rows from the end at which the next page is asked for. */
const ROWS_AHEAD = 4

interface VirtualRowsProps {
  rowCount: number
  /** What a row is likely to measure before it is drawn. */
  estimatedHeight: number
  gap?: number
  /** Where the rows begin on the page, from useElementBox of the element around. */
  pageTop: number
  /** Rows of another layout are other rows: what they measured says nothing of these. */
  layoutKey: string | number
  hasMore: boolean
  onMore: () => void
  children: (index: number) => ReactNode
}

/** Any number of rows in the page's own scrolling: only those near the window exist. */
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
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => estimatedHeight,
    overscan: 4,
    gap,
    scrollMargin: pageTop,
    getItemKey: (index) => `${layoutKey}:${index}`,
  })
  const rows = virtualizer.getVirtualItems()
  const lastRow = rows.at(-1)?.index ?? -1

  // The window's scrolling is what moves `lastRow`.
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
          {children(row.index)}
        </div>
      ))}
    </div>
  )
}
