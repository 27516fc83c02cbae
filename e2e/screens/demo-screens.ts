import { expect, type Page } from '@playwright/test'
import { NO_SUCH_ID, PAGES } from '../support/pages.ts'
import { bearer, get } from '../support/accounts.ts'
import type { Demo } from './demo.ts'

/** A screen of the demo shop. */
export interface DemoScreen {
  name: string
  /** The address, or a function that finds it in the demo. */
  address: string | ((demo: Demo) => Promise<string>)
  /** Prepares the page before the screenshot, for example by opening a dialog. */
  open?: (page: Page) => Promise<unknown>
  /** The only size in which the screen exists. */
  only?: 'desktop' | 'phone'
}

const isPage = ({ address }: (typeof PAGES)[number]): boolean =>
  !/no-such|no\/such/.test(address) && !address.includes(NO_SUCH_ID) && address !== '/'

interface Found {
  id: string
}

/** Returns a function that returns the address of the page of the first object in a list. */
const first =
  (list: string, page: string) =>
  async ({ url, owner }: Demo): Promise<string> => {
    const [found] = await get<Found[]>(`${url}${list}`, bearer(owner))
    return `${page}${found?.id ?? NO_SUCH_ID}`
  }

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()

/** Returns a function that presses a button and waits for a dialog, whose script may have to load first. */
const pressForDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** Returns a function that opens the command palette and types. */
const typeInPalette = (words: string) => async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(words)
  await expect(page.getByRole('option').first()).toBeVisible()
}

export const DEMO_SCREENS: readonly DemoScreen[] = [
  ...PAGES.filter(isPage).map(({ address, heading }) => ({ name: `${heading} ${address}`, address })),
  { name: 'Model', address: first('/api/stl-files?limit=1', '/?tab=stl-library&model=') },
  { name: 'Item', address: first('/api/inventory?limit=1', '/?tab=inventory&item=') },
  { name: 'Order', address: first('/api/orders?status=pending&limit=1', '/?tab=orders&order=') },
  { name: 'Order, completed', address: first('/api/orders?status=completed&limit=1', '/?tab=orders&order=') },
  { name: 'Job, waiting', address: first('/api/print-queue?status=pending', '/?tab=print-queue&job=') },
  { name: 'Job, printing', address: first('/api/print-queue?status=in_progress', '/?tab=print-queue&job=') },
  { name: 'Job, completed', address: first('/api/print-queue?status=completed', '/?tab=print-queue&job=') },
  { name: 'Spool', address: first('/api/filament?limit=1', '/?tab=filament&spool=') },
  { name: 'Product', address: first('/api/products?limit=1', '/?tab=products&product=') },
  {
    name: 'Printer',
    address: first('/api/printers?sort=number', '/?tab=print-queue&view=printers&printer='),
  },
  { name: 'Sales report', address: '/?tab=orders&sales=month' },
  { name: 'SKU inbox', address: '/?tab=orders&skus=unknown' },
  { name: 'Emails', address: '/?tab=people&view=mails' },
  { name: 'Palette, just opened', address: '/?tab=inventory', open: typeInPalette(''), only: 'desktop' },
  { name: 'Palette, words', address: '/?tab=inventory', open: typeInPalette('base'), only: 'desktop' },
  { name: 'Alerts', address: '/', open: pressForDialog(/^Alerts/) },
  { name: 'Scan', address: '/?tab=inventory', open: pressForDialog('Scan') },
  {
    name: 'Labels',
    address: '/?tab=inventory',
    open: async (page) => {
      await press('Inventory tools')(page)
      await page.getByRole('menuitem', { name: /label/i }).first().click()
    },
  },
  { name: 'Filters of a phone', address: '/?tab=inventory', open: press(/^Filters/), only: 'phone' },
  { name: 'Add item', address: '/?tab=inventory&add=1' },
  { name: 'New order', address: '/?tab=orders', open: pressForDialog('New order') },
  { name: 'Add spool', address: '/?tab=filament', open: pressForDialog('Add Filament') },
  { name: 'Add job', address: '/?tab=print-queue&add=1' },
]
