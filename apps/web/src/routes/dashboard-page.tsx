import { hasRole, isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import {
  lowStockAddress,
  modelAddress,
  newItemAddress,
  orderAddress,
  pendingOrdersAddress,
  tabAddress,
  uploadAddress,
} from '../app/tabs.ts'
import { LowStockItems } from '../features/inventory/stock/low-stock-items.tsx'
import { RecentOrders } from '../features/orders/list/recent-orders.tsx'
import { QueueStatus } from '../features/print-queue/queue-status.tsx'
import { ChartsSkeleton } from '../features/dashboard/charts-skeleton.tsx'
import { FigureStrip } from '../features/dashboard/figure-strip.tsx'
import type { FigureId } from '../features/dashboard/figures.tsx'
import { FirstRun } from '../features/dashboard/first-run.tsx'
import { NewestModels } from '../features/dashboard/newest-models.tsx'
import { isNewShop, isSettingUp } from '../features/dashboard/setup-state.ts'
import { TodayCard } from '../features/dashboard/today-card.tsx'
import { historyQuery, statsQuery } from '../features/dashboard/stats.queries.ts'
import { useCurrentUser } from '../lib/session/session.ts'
import { useIsPhone } from '../lib/browser/use-is-phone.ts'

const Charts = lazy(async () => ({ default: (await import('../features/dashboard/charts.tsx')).Charts }))

/** The address of the list behind each figure. */
const FIGURE_ADDRESSES: Record<FigureId, string> = {
  files: tabAddress('stl-library'),
  inventory: tabAddress('inventory'),
  orders: tabAddress('orders'),
  revenue: tabAddress('orders'),
  'low-stock': lowStockAddress,
  pending: pendingOrdersAddress,
  queue: tabAddress('print-queue'),
}

export function DashboardPage() {
  const { role } = useCurrentUser()
  const stats = useQuery(statsQuery)
  const history = useQuery(historyQuery)
  const isPhone = useIsPhone()
  const figures = {
    query: stats,
    history: history.data,
    addressOf: (id: FigureId) => FIGURE_ADDRESSES[id],
    lowParts: stats.data?.low_stock_items ? <LowStockItems total={stats.data.low_stock_items} /> : null,
  }
  const orders = <RecentOrders ordersAddress={tabAddress('orders')} orderAddress={orderAddress} />
  const queue = <QueueStatus queueAddress={tabAddress('print-queue')} />
  return (
    <div className="flex flex-col gap-4 phone:gap-3">
      <h1 className="sr-only">Dashboard</h1>
      {stats.data && isSettingUp(stats.data) && (isNewShop(stats.data) || isEmployeeOrHigher(role)) ? (
        <FirstRun
          stats={stats.data}
          uploadAddress={isEmployeeOrHigher(role) ? uploadAddress : null}
          libraryAddress={tabAddress('stl-library')}
          adminAddresses={
            hasRole(role, 'admin') ? { keys: tabAddress('api-keys'), people: tabAddress('people') } : null
          }
          stockAddresses={
            hasRole(role, 'staff')
              ? { filament: tabAddress('filament'), item: newItemAddress({ name: '', sku: '' }) }
              : null
          }
        />
      ) : null}
      {stats.data && !isNewShop(stats.data) ? <TodayCard /> : null}
      <FigureStrip group={isPhone ? 'work' : 'all'} {...figures} />
      {/* At a bench with a phone, running prints matter more than sales. */}
      <div className="grid gap-4 phone:gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.12fr)]">
        {isPhone ? queue : orders}
        {isPhone ? orders : queue}
      </div>
      {isPhone ? <FigureStrip group="totals" {...figures} /> : null}
      {stats.data && isNewShop(stats.data) ? (
        stats.data.total_files > 0 ? (
          <NewestModels modelAddress={modelAddress} libraryAddress={tabAddress('stl-library')} />
        ) : null
      ) : (
        <Suspense fallback={<ChartsSkeleton />}>
          <Charts query={history} />
        </Suspense>
      )}
    </div>
  )
}
