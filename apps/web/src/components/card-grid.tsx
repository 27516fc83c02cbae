import { Fragment, type ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'
import type { ListPage } from '@/lib/http/api.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { SkeletonGroup } from './ui/feedback/skeleton.tsx'
import { type GridLayout, VirtualGrid } from './virtual-rows.tsx'

interface CardGridProps<Item extends { id: string }, Layout extends GridLayout> {
  label: string
  items: readonly Item[]
  /** The number of items on the server. */
  total: number
  layoutOf: (width: number, isPhone: boolean) => Layout
  /** True if these items match the previous filters, because the items for the new filters are still loading. */
  isStale: boolean
  hasMore: boolean
  onMore: () => void
  className?: string
  children: (item: Item, layout: Layout) => ReactNode
}

/** Value of `aria-setsize` for a list whose length is unknown. */
const UNKNOWN_SIZE = -1

export const knownTotal = (page: Pick<ListPage<unknown>, 'total' | 'isTotalCapped'> | undefined): number =>
  !page || page.isTotalCapped ? UNKNOWN_SIZE : page.total

/** A grid of cards that renders only the rows near the window. */
export function CardGrid<Item extends { id: string }, Layout extends GridLayout>({
  label,
  items,
  total,
  layoutOf,
  isStale,
  hasMore,
  onMore,
  className,
  children,
}: CardGridProps<Item, Layout>) {
  return (
    <VirtualGrid
      label={label}
      count={items.length}
      ids={items.map(({ id }) => id)}
      layoutOf={layoutOf}
      isStale={isStale}
      hasMore={hasMore}
      onMore={onMore}
      className={className}
    >
      {({ first, end, layout }) => (
        <div
          role="presentation"
          className="grid"
          style={{ gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`, gap: layout.gap }}
        >
          {items.slice(first, end).map((item, column) => (
            <div
              key={item.id}
              role="listitem"
              data-card={first + column}
              aria-posinset={first + column + 1}
              aria-setsize={total}
              className="min-w-0"
            >
              {children(item, layout)}
            </div>
          ))}
        </div>
      )}
    </VirtualGrid>
  )
}

interface CardGridSkeletonProps<Layout extends GridLayout> {
  label: string
  layoutOf: (width: number, isPhone: boolean) => Layout
  /** Returns the number of placeholder cards for a layout. */
  countOf: (layout: Layout) => number
  className?: string
  /** Renders one placeholder card in a layout. */
  children: (layout: Layout) => ReactNode
}

/** Placeholder for a grid of cards that is loading, with the same columns. */
export function CardGridSkeleton<Layout extends GridLayout>(props: CardGridSkeletonProps<Layout>) {
  const { label, layoutOf, countOf, className, children } = props
  const [ref, { width, isPhone }] = useElementBox<HTMLDivElement>()
  const layout = layoutOf(width, isPhone)
  const { columns, gap } = layout
  return (
    <SkeletonGroup label={label}>
      <div
        ref={ref}
        className={cx('grid', className)}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap }}
      >
        {Array.from({ length: width === 0 ? 0 : countOf(layout) }, (_, index) => (
          <Fragment key={index}>{children(layout)}</Fragment>
        ))}
      </div>
    </SkeletonGroup>
  )
}
