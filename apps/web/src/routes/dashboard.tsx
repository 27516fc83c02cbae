import { type ComponentType, lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { RoomBoundary } from '../app/error-page.tsx'
import { LoadingView } from '../app/loading-view.tsx'
import { RequireRole } from '../app/require-role.tsx'
import { Shell } from '../app/shell/shell.tsx'
import {
  itemAddress,
  jobAddress,
  mediaAddress,
  modelAddress,
  orderAddress,
  printAddress,
  productAddress,
  readTab,
  spoolAddress,
  TABS,
  tabAddress,
  type TabId,
  wizardAddress,
  wizardOf,
} from '../app/tabs.ts'
import { usePageTitle } from '../lib/telling/page-title.ts'
import { DashboardRoom } from './dashboard-room.tsx'

/** Where a print job leads to. */
const JOB_ADDRESSES = { item: itemAddress, model: modelAddress, order: orderAddress, spool: spoolAddress }

/** Where a model leads to. */
const MODEL_ADDRESSES = {
  item: itemAddress,
  product: productAddress,
  job: jobAddress,
  make: (id: string) => wizardOf('model', id),
}

/** Where an item leads to. */
const ITEM_ADDRESSES = {
  model: modelAddress,
  job: jobAddress,
  order: orderAddress,
  spool: spoolAddress,
  print: printAddress,
  make: (id: string) => wizardOf('item', id),
}

/** Where a product leads to. */
const PRODUCT_ADDRESSES = {
  model: modelAddress,
  item: itemAddress,
  wizard: wizardAddress,
  media: mediaAddress,
}

const ROOMS: Record<TabId, ComponentType> = {
  dashboard: DashboardRoom,
  'stl-library': lazy(async () => {
    const { StlLibraryRoom } = await import('../features/stl-library/stl-library-room.tsx')
    return { default: () => <StlLibraryRoom addresses={MODEL_ADDRESSES} /> }
  }),
  inventory: lazy(async () => {
    const { InventoryRoom } = await import('../features/inventory/inventory-room.tsx')
    return { default: () => <InventoryRoom addresses={ITEM_ADDRESSES} /> }
  }),
  orders: lazy(async () => {
    const { OrdersRoom } = await import('../features/orders/orders-room.tsx')
    return { default: () => <OrdersRoom itemAddress={itemAddress} printAddress={printAddress} /> }
  }),
  'print-queue': lazy(async () => {
    const { PrintQueueRoom } = await import('../features/print-queue/print-queue-room.tsx')
    return { default: () => <PrintQueueRoom addresses={JOB_ADDRESSES} /> }
  }),
  filament: lazy(async () => {
    const { FilamentRoom } = await import('../features/filament/filament-room.tsx')
    return {
      default: () => <FilamentRoom queueAddress={tabAddress('print-queue')} jobAddress={jobAddress} />,
    }
  }),
  products: lazy(async () => {
    const { ProductsRoom } = await import('../features/products/catalogue/products-room.tsx')
    return { default: () => <ProductsRoom addresses={PRODUCT_ADDRESSES} /> }
  }),
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
