import type { Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import {
  failing,
  neverAnswering,
  press,
  shows,
  showsHeading,
  showsWords,
  type Screen,
  withSlicer,
} from './screen.ts'

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

const MAINTENANCE = {
  plans: [
    {
      id: '01890000-0000-7000-8000-000000000001',
      name: 'New nozzle',
      every_hours: 400,
      every_days: null,
      done_at: '2026-01-05T02:00:00Z',
      done_at_hours: 410,
      hours_left: -12.5,
      due_at: null,
      is_due: true,
    },
    {
      id: '01890000-0000-7000-8000-000000000002',
      name: 'تشحيم المحاور',
      every_hours: null,
      every_days: 90,
      done_at: '2026-01-05T02:00:00Z',
      done_at_hours: 410,
      hours_left: null,
      due_at: '2026-04-05T02:00:00Z',
      is_due: false,
    },
  ],
  log: [
    {
      id: '01890000-0000-7000-8000-000000000003',
      plan_id: null,
      done: 'Belt tightened',
      print_hours: 410,
      actor: { kind: 'user', id: null, name: 'Ó Súilleabháin' },
      created_at: '2026-01-05T02:00:00Z',
    },
  ],
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
  { name: 'Photo of a printer', as: 'staff', address: FLOOR, open: choose('Photo', /^Photo of /) },
  { name: 'Load a spool', as: 'staff', address: FLOOR, open: choose('Load a spool', /^Load /) },
  { name: 'Maintenance', as: 'staff', address: FLOOR, open: choose('Maintenance', /^Maintenance of /) },
  {
    name: 'A plate failed at the machine, without a reason',
    as: 'staff',
    address: FLOOR,
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Failed on / })
        .first()
        .click()
      await press(page, 'Mark as failed')
      await showsWords('Please enter the reason.')(page)
    },
  },
  {
    name: 'Plan maintenance, with faults',
    as: 'staff',
    address: FLOOR,
    open: async (page) => {
      await firstPrinter(page)
      await press(page, 'Add plan')
      await page.getByRole('dialog').getByRole('button', { name: 'Add plan' }).click()
      await showsWords('Please enter hours, days or both')(page)
    },
  },
  {
    name: 'Printer with maintenance that is due',
    as: 'staff',
    address: FLOOR,
    prepare: (page) =>
      page.route('**/api/printers/*/maintenance', (route) => route.fulfill({ json: MAINTENANCE })),
    open: async (page) => {
      await firstPrinter(page)
      await press(page, 'Done: New nozzle')
      await shows((there) => there.getByRole('dialog', { name: /^New nozzle on / }))(page)
    },
  },
  {
    name: 'Printer with profiles of the slicer',
    as: 'staff',
    address: FLOOR,
    prepare: withSlicer,
    open: async (page) => {
      await firstPrinter(page)
      await showsHeading('Slicer profiles')(page)
    },
  },
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
