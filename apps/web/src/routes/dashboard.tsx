import { type ComponentType, lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { RoomBoundary } from '../app/error-page.tsx'
import { LoadingView } from '../app/loading-view.tsx'
import { RequireRole } from '../app/require-role.tsx'
import { Shell } from '../app/shell/shell.tsx'
import { modelAddress, readTab, TABS, type TabId } from '../app/tabs.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { DashboardRoom } from './dashboard-room.tsx'

const ROOMS: Record<TabId, ComponentType> = {
  dashboard: DashboardRoom,
  'stl-library': lazy(async () => ({
    default: (await import('../features/stl-library/stl-library-room.tsx')).StlLibraryRoom,
  })),
  inventory: lazy(async () => {
    const { InventoryRoom } = await import('../features/inventory/inventory-room.tsx')
    return { default: () => <InventoryRoom modelAddress={modelAddress} /> }
  }),
  orders: lazy(async () => ({ default: (await import('../features/orders/orders-room.tsx')).OrdersRoom })),
  'print-queue': lazy(async () => ({
    default: (await import('../features/print-queue/print-queue-room.tsx')).PrintQueueRoom,
  })),
  filament: lazy(async () => ({
    default: (await import('../features/filament/filament-room.tsx')).FilamentRoom,
  })),
  'api-keys': lazy(async () => ({
    default: (await import('../features/api-keys/api-keys-room.tsx')).ApiKeysRoom,
  })),
  people: lazy(async () => ({ default: (await import('../features/people/people-room.tsx')).PeopleRoom })),
  audit: lazy(async () => ({ default: (await import('../features/audit/audit-room.tsx')).AuditRoom })),
}

export function DashboardRoute() {
  const [search] = useSearchParams()
  const current = readTab(search)
  const Room = ROOMS[current]
  const tab = TABS.find(({ id }) => id === current)
  usePageTitle(tab?.label)
  return (
    <Shell current={current}>
      <RoomBoundary key={current}>
        <Suspense fallback={<LoadingView />}>
          <RequireRole role={tab?.role ?? 'viewer'}>
            <Room />
          </RequireRole>
        </Suspense>
      </RoomBoundary>
    </Shell>
  )
}
