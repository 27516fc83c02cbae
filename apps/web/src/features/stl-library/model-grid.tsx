import type { StlFile } from '@pegasus/contracts/stl-files'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect } from 'react'
import { cx } from '@/lib/class-names.ts'
import { cardLayout } from './card-layout.ts'
import { withModel } from './library-address.ts'
import { ModelCard } from './model-card.tsx'
import { useElementBox } from './use-element-box.ts'

/** Rows from the end at which the next page is asked for. */
const ROWS_AHEAD = 4

interface ModelGridProps {
  models: readonly StlFile[]
  /** How many there are in all, as far as known; read out with each card. */
  total: number
  /** The address of the list, from which those of the models follow. */
  search: URLSearchParams
  /** Whether these are still the models of the filters before. */
  isStale: boolean
  hasMore: boolean
  onMore: () => void
}

/** Any number of cards: only the rows near the window exist. */
export function ModelGrid({ models, total, search, isStale, hasMore, onMore }: ModelGridProps) {
  const [ref, { width, pageTop, isPhone }] = useElementBox<HTMLDivElement>()
  const { isRow, columns, gap, estimatedHeight } = cardLayout(width, isPhone)
  const rowCount = Math.ceil(models.length / columns)
  const virtualizer = useWindowVirtualizer({
    count: width === 0 ? 0 : rowCount,
    estimateSize: () => estimatedHeight,
    overscan: 3,
    gap,
    scrollMargin: pageTop,
    // Rows of another number of columns are other rows: their measured heights say nothing here.
    getItemKey: (index) => `${columns}:${index}`,
  })
  const rows = virtualizer.getVirtualItems()
  const lastRow = rows.at(-1)?.index ?? -1

  // The window's scrolling is what moves `lastRow`.
  useEffect(() => {
    if (hasMore && lastRow >= rowCount - ROWS_AHEAD) onMore()
  }, [hasMore, lastRow, rowCount, onMore])

  return (
    <div
      ref={ref}
      role="list"
      aria-label="STL files"
      aria-busy={isStale}
      className={cx('relative transition-opacity phone:-mx-4', isStale && 'opacity-55')}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.map((row) => (
        <div
          key={row.key}
          ref={virtualizer.measureElement}
          data-index={row.index}
          role="presentation"
          className="absolute inset-x-0 top-0 grid"
          style={{
            transform: `translateY(${row.start - pageTop}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gap,
          }}
        >
          {models.slice(row.index * columns, (row.index + 1) * columns).map((model, column) => (
            <div
              key={model.id}
              role="listitem"
              aria-posinset={row.index * columns + column + 1}
              aria-setsize={total}
            >
              <ModelCard model={model} to={`?${withModel(search, model.id)}`} isRow={isRow} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
