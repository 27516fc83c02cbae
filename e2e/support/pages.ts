import type { Role } from '@pegasus/contracts/roles'

/** An id that no object has. */
export const NO_SUCH_ID = '0198c0de-0000-7000-8000-000000000001'

/** A page of the app at one address. */
export interface AppPage {
  address: string
  /** The page's heading of the first level. */
  heading: string
  /** The lowest role that sees the page. Lower roles see a message that access is denied. */
  least: Role
  /** The name of the page's tab, if it has one. */
  section?: string
}

/** Every address of the app that needs a session. */
export const PAGES: readonly AppPage[] = [
  { address: '/', heading: 'Dashboard', least: 'viewer' },
  { address: '/?tab=dashboard', heading: 'Dashboard', least: 'viewer', section: 'Dashboard' },
  { address: '/?tab=stl-library', heading: 'STL Library', least: 'viewer', section: 'STL Library' },
  { address: '/?tab=stl-library&view=bin', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=inventory', heading: 'Inventory', least: 'viewer', section: 'Inventory' },
  { address: '/?tab=inventory&layout=list', heading: 'Inventory', least: 'viewer' },
  { address: '/?tab=inventory&view=bin', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=inventory&view=locations', heading: 'Locations', least: 'viewer' },
  { address: '/?tab=orders', heading: 'Orders', least: 'viewer', section: 'Orders' },
  { address: '/?tab=print-queue', heading: 'Print Queue', least: 'viewer', section: 'Print Queue' },
  { address: '/?tab=print-queue&view=bin', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=print-queue&view=schedule', heading: 'Schedule', least: 'viewer' },
  { address: '/?tab=print-queue&view=replenishment', heading: 'Replenishment', least: 'staff' },
  { address: '/?tab=print-queue&view=production', heading: 'Planned and actual', least: 'staff' },
  { address: '/?tab=print-queue&view=printers', heading: 'Printers', least: 'viewer' },
  { address: '/?tab=print-queue&view=printers&deleted=1', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=filament', heading: 'Filament', least: 'viewer', section: 'Filament' },
  { address: '/?tab=filament&view=colors', heading: 'Filament by material and color', least: 'viewer' },
  { address: '/?tab=filament&view=bin', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=products', heading: 'Products', least: 'viewer', section: 'Products' },
  { address: '/?tab=products&view=bin', heading: 'Trash', least: 'viewer' },
  { address: '/?tab=api-keys', heading: 'API Keys', least: 'admin', section: 'API Keys' },
  { address: '/?tab=people', heading: 'People', least: 'admin', section: 'People' },
  { address: '/?tab=audit', heading: 'Audit', least: 'admin', section: 'Audit' },
  { address: '/?tab=system', heading: 'System', least: 'admin', section: 'System' },
  { address: '/?tab=no-such-tab', heading: 'Dashboard', least: 'viewer' },
  { address: '/no/such/path', heading: 'Dashboard', least: 'viewer' },
  {
    address: `/?tab=stl-library&model=${NO_SUCH_ID}`,
    heading: 'This model is not in the library.',
    least: 'viewer',
  },
  { address: `/?tab=filament&spool=${NO_SUCH_ID}`, heading: 'Spool not found', least: 'viewer' },
  { address: `/?tab=print-queue&job=${NO_SUCH_ID}`, heading: 'Print job not found', least: 'viewer' },
  {
    address: `/?tab=print-queue&view=printers&printer=${NO_SUCH_ID}`,
    heading: 'Printer not found',
    least: 'viewer',
  },
  {
    address: `/?tab=inventory&item=${NO_SUCH_ID}`,
    heading: 'This item is not in the inventory.',
    least: 'viewer',
  },
  { address: '/?tab=orders&customer=no-such-customer', heading: 'Customer not found', least: 'viewer' },
  { address: `/?tab=orders&order=${NO_SUCH_ID}`, heading: 'Order not found', least: 'viewer' },
  { address: `/?tab=products&product=${NO_SUCH_ID}`, heading: 'Product not found', least: 'viewer' },
  { address: '/admin/media', heading: 'Product media', least: 'staff' },
  { address: '/admin/products/new', heading: 'New Product', least: 'staff' },
  { address: '/admin/products/new/wizard', heading: 'New Product', least: 'staff' },
  { address: '/wizard', heading: 'New Product', least: 'staff' },
]

/** Returns whether viewers may not open the page. */
export const isClosed = ({ least }: AppPage): boolean => least !== 'viewer'
