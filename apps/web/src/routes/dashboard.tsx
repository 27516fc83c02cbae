import { type ComponentType, lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { PageBoundary } from '../app/error-page.tsx'
import { LoadingView } from '../app/loading-view.tsx'
import { RequireRole } from '../app/require-role.tsx'
import { Shell } from '../app/shell/shell.tsx'
import {
  itemAddress,
  newItemAddress,
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
import { usePageTitle } from '../lib/format/page-title.ts'
import { DashboardPage } from './dashboard-page.tsx'
import { TAB_PAGES } from './tab-pages.ts'

/** Addresses that a print job links to. */
const JOB_ADDRESSES = { item: itemAddress, model: modelAddress, order: orderAddress, spool: spoolAddress }

/** Addresses that a model links to. */
const MODEL_ADDRESSES = {
  item: itemAddress,
  product: productAddress,
  job: jobAddress,
  make: (id: string) => wizardOf('model', id),
}

/** Addresses that an item links to. */
const ITEM_ADDRESSES = {
  model: modelAddress,
  job: jobAddress,
  order: orderAddress,
  spool: spoolAddress,
  print: printAddress,
  make: (id: string) => wizardOf('item', id),
}

/** Addresses that a product links to. */
const PRODUCT_ADDRESSES = {
  model: modelAddress,
  item: itemAddress,
  wizard: wizardAddress,
  media: mediaAddress,
}

const ROOMS: Record<TabId, ComponentType> = {
  dashboard: DashboardPage,
  'stl-library': lazy(async () => {
    const { StlLibraryPage } = await TAB_PAGES['stl-library']()
    return { default: () => <StlLibraryPage addresses={MODEL_ADDRESSES} /> }
  }),
  inventory: lazy(async () => {
    const { InventoryPage } = await TAB_PAGES.inventory()
    return { default: () => <InventoryPage addresses={ITEM_ADDRESSES} /> }
  }),
  orders: lazy(async () => {
    const { OrdersPage } = await TAB_PAGES.orders()
    return {
      default: () => (
        <OrdersPage itemAddress={itemAddress} printAddress={printAddress} newItemAddress={newItemAddress} />
      ),
    }
  }),
  'print-queue': lazy(async () => {
    const { PrintQueuePage } = await TAB_PAGES['print-queue']()
    return { default: () => <PrintQueuePage addresses={JOB_ADDRESSES} /> }
  }),
  filament: lazy(async () => {
    const { FilamentPage } = await TAB_PAGES.filament()
    return {
      default: () => <FilamentPage queueAddress={tabAddress('print-queue')} jobAddress={jobAddress} />,
    }
  }),
  products: lazy(async () => {
    const { ProductsPage } = await TAB_PAGES.products()
    return { default: () => <ProductsPage addresses={PRODUCT_ADDRESSES} /> }
  }),
  'api-keys': lazy(async () => ({ default: (await TAB_PAGES['api-keys']()).ApiKeysPage })),
  people: lazy(async () => ({ default: (await TAB_PAGES.people()).AccountsPage })),
  audit: lazy(async () => ({ default: (await TAB_PAGES.audit()).AuditPage })),
}

export function DashboardRoute() {
  const [search] = useSearchParams()
  const current = readTab(search)
  const Room = ROOMS[current]
  const tab = TABS.find(({ id }) => id === current)
  usePageTitle(tab?.label)
  return (
    <Shell current={current}>
      <PageBoundary key={current}>
        <Suspense fallback={<LoadingView />}>
          <RequireRole role={tab?.role ?? 'viewer'}>
            <Room />
          </RequireRole>
        </Suspense>
      </PageBoundary>
    </Shell>
  )
}
