import { type ComponentType, lazy, Suspense } from 'react'
import { useLocation, useSearchParams } from 'react-router'
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
  printModelAddress,
  printerAddress,
  printerFormAddress,
  printersAddress,
  productAddress,
  readTab,
  spoolAddress,
  TABS,
  tabAddress,
  type TabId,
  wizardAddress,
  wizardOf,
} from '../app/tabs.ts'
import { AlertBox } from '../components/ui/feedback/alert-box.tsx'
import { type Loadable, loadable } from '../lib/browser/loadable.tsx'
import { prepareQueryClient } from '../lib/http/query-client.ts'
import { readFreshSession } from '../lib/session/stored-session.ts'
import { statsQuery } from '../features/dashboard/stats.queries.ts'
import { usePageTitle } from '../lib/format/page-title.ts'
import { TAB_PAGES } from './tab-pages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Addresses that a print job links to. */
const JOB_ADDRESSES = {
  item: itemAddress,
  model: modelAddress,
  order: orderAddress,
  spool: spoolAddress,
  spools: tabAddress('filament'),
  printers: printersAddress,
  printer: printerAddress,
  printerForm: printerFormAddress,
}

/** Addresses that a model links to. */
const MODEL_ADDRESSES = {
  item: itemAddress,
  product: productAddress,
  job: jobAddress,
  make: (id: string) => wizardOf('model', id),
  print: printModelAddress,
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

/** Addresses that an order links to. */
const ORDER_ADDRESSES = { item: itemAddress, job: jobAddress, print: printAddress, newItem: newItemAddress }

/** Addresses that a product links to. */
const PRODUCT_ADDRESSES = {
  model: modelAddress,
  item: itemAddress,
  print: printAddress,
  wizard: wizardAddress,
  media: mediaAddress,
}

/** Addresses that a printer links to. */
const PRINTER_ADDRESSES = { queue: tabAddress('print-queue'), job: jobAddress, spool: spoolAddress }

const PrintersPage = lazy(async () => ({
  default: (await import('../features/printers/printers-page.tsx')).PrintersPage,
}))

/** Shows the queue, or the floor with its printers. The floor has its own address below the same tab. */
function PrintQueueTab({ Queue }: { Queue: ComponentType<{ addresses: typeof JOB_ADDRESSES }> }) {
  const [search] = useSearchParams()
  return search.get('view') === 'printers' ? (
    <PrintersPage addresses={PRINTER_ADDRESSES} />
  ) : (
    <Queue addresses={JOB_ADDRESSES} />
  )
}

const PAGES: Record<TabId, Loadable<object>> = {
  dashboard: loadable(async () => (await TAB_PAGES.dashboard()).DashboardPage),
  'stl-library': loadable(async () => {
    const { StlLibraryPage } = await TAB_PAGES['stl-library']()
    return () => <StlLibraryPage addresses={MODEL_ADDRESSES} />
  }),
  inventory: loadable(async () => {
    const { InventoryPage } = await TAB_PAGES.inventory()
    return () => <InventoryPage addresses={ITEM_ADDRESSES} />
  }),
  orders: loadable(async () => {
    const { OrdersPage } = await TAB_PAGES.orders()
    return () => <OrdersPage addresses={ORDER_ADDRESSES} />
  }),
  'print-queue': loadable(async () => {
    const { PrintQueuePage } = await TAB_PAGES['print-queue']()
    return () => <PrintQueueTab Queue={PrintQueuePage} />
  }),
  filament: loadable(async () => {
    const { FilamentPage } = await TAB_PAGES.filament()
    return () => <FilamentPage queueAddress={tabAddress('print-queue')} jobAddress={jobAddress} />
  }),
  products: loadable(async () => {
    const { ProductsPage } = await TAB_PAGES.products()
    return () => <ProductsPage addresses={PRODUCT_ADDRESSES} />
  }),
  'api-keys': loadable(async () => (await TAB_PAGES['api-keys']()).ApiKeysPage),
  people: loadable(async () => (await TAB_PAGES.people()).AccountsPage),
  audit: loadable(async () => (await TAB_PAGES.audit()).AuditPage),
  system: loadable(async () => (await TAB_PAGES.system()).SystemPage),
}

/** Loads the page of the tab in the URL, so that it appears together with the frame. */
export const preloadTabPage = (search: URLSearchParams): Promise<void> => PAGES[readTab(search)].preload()

/** Loads the data that this page shows first. If this fails, the page itself reports the error. */
export async function prefetchTabPage(search: URLSearchParams): Promise<void> {
  const tab = readTab(search)
  const session = readFreshSession()
  if (!session) return
  const client = prepareQueryClient(session.user.id)
  const stats = client.prefetchQuery(statsQuery)
  if (tab === 'stl-library' || tab === 'inventory') {
    const { prefetchList } = await TAB_PAGES[tab]()
    await prefetchList(client, search)
  }
  await stats
}

/** Addresses of the dashboard and its tabs. Every other address shows the same page, with a warning. */
const OWN_PATHS: readonly string[] = ['/', '/admin', '/index.html']

export function DashboardRoute() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const current = readTab(search)
  const Page = PAGES[current].Component
  const tab = TABS.find(({ id }) => id === current)
  usePageTitle(tab?.label)
  return (
    <Shell current={current}>
      <PageBoundary key={current}>
        <Suspense fallback={<LoadingView />}>
          <RequireRole role={tab?.role ?? 'viewer'}>
            {OWN_PATHS.includes(pathname) ? null : (
              <AlertBox tone="warning" title={t('There is no page at this address.')} className="mb-4">
                {t('Check the address. Below is the page {tab}.', { tab: tab?.label ?? '' })}
              </AlertBox>
            )}
            <Page />
          </RequireRole>
        </Suspense>
      </PageBoundary>
    </Shell>
  )
}
