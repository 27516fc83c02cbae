import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Spool } from '@pegasus/contracts/filament/spools'
import { readClaims } from './access-token.ts'
import { OFFLINE_LISTS_KEY, readFreshSession } from './stored-session.ts'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

// Stores the lists that were shown last as texts, for `public/offline.js`. They belong to one session of one
// account; `forgetLastViews` deletes them when the session ends.

const ROWS_KEPT = 100

interface OfflineList {
  title: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

/**
 * A list of the app, and the function that turns its rows into texts. `key` is the first element of its
 * queries.
 */
interface KeptList<Row> {
  key: string
  title: string
  head: readonly string[]
  cells: (row: Row) => readonly string[]
}

const INVENTORY: KeptList<InventoryItem> = {
  key: 'inventory',
  title: t('Inventory'),
  head: [t('Item'), t('SKU'), t('Quantity'), t('Status'), t('Location')],
  cells: ({ name, sku, quantity, status, location, bin_location: bin }) => [
    name,
    sku,
    String(quantity),
    STATUS_LABELS[status],
    [location, bin].filter(Boolean).join(' · '),
  ],
}

const QUEUE: KeptList<PrintJob> = {
  key: 'print-queue',
  title: t('Print Queue'),
  head: [t('Part'), t('Pieces'), t('Status'), t('Priority')],
  cells: ({ inventory_item_name: name, quantity, status, priority }) => [
    name,
    String(quantity),
    STATUS_LABELS[status],
    `P${priority}`,
  ],
}

const ORDERS: KeptList<Order> = {
  key: 'orders',
  title: t('Orders'),
  head: [t('Order'), t('Customer'), t('Status'), t('Lines')],
  cells: ({ order_number: number, customer_name: customer, status, items }) => [
    number,
    customer,
    STATUS_LABELS[status],
    items.map(({ quantity, sku, name }) => `${quantity} × ${sku || name}`).join(', '),
  ],
}

const FILAMENT: KeptList<Spool> = {
  key: 'filament',
  title: t('Filament'),
  head: [t('Spool'), t('Filament'), t('Left'), t('Location')],
  cells: ({ label_code: code, material, brand, color, remaining_grams: grams, location }) => [
    code,
    [brand, material, color].filter(Boolean).join(' '),
    `${Math.round(grams)} g`,
    location ?? '',
  ],
}

/** Returns the rows of a list as it was shown last, with the filters of that time. */
function readList<Row>(client: QueryClient, { key, title, head, cells }: KeptList<Row>): OfflineList | null {
  const [latest] = client
    .getQueryCache()
    .findAll({ queryKey: [key, 'list'] })
    .filter(({ state }) => state.data !== undefined)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const pages = (latest?.state.data as Partial<InfiniteData<{ items: readonly Row[] }>> | undefined)?.pages
  const rows = pages?.flatMap(({ items }) => items).slice(0, ROWS_KEPT) ?? []
  return rows.length === 0 ? null : { title, head, rows: rows.map(cells) }
}

/**
 * Stores the lists of the account whenever the page is hidden or left. Returns a function that stops this.
 */
export function followOfflineLists(client: QueryClient, accountId: string): () => void {
  const keep = () => {
    const session = readFreshSession()
    // Another tab may have signed out, or signed in another account.
    if (session?.user.id !== accountId) return
    const { sessionId } = readClaims(session.access_token)
    const lists = [
      readList(client, INVENTORY),
      readList(client, QUEUE),
      readList(client, ORDERS),
      readList(client, FILAMENT),
    ].filter((list) => list !== null)
    if (lists.length === 0 || !sessionId) return
    try {
      const kept = { account: accountId, session: sessionId, keptAt: Date.now(), lists }
      localStorage.setItem(OFFLINE_LISTS_KEY, JSON.stringify(kept))
    } catch {
      // The storage is full or disabled. The offline page then shows no lists.
    }
  }
  const keepHidden = () => document.hidden && keep()
  document.addEventListener('visibilitychange', keepHidden)
  addEventListener('pagehide', keep)
  return () => {
    document.removeEventListener('visibilitychange', keepHidden)
    removeEventListener('pagehide', keep)
  }
}
