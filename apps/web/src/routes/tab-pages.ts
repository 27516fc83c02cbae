/** Maps a tab's name in the URL to the import of its page. */
export const TAB_PAGES = {
  dashboard: () => import('./dashboard-page.tsx'),
  'stl-library': () => import('../features/stl-library/stl-library-page.tsx'),
  inventory: () => import('../features/inventory/inventory-page.tsx'),
  orders: () => import('../features/orders/orders-page.tsx'),
  'print-queue': () => import('../features/print-queue/print-queue-page.tsx'),
  filament: () => import('../features/filament/filament-page.tsx'),
  products: () => import('../features/products/catalog/products-page.tsx'),
  'api-keys': () => import('../features/api-keys/api-keys-page.tsx'),
  people: () => import('../features/accounts/accounts-page.tsx'),
  audit: () => import('../features/audit/audit-page.tsx'),
  system: () => import('../features/system/system-page.tsx'),
}

/** Starts loading the page of the tab in the URL. */
export function preloadTab(search: URLSearchParams): void {
  const tab = search.get('tab') ?? ''
  TAB_PAGES[isTab(tab) ? tab : 'dashboard']().catch(() => undefined)
}

const isTab = (tab: string): tab is keyof typeof TAB_PAGES => Object.hasOwn(TAB_PAGES, tab)
