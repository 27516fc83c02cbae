import type { Stats, StatsHistory } from '@pegasus/contracts/stats'
import type { ReactNode } from 'react'
import { bucketSums, runningTotal } from '@/components/ui/charts/chart-scale.ts'
import { formatChange, formatCount, formatTime, formatWholeMoney } from '@/lib/format/format.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

export type FigureId = 'files' | 'inventory' | 'orders' | 'revenue' | 'low-stock' | 'pending' | 'queue'

export interface Figure {
  id: FigureId
  label: ReactNode
  /** Explains the figure if another page shows a different value under the same name. */
  counted?: string
  value: (stats: Stats) => string
  /** Renders the line below the figure, which explains it. */
  note: (stats: Stats, nowMs: number) => ReactNode
  /** Returns the recent trend, if the server has it. */
  spark?: (history: StatsHistory, stats: Stats) => readonly number[]
}

const SPARK_POINTS = 10

const sumsOf =
  (figure: 'orders' | 'revenue') =>
  ({ days }: StatsHistory) =>
    bucketSums(
      days.map((day) => day[figure]),
      SPARK_POINTS,
    )

const Strong = ({ children }: { children: ReactNode }) => (
  <span className="font-medium text-ink-2">{children}</span>
)

const thisWeek = (count: number): ReactNode =>
  count === 0 ? (
    t('none this week')
  ) : (
    <>{rich('{count} this week', { count: <Strong>+{formatCount(count)}</Strong> })}</>
  )

export const FIGURES: readonly Figure[] = [
  {
    id: 'files',
    label: t('STL Files'),
    value: ({ total_files }) => formatCount(total_files),
    note: ({ files_this_week }) => thisWeek(files_this_week),
    spark: ({ days }, { total_files }) =>
      runningTotal(
        days.map((day) => day.files_added),
        total_files,
      ),
  },
  {
    id: 'inventory',
    label: t('Inventory'),
    value: ({ total_inventory }) => formatCount(total_inventory),
    note: ({ stock_value }) => t('stock value {stock_value}', { stock_value: formatWholeMoney(stock_value) }),
    spark: ({ days }) => days.map((day) => day.stock_value),
  },
  {
    id: 'orders',
    label: t('Orders'),
    value: ({ total_orders }) => formatCount(total_orders),
    note: ({ orders_this_week }) => thisWeek(orders_this_week),
    spark: sumsOf('orders'),
  },
  {
    id: 'revenue',
    label: t('Revenue'),
    counted: t(
      'Totals of all orders that are not cancelled. The sales report counts shipped pieces instead.',
    ),
    value: ({ total_revenue }) => formatWholeMoney(total_revenue),
    note: ({ revenue_30_days, revenue_previous_30_days }) => {
      const change = formatChange(revenue_30_days, revenue_previous_30_days)
      return (
        <>
          {rich('all time · 30 days: {change}', {
            change: <Strong>{change ?? formatWholeMoney(revenue_30_days)}</Strong>,
          })}
        </>
      )
    },
    spark: sumsOf('revenue'),
  },
  {
    id: 'low-stock',
    label: t('Low Stock Items'),
    value: ({ low_stock_items }) => formatCount(low_stock_items),
    note: ({ low_stock_items, out_of_stock_items, low_stock_not_queued }) => {
      if (low_stock_items === 0 && low_stock_not_queued === 0) return t('nothing to reorder')
      return (
        <>
          {out_of_stock_items > 0 ? (
            <>
              <span className="font-medium text-red-ink">
                {t('{out_of_stock_items} out of stock', {
                  out_of_stock_items: formatCount(out_of_stock_items),
                })}
              </span>
              <span className="phone:hidden"> · </span>
            </>
          ) : null}
          <span className={out_of_stock_items > 0 ? 'phone:hidden' : undefined}>
            {low_stock_not_queued > 0
              ? t('{low_stock_not_queued} to queue', {
                  low_stock_not_queued: formatCount(low_stock_not_queued),
                })
              : t('nothing left to queue')}
          </span>
        </>
      )
    },
  },
  {
    id: 'pending',
    label: t('Pending Orders'),
    value: ({ pending_orders }) => formatCount(pending_orders),
    note: ({ pending_orders, orders_ready_to_pack }) => {
      // An order in progress is not pending, but may also be ready to pack.
      if (orders_ready_to_pack > 0)
        return (
          <Strong>
            {t('{orders_ready_to_pack} ready to pack', {
              orders_ready_to_pack: formatCount(orders_ready_to_pack),
            })}
          </Strong>
        )
      return pending_orders === 0 ? t('none waiting') : t('none ready to pack')
    },
  },
  {
    id: 'queue',
    // The tags make this a separate message. In a narrow tile, its translation can mark where a long word may be
    // broken.
    label: rich('<tile>Print Queue</tile>', { tile: (text) => text }),
    value: ({ print_queue_count }) => formatCount(print_queue_count),
    note: ({ print_jobs_in_progress, next_print_done_at }, nowMs) => {
      if (print_jobs_in_progress === 0) return t('none printing')
      if (next_print_done_at && Date.parse(next_print_done_at) > nowMs)
        return (
          <>
            {rich('next bed free {next_print_done_at}', {
              next_print_done_at: <Strong>{formatTime(next_print_done_at)}</Strong>,
            })}
          </>
        )
      return t('{print_jobs_in_progress} printing', {
        print_jobs_in_progress: formatCount(print_jobs_in_progress),
      })
    },
  },
]
