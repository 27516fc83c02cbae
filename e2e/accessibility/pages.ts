import { expect } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { failing, press, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const EARNED = {
  revenue: 200,
  cost: 37.8,
  fees: 4.2,
  postage: 9,
  shipping_income: 12,
  margin: 161,
  pieces: 10,
  returns: 1,
  pieces_without_cost: 2,
}

const SALES = ['2026-10', '2026-11'].map((key) => ({ key, label: key, ...EARNED, orders: 3 }))

export const ROOM_SCREENS: readonly Screen[] = [
  { name: 'Dashboard', as: 'owner', address: '/', open: showsHeading('Revenue and orders per day') },
  {
    name: 'Dashboard, a chart as a table',
    as: 'owner',
    address: '/',
    open: async (page) => {
      await press(page, 'Show Revenue and orders per day as a table')
      await shows((there) => there.getByRole('rowheader'))(page)
    },
  },
  {
    name: 'STL Library',
    as: 'owner',
    address: '/?tab=stl-library',
    open: shows((page) => page.getByRole('article')),
  },
  {
    name: 'STL Library, nothing found',
    as: 'owner',
    address: '/?tab=stl-library&search=no+such+model&license=CC0',
    open: showsHeading('No STL files found'),
  },
  {
    name: 'STL Library, a file dragged over it',
    as: 'owner',
    address: '/?tab=stl-library',
    open: async (page) => {
      await shows((there) => there.getByRole('article'))(page)
      // A browser repeats this event while a file is over the page. The test repeats it as well, because the page may
      // still be loading the script that handles it.
      const drag = () =>
        page.evaluate(() => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(['solid'], 'part.stl'))
          document.body.dispatchEvent(
            new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }),
          )
          return /^Drop/m.test(document.body.innerText)
        })
      await expect.poll(drag).toBe(true)
      await showsWords(/^Drop/)(page)
    },
  },
  {
    name: 'Model',
    as: 'viewer',
    address: ({ model }) => `/?tab=stl-library&model=${model.id}`,
    open: shows((page) => page.getByLabel(/^3D view of/)),
  },
  {
    name: 'Model, with a toast',
    as: 'viewer',
    address: ({ model }) => `/?tab=stl-library&model=${model.id}`,
    prepare: failing('**/file'),
    open: async (page) => {
      await press(page, 'Download')
      const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
      await expect(toast).toContainText('Retry')
      // A toast disappears by itself unless it has the pointer or the focus.
      await toast.getByRole('button', { name: 'Dismiss' }).focus()
    },
  },
  {
    name: 'Model not found',
    as: 'viewer',
    address: `/?tab=stl-library&model=${NO_SUCH_ID}`,
    open: showsHeading('This model is not in the library.'),
  },
  { name: 'Inventory', as: 'owner', address: '/?tab=inventory', open: showsWords(/^\d+ items?/) },
  {
    name: 'Inventory, nothing found',
    as: 'owner',
    address: '/?tab=inventory&search=no+such+item&low_stock_only=true',
    open: showsHeading('No inventory items found'),
  },
  { name: 'Orders', as: 'owner', address: '/?tab=orders', open: showsWords(/^\d+ orders?/) },
  {
    name: 'Customer',
    as: 'viewer',
    address: '/?tab=orders&customer=Keisuke+Yamanaka',
    open: showsHeading('Most ordered'),
  },
  {
    name: 'Orders, nothing found',
    as: 'owner',
    address: '/?tab=orders&search=no+such+order',
    open: showsHeading('No orders found'),
  },
  {
    name: 'Order',
    as: 'owner',
    address: ({ orderId }) => `/?tab=orders&order=${orderId}`,
    open: showsHeading('PO-001'),
  },
  {
    name: 'Ship order',
    as: 'owner',
    address: ({ orderId }) => `/?tab=orders&order=${orderId}`,
    open: async (page) => {
      await press(page, 'Ship')
      await showsHeading('Ship PO-001')(page)
    },
  },
  {
    name: 'New order',
    as: 'owner',
    address: '/?tab=orders',
    open: async (page) => {
      await press(page, 'New order')
      await showsHeading('New order')(page)
    },
  },
  {
    name: 'Pick order',
    as: 'owner',
    address: ({ orderId }) => `/?tab=orders&order=${orderId}`,
    open: async (page) => {
      await press(page, 'Pick')
      await showsHeading('Pick PO-001')(page)
    },
  },
  {
    name: 'SKU inbox',
    as: 'owner',
    address: '/?tab=orders&skus=unknown',
    open: showsHeading('Every SKU is known'),
  },
  {
    name: 'Orders, the sheet of filters',
    as: 'owner',
    address: '/?tab=orders&status=pending',
    only: 'phone',
    open: async (page) => {
      await press(page, 'Filters, 1 applied')
      await showsHeading('Filters')(page)
    },
  },
  {
    name: 'Orders, the menu',
    as: 'owner',
    address: '/?tab=orders',
    open: async (page) => {
      await press(page, 'More about orders')
      await shows((there) => there.getByRole('menuitem', { name: 'Sales report' }))(page)
    },
  },
  {
    name: 'Sales report, with the lines of a figure',
    as: 'owner',
    address: '/?tab=orders&sales=month',
    prepare: (page) => page.route('**/api/reports/sales?*', (route) => route.fulfill({ json: SALES })),
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Revenue of / })
        .first()
        .click()
      await shows((there) => there.getByRole('region', { name: /^Revenue, / }))(page)
    },
  },
  {
    name: 'Sales report',
    as: 'owner',
    address: '/?tab=orders&sales=month',
    open: showsHeading('Nothing was shipped in this period'),
  },
  {
    name: 'Order not found',
    as: 'owner',
    address: `/?tab=orders&order=${NO_SUCH_ID}`,
    open: showsHeading('Order not found'),
  },
  {
    name: 'Print Queue',
    as: 'owner',
    address: '/?tab=print-queue',
    open: showsWords(/^\d+ printing · \d+ waiting/),
  },
  {
    name: 'Print Queue, nothing found',
    as: 'owner',
    address: '/?tab=print-queue&status=completed',
    open: showsHeading('No print jobs found'),
  },
  { name: 'Filament', as: 'owner', address: '/?tab=filament', open: showsWords(/^\d+ spools?/) },
  {
    name: 'Filament, nothing found',
    as: 'owner',
    address: '/?tab=filament&search=no+such+spool',
    open: showsHeading('No filament found'),
  },
  ...['API Keys', 'People', 'Audit'].map(
    (room): Screen => ({
      name: `${room}, access denied`,
      as: 'viewer',
      address: `/?tab=${room.toLowerCase().replace(' ', '-')}`,
      open: showsHeading('Access Denied'),
    }),
  ),
]
