import type { Role } from '@pegasus/contracts/roles'
import type { Stats } from '@pegasus/contracts/stats'
import {
  Box,
  Boxes,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Printer,
  ReceiptText,
  ScrollText,
  Server,
  ShoppingBag,
  Spool,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { rich, t } from '@/lib/i18n/messages.ts'

export interface Tab {
  /** Value of the `tab` parameter in the URL. */
  id: TabId
  label: string
  /** A shorter label for the bar at the bottom of a phone. */
  barLabel?: ReactNode
  Icon: LucideIcon
  /** The number next to the label, if known. */
  count?: (stats: Stats) => number
  /** Explains the number if it does not count all entries of the list. */
  counted?: string
  /** The lowest role that sees the tab. If absent, everybody sees it. */
  role?: Role
}

export type TabId =
  | 'dashboard'
  | 'stl-library'
  | 'inventory'
  | 'orders'
  | 'print-queue'
  | 'filament'
  | 'products'
  | 'api-keys'
  | 'people'
  | 'audit'
  | 'system'

export const TABS: readonly Tab[] = [
  { id: 'dashboard', label: t('Dashboard'), Icon: LayoutDashboard },
  { id: 'stl-library', label: t('STL Library'), Icon: Box, count: (stats) => stats.total_files },
  { id: 'inventory', label: t('Inventory'), Icon: Boxes, count: (stats) => stats.total_inventory },
  {
    id: 'orders',
    label: t('Orders'),
    Icon: ReceiptText,
    count: (stats) => stats.pending_orders,
    counted: t('Pending Orders'),
  },
  {
    id: 'print-queue',
    label: t('Print Queue'),
    // The tags make this a separate message, so that a translation can be shorter here than the label of the tab.
    barLabel: rich('<bar>Print Queue</bar>', { bar: (text) => text }),
    Icon: Printer,
    count: (stats) => stats.print_queue_count,
    counted: t('Print jobs that wait or are in progress'),
  },
  { id: 'filament', label: t('Filament'), Icon: Spool, count: (stats) => stats.total_filaments },
  { id: 'products', label: t('Products'), Icon: ShoppingBag },
  { id: 'api-keys', label: t('API Keys'), Icon: KeyRound, role: 'admin' },
  { id: 'people', label: t('People'), Icon: Users, role: 'admin' },
  { id: 'audit', label: t('Audit'), Icon: ScrollText, role: 'admin' },
  { id: 'system', label: t('System'), Icon: Server, role: 'admin' },
]

/**
 * Returns the tab in the URL; the dashboard if the tab is unknown. The access is checked elsewhere, by a
 * guard.
 */
export const readTab = (search: URLSearchParams): TabId =>
  TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'dashboard'

/** Returns the address of a tab, without filters or open items, because those belong to the previous tab. */
export const tabAddress = (id: TabId): string => (id === 'dashboard' ? '/' : `/?tab=${id}`)

export const uploadAddress = '/?tab=stl-library&upload=1'

export const modelAddress = (id: string): string => `/?tab=stl-library&model=${encodeURIComponent(id)}`

export const itemAddress = (id: string): string => `/?tab=inventory&item=${encodeURIComponent(id)}`

/** Returns the address that opens the dialog for a new item, with its name and SKU filled in. */
export const newItemAddress = (of: { name: string; sku: string }): string =>
  `/?${new URLSearchParams({ tab: 'inventory', add: '1', name: of.name, sku: of.sku })}`

/** Returns the address that shows the contents of a location. */
export const locationAddress = (id: string): string =>
  `/?tab=inventory&view=locations&place=${encodeURIComponent(id)}`

export const orderAddress = (id: string): string => `/?tab=orders&order=${encodeURIComponent(id)}`

/** Returns the address of an order with the dialog of a step open. */
export const orderStepAddress = (id: string, step: 'pick' | 'ship' | 'reserve'): string =>
  `${orderAddress(id)}&do=${step}`

/** Address that opens the dialog for a new order. */
export const newOrderAddress = '/?tab=orders&add=1'

export const jobAddress = (id: string): string => `/?tab=print-queue&job=${encodeURIComponent(id)}`

/** Address that opens the dialog that queues a print. */
export const newJobAddress = '/?tab=print-queue&add=1'

/** Returns the address that opens the dialog that queues a print, with its fields filled in. */
export const printAddress = (of: { itemId: string; quantity: number; orderId?: string }): string =>
  `/?${new URLSearchParams({
    tab: 'print-queue',
    add: '1',
    item: of.itemId,
    quantity: String(of.quantity),
    ...(of.orderId && { order: of.orderId }),
  })}`

/** Returns the address that opens the dialog that queues a print of a model. */
export const printModelAddress = (id: string): string => `${newJobAddress}&model=${encodeURIComponent(id)}`

/** Address of the floor with all printers. */
export const printersAddress = '/?tab=print-queue&view=printers'

export const printerAddress = (id: string): string => `${printersAddress}&printer=${encodeURIComponent(id)}`

/** Returns the address of a printer's page with the form that edits the printer. */
export const printerFormAddress = (id: string): string => `${printerAddress(id)}&do=edit`

export const spoolAddress = (id: string): string => `/?tab=filament&spool=${encodeURIComponent(id)}`

/** Address of the filament list with the dialog for a new spool. */
export const newSpoolAddress = '/?tab=filament&add=1'

export const productAddress = (id: string): string => `/?tab=products&product=${encodeURIComponent(id)}`

export const wizardAddress = '/admin/products/new'

/** Returns the address of the product wizard, with its fields filled in from a model or an item. */
export const wizardOf = (what: 'model' | 'item', id: string): string =>
  `${wizardAddress}?${what}=${encodeURIComponent(id)}`

export const mediaAddress = '/admin/media'

export const lowStockAddress = '/?tab=inventory&low_stock_only=true'

/** Returns the address of a customer's page. */
export const customerAddress = (name: string): string =>
  `/?${new URLSearchParams({ tab: 'orders', customer: name })}`

/** Returns the address of the accounts that match a name. */
export const accountAddress = (name: string): string =>
  `/?${new URLSearchParams({ tab: 'people', search: name })}`

export const pendingOrdersAddress = '/?tab=orders&status=pending'
