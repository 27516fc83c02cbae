import type { Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { openSheet } from '../support/controls.ts'
import { press, shows, showsAlert, showsHeading, showsWords, type Screen } from './screen.ts'

const openItem = async (page: Page) => {
  await page.getByRole('link', { name: /^Wall hook/ }).click()
  await showsHeading('Cost of a piece')(page)
  await showsHeading('History')(page)
}

const openTool = (name: string, dialog: string) => async (page: Page) => {
  await press(page, 'Inventory tools')
  await page.getByRole('menuitem', { name, exact: true }).click()
  await shows((there) => there.getByRole('dialog', { name: dialog }))(page)
}

const chooseTable = (text: string) => async (page: Page) => {
  await openTool('Import CSV', 'Import CSV')(page)
  const file = { name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel('CSV file').setInputFiles(file)
}

export const INVENTORY_SCREENS: readonly Screen[] = [
  {
    name: 'Inventory as cards',
    as: 'owner',
    address: '/?tab=inventory&layout=cards',
    open: shows((page) => page.getByRole('article')),
  },
  {
    name: 'Inventory as a list, to viewers',
    as: 'viewer',
    address: '/?tab=inventory&layout=list',
    open: showsWords(/^Wall hook/),
  },
  {
    name: 'Inventory, more filters',
    as: 'viewer',
    address: '/?tab=inventory',
    open: async (page) => {
      await openSheet(page)
      await press(page, 'More filters')
      await shows((there) => there.getByRole('dialog', { name: 'More filters' }))(page)
    },
  },
  {
    name: 'Inventory, several chosen',
    as: 'owner',
    address: '/?tab=inventory&layout=cards',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await shows((there) => there.getByRole('region', { name: 'Selection' }))(page)
    },
  },
  {
    name: 'Inventory, several edited',
    as: 'owner',
    address: '/?tab=inventory&layout=cards',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).click()
      await press(page, 'Save')
      await showsAlert('Please choose what to change.')(page)
    },
  },
  {
    name: 'Item added, with faults',
    as: 'owner',
    address: '/?tab=inventory&add=1',
    open: async (page) => {
      await page.getByLabel('Selling price').fill('-1')
      await press(page, 'Add item')
      await showsWords('Name is required')(page)
    },
  },
  { name: 'Item', as: 'owner', address: '/?tab=inventory', open: openItem },
  { name: 'Item, to viewers', as: 'viewer', address: '/?tab=inventory', open: openItem },
  {
    name: 'Item, moved somewhere else',
    as: 'staff',
    address: '/?tab=inventory',
    open: async (page) => {
      await openItem(page)
      await press(page, 'Move')
      await shows((there) => there.getByRole('dialog', { name: 'Move to another location' }))(page)
    },
  },
  {
    name: 'Item, its QR code',
    as: 'viewer',
    address: '/?tab=inventory',
    open: async (page) => {
      await openItem(page)
      await page.getByRole('button', { name: /^QR Code/ }).click()
      await shows((there) => there.getByRole('img', { name: /^Code I-/ }))(page)
    },
  },
  {
    name: 'Item not found',
    as: 'viewer',
    address: `/?tab=inventory&item=${NO_SUCH_ID}`,
    open: showsHeading('This item is not in the inventory.'),
  },
  {
    name: 'Inventory, the trash',
    as: 'owner',
    address: '/?tab=inventory&view=bin',
    open: showsHeading('Trash'),
  },
  {
    name: 'Locations',
    as: 'owner',
    address: '/?tab=inventory&view=locations',
    open: async (page) => {
      await page.getByRole('link', { name: 'Rack A3' }).click()
      await showsWords('Show as a list')(page)
    },
  },
  {
    name: 'Location added, without a name',
    as: 'owner',
    address: '/?tab=inventory&view=locations',
    open: async (page) => {
      await press(page, 'Add location')
      await page.getByRole('dialog').getByRole('button', { name: 'Add location' }).click()
      await showsWords('Name is required')(page)
    },
  },
  {
    name: 'Import CSV, with faults',
    as: 'owner',
    address: '/?tab=inventory',
    open: async (page) => {
      await chooseTable('name,quantity,colour\n,many,red\n')(page)
      await shows((there) => there.getByRole('region', { name: 'Errors by row' }))(page)
    },
  },
  {
    name: 'Import CSV, before it is written',
    as: 'owner',
    address: '/?tab=inventory',
    open: async (page) => {
      await chooseTable('name,quantity\nA new thing,3\n')(page)
      await showsWords(/1 new, 0 changed/)(page)
    },
  },
  {
    name: 'Cost settings',
    as: 'admin',
    address: '/?tab=inventory',
    open: async (page) => {
      await openTool('Cost settings', 'Cost settings')(page)
      await page.getByLabel('Margin').fill('100')
      await press(page, 'Save')
      await showsWords('Enter a number from 0 to 99.99.')(page)
    },
  },
]
