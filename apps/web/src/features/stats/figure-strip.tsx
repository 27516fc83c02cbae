import type { Stats } from '@pegasus/contracts/stats'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { Skeleton } from '@/components/ui/skeleton.tsx'
import { formatCount, formatDateTime, formatWholeMoney } from '@/lib/format.ts'

type Room = 'stl-library' | 'inventory' | 'orders'

interface Figure {
  label: string
  room: Room
  value: (stats: Stats) => string
  note: (stats: Stats) => string
}

const FIGURES: readonly Figure[] = [
  {
    label: 'STL Files',
    room: 'stl-library',
    value: ({ total_files }) => formatCount(total_files),
    note: ({ total_products }) => `${formatCount(total_products)} published as products`,
  },
  {
    label: 'Inventory',
    room: 'inventory',
    value: ({ total_inventory }) => formatCount(total_inventory),
    note: () => 'items',
  },
  {
    label: 'Orders',
    room: 'orders',
    value: ({ total_orders }) => formatCount(total_orders),
    note: () => 'in all',
  },
  {
    label: 'Revenue',
    room: 'orders',
    value: ({ total_revenue }) => formatWholeMoney(total_revenue),
    note: () => 'cancelled left out',
  },
  {
    label: 'Low Stock Items',
    room: 'inventory',
    value: ({ low_stock_items }) => formatCount(low_stock_items),
    note: () => 'to reorder',
  },
  {
    label: 'Pending Orders',
    room: 'orders',
    value: ({ pending_orders }) => formatCount(pending_orders),
    note: () => 'not started yet',
  },
]

interface FigureStripProps {
  query: UseQueryResult<Stats>
  /** Where the room is that a figure counts. */
  addressOf: (room: Room) => string
}

/** One surface with hairlines between, each figure a link to what it counts. */
export function FigureStrip({ query, addressOf }: FigureStripProps) {
  const { data, isError, error, refetch, isFetching, dataUpdatedAt } = query
  return (
    <>
      {isError ? (
        <ErrorState
          message={error.message}
          detail={
            data
              ? `The figures below are from ${formatDateTime(new Date(dataUpdatedAt).toISOString())}.`
              : undefined
          }
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : null}
      {isError && !data ? null : (
        <ul
          aria-busy={!data || undefined}
          className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3 lg:grid-cols-6"
        >
          {FIGURES.map(({ label, room, value, note }) => (
            <li key={label} className="min-w-0 bg-surface">
              <Link
                to={addressOf(room)}
                className="block h-full px-4 py-3 -outline-offset-2 hover:bg-hover phone:px-3 phone:py-2.5"
              >
                <span className="block truncate text-label text-ink-2">{label}</span>
                {data ? (
                  <span className="mt-0.5 block truncate text-figure font-[580]">{value(data)}</span>
                ) : (
                  <Skeleton className="my-2 h-[18px] w-16" />
                )}
                {data ? (
                  <span className="mt-0.5 block truncate text-caption text-ink-3">{note(data)}</span>
                ) : (
                  <Skeleton className="my-1 h-2.5 w-24" />
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
