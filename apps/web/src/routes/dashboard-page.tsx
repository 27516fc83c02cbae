import { hasRole, isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react'
import {
  lowStockAddress,
  modelAddress,
  newItemAddress,
  orderAddress,
  pendingOrdersAddress,
  printersAddress,
  tabAddress,
  uploadAddress,
} from '../app/tabs.ts'
import { LowStockItems } from '../features/inventory/stock/low-stock-items.tsx'
import { salesAddress } from '../features/orders/orders-address.ts'
import { RecentOrders } from '../features/orders/list/recent-orders.tsx'
import { anyPrinterQuery } from '../features/printers/printers.queries.ts'
import { QueueStatus } from '../features/print-queue/queue-status.tsx'
import { type DashboardCard, rowsOfCards, useArrangement } from '../features/dashboard/arrangement.ts'
import { ChartsSkeleton } from '../features/dashboard/charts-skeleton.tsx'
import { FigureStrip } from '../features/dashboard/figure-strip.tsx'
import type { FigureId } from '../features/dashboard/figures.tsx'
import { FirstRun } from '../features/dashboard/first-run.tsx'
import { NewestModels } from '../features/dashboard/newest-models.tsx'
import { isNewShop, isSettingUp } from '../features/dashboard/setup-state.ts'
import { TodayCard } from '../features/dashboard/today-card.tsx'
import { statsQuery } from '../features/dashboard/stats.queries.ts'
import { DemoOffer } from '../components/demo/demo-offer.tsx'
import { Button } from '../components/ui/actions/button.tsx'
import { SMALL_ICON } from '../components/ui/icon-props.ts'
import { onDemand } from '../lib/browser/loadable.tsx'
import { isDemo } from '../lib/session/demo-visit.ts'
import { useCurrentUser } from '../lib/session/session.ts'
import { useIsPhone } from '../lib/browser/use-is-phone.ts'
import { t } from '@/lib/i18n/messages.ts'

const Charts = lazy(async () => ({ default: (await import('../features/dashboard/charts.tsx')).Charts }))

const ArrangeDialog = onDemand(
  async () => (await import('../features/dashboard/arrange-dialog.tsx')).ArrangeDialog,
)

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
  const { id, role } = useCurrentUser()
  const { data: stats } = useQuery(statsQuery)
  const isPhone = useIsPhone()
  const figures = {
    // The revenue links to the sales report only for staff, who may read it. The report begins with the last twelve
    // months, while the figure counts all time.
    addressOf: (id: FigureId) =>
      id === 'revenue' && hasRole(role, 'staff') ? salesAddress : FIGURE_ADDRESSES[id],
    lowParts: stats?.low_stock_items ? <LowStockItems total={stats.low_stock_items} /> : null,
  }
  const arrangement = useArrangement(id, isPhone)
  const [isArranging, setIsArranging] = useState(false)
  const isNew = stats !== undefined && isNewShop(stats)
  const isFirstRun = stats !== undefined && isSettingUp(stats) && (isNew || isEmployeeOrHigher(role))
  const printers = useQuery({ ...anyPrinterQuery, enabled: isFirstRun })
  const cards: Record<DashboardCard, ReactNode> = {
    today: isNew ? null : <TodayCard accountId={id} />,
    figures: <FigureStrip group={isPhone ? 'work' : 'all'} {...figures} />,
    orders: <RecentOrders ordersAddress={tabAddress('orders')} orderAddress={orderAddress} />,
    queue: <QueueStatus queueAddress={tabAddress('print-queue')} />,
    totals: isPhone ? <FigureStrip group="totals" {...figures} /> : null,
    charts: isNew ? (
      stats && stats.total_files > 0 ? (
        <NewestModels modelAddress={modelAddress} libraryAddress={tabAddress('stl-library')} />
      ) : null
    ) : (
      <Suspense fallback={<ChartsSkeleton />}>
        <Charts />
      </Suspense>
    ),
  }
  return (
    <div className="flex flex-col gap-4 phone:gap-3">
      <h1 className="sr-only">{t('Dashboard')}</h1>
      {stats && isFirstRun ? (
        <FirstRun
          stats={stats}
          uploadAddress={isEmployeeOrHigher(role) ? uploadAddress : null}
          libraryAddress={tabAddress('stl-library')}
          adminAddresses={
            hasRole(role, 'admin') ? { keys: tabAddress('api-keys'), people: tabAddress('people') } : null
          }
          stockAddresses={
            hasRole(role, 'staff')
              ? {
                  filament: tabAddress('filament'),
                  item: newItemAddress({ name: '', sku: '' }),
                  printers: printersAddress,
                }
              : null
          }
          hasPrinters={(printers.data?.items.length ?? 0) > 0}
          demoOffer={hasRole(role, 'admin') && !isDemo ? <DemoOffer /> : null}
        />
      ) : null}
      {rowsOfCards(arrangement.shown).map((row) =>
        row.length === 1 ? (
          <Fragment key={row[0]}>{row.map((card) => cards[card])}</Fragment>
        ) : (
          <div
            key={row.join(' ')}
            className="grid gap-4 phone:gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.12fr)]"
          >
            {row.map((card) => (
              <Fragment key={card}>{cards[card]}</Fragment>
            ))}
          </div>
        ),
      )}
      {stats && !isNew ? (
        <p className="flex justify-end">
          <Button
            variant="ghost"
            size="sm"
            icon={<SlidersHorizontal {...SMALL_ICON} />}
            onClick={() => setIsArranging(true)}
          >
            {t('Arrange')}
          </Button>
        </p>
      ) : null}
      {isArranging ? <ArrangeDialog arrangement={arrangement} onClose={() => setIsArranging(false)} /> : null}
    </div>
  )
}
