import type { Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { failing, neverAnswering, press, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const FLOOR = '/?tab=print-queue&view=printers'

const firstPrinter = async (page: Page) => {
  await page.getByRole('article').first().getByRole('heading').getByRole('link').click()
  await showsHeading('Now')(page)
}

/** Opens a dialog from the menu of the first printer. */
const choose = (item: string, dialog: RegExp) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^More for / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await shows((there) => there.getByRole('dialog', { name: dialog }))(page)
}

export const PRINTER_SCREENS: readonly Screen[] = [
  { name: 'Printers', as: 'staff', address: FLOOR, open: shows((page) => page.getByRole('article')) },
  {
    name: 'Printers, read-only',
    as: 'viewer',
    address: FLOOR,
    open: shows((page) => page.getByRole('article')),
  },
  {
    name: 'Printers, nothing found',
    as: 'viewer',
    address: `${FLOOR}&search=no+such+printer`,
    open: showsHeading('No printers found'),
  },
  {
    name: 'Printers, loading',
    as: 'viewer',
    address: FLOOR,
    prepare: neverAnswering('**/api/printers?*'),
    open: showsWords('Loading the printers'),
  },
  {
    name: 'Printers, in error',
    as: 'viewer',
    address: FLOOR,
    prepare: failing('**/api/printers?*'),
    open: showsWords('The list of printers could not be loaded.'),
  },
  { name: 'Printers, the trash', as: 'staff', address: `${FLOOR}&deleted=1`, open: showsHeading('Trash') },
  { name: 'Printer', as: 'staff', address: FLOOR, open: firstPrinter },
  {
    name: 'Printer not found',
    as: 'viewer',
    address: `${FLOOR}&printer=${NO_SUCH_ID}`,
    open: showsHeading('Printer not found'),
  },
  {
    name: 'Add Printer, with faults',
    as: 'admin',
    address: FLOOR,
    open: async (page) => {
      await press(page, 'Add Printer')
      await press(page, 'Add printer')
      await showsWords('Name is required')(page)
    },
  },
  { name: 'Edit printer', as: 'admin', address: FLOOR, open: choose('Edit', /^Edit /) },
  { name: 'Load a spool', as: 'staff', address: FLOOR, open: choose('Load a spool', /^Load /) },
  { name: 'Maintenance', as: 'staff', address: FLOOR, open: choose('Maintenance', /^Maintenance of /) },
  {
    name: 'Clear a plate',
    as: 'staff',
    address: FLOOR,
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Done on / })
        .first()
        .click()
      await shows((there) => there.getByRole('dialog', { name: /^Clear / }))(page)
    },
  },
]
