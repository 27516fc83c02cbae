import { expect, type Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { failing, neverAnswering, press, shows, showsHeading, showsWords, type Screen } from './screen.ts'

const FILAMENT = '/?tab=filament'
const aPlate = (number: number, printer: string) => ({
  id: `01890000-0000-7000-8000-0000000000a${number}`,
  number,
  state: 'printing',
  printer_id: null,
  printer,
  agent: null,
  filament_id: null,
  filament_label: null,
  slice_id: null,
  slice_pieces: null,
  slice_plates: null,
  pieces: 3,
  good_quantity: 0,
  rejected_quantity: 0,
  reason: null,
  progress: 0.5,
  used_grams: null,
  print_minutes: null,
  started_at: '2026-01-05T02:00:00Z',
  finished_at: null,
  can_undo: false,
  is_by_hand: true,
  tools: [],
})

/** Makes the server respond that a job runs on two printers. */
const onTwoPrinters = (page: Page) =>
  page.route('**/api/print-queue/*/plates', (route) =>
    route.fulfill({ json: [aPlate(1, 'Prusa MK4 · 02'), aPlate(2, 'الطابعة الثانية')] }),
  )

const QUEUE = '/?tab=print-queue'

const firstSpool = async (page: Page) => {
  await page.getByRole('article').first().getByRole('link').click()
  await showsHeading('Ledger')(page)
}

/** Opens the first job of the queue. Running jobs are above waiting jobs. */
const firstJob = async (page: Page) => {
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Wall hook/ })
    .first()
    .click()
  await showsHeading('History')(page)
}

const pressFirst = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name }).first().click()
}

const choose = (trigger: RegExp, item: string, dialog: string | RegExp) => async (page: Page) => {
  await pressFirst(page, trigger)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await shows((there) => there.getByRole('dialog', { name: dialog }))(page)
}

const opens = (trigger: RegExp, dialog: string | RegExp) => async (page: Page) => {
  await pressFirst(page, trigger)
  await shows((there) => there.getByRole('dialog', { name: dialog }))(page)
}

/** Makes the server refuse a save, as if another person had saved first. */
const quickerElsewhere = (address: string) => (page: Page) =>
  page.route(address, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    return route.fulfill({ status: 412, json: { detail: 'Somebody else has changed this in the meantime.' } })
  })

const saveAnother = (trigger: RegExp, dialog: string | RegExp) => async (page: Page) => {
  await choose(trigger, 'Edit', dialog)(page)
  await page.getByLabel('Notes').fill('Another note')
  await press(page, 'Save')
  await expect(page.getByRole('alert')).toContainText('Somebody else has changed this')
}

const RUNNING_OUT = [
  {
    material: 'PETG',
    color: 'Signal Orange',
    color_hex: '#E8641B',
    is_any_color: false,
    remaining_grams: 84,
    needed_grams: 412,
    jobs: 3,
    jobs_without_estimate: 0,
    runs_out_at: {
      print_job_id: NO_SUCH_ID,
      label_code: 'J-00001',
      name: 'Wall hook',
      due_at: null,
      nth: 3,
      short_grams: 328,
    },
  },
]

const REFUSED = [
  {
    order_number: '#1042',
    detail: 'items.0.sku: Please enter at most 64 characters.',
    refused_at: '2026-01-05T02:00:00Z',
    shop_url: 'https://shop.example.com/orders/1042',
  },
  {
    order_number: '#1043',
    detail: 'The currency of the order is not the currency of the shop, so its amounts cannot be added up.',
    refused_at: '2026-01-05T02:00:00Z',
    shop_url: null,
  },
]

const FAILED = {
  compared_at: '2026-01-05T01:00:00Z',
  failed_at: '2026-01-05T02:00:00Z',
  problem: 'The main site responded with status 503: Down for maintenance.',
}

const SYNCED = {
  outcome: 'synced',
  detail: '2 new orders, 1 changed.',
  created: 2,
  updated: 1,
  unchanged: 0,
  failed: [{ order_number: 'PO-77', detail: 'The total is not a number.' }],
}

const SPOOL_MENU = /^More for S-/
const WAITING_JOB = /^More for حامل/
const RUNNING_JOB = /^More for Wall hook/

export const FILAMENT_AND_QUEUE_SCREENS: readonly Screen[] = [
  {
    name: 'Filament, something runs out',
    as: 'viewer',
    address: FILAMENT,
    prepare: (page) =>
      page.route('**/api/filament/forecast', (route) => route.fulfill({ json: RUNNING_OUT })),
    open: showsWords(/Runs out on the third job/),
  },
  {
    name: 'Filament, by color',
    as: 'viewer',
    address: `${FILAMENT}&view=colors`,
    open: shows((page) => page.getByRole('link', { name: 'PETG Signal Orange' })),
  },
  { name: 'Filament, the trash', as: 'staff', address: `${FILAMENT}&view=bin`, open: showsHeading('Trash') },
  {
    name: 'Print queue, the trash',
    as: 'staff',
    address: '/?tab=print-queue&view=bin',
    open: showsHeading('Trash'),
  },
  { name: 'Spool', as: 'staff', address: FILAMENT, open: firstSpool },
  { name: 'Spool, read-only', as: 'viewer', address: FILAMENT, open: firstSpool },
  {
    name: 'Spool not found',
    as: 'viewer',
    address: `${FILAMENT}&spool=${NO_SUCH_ID}`,
    open: showsHeading('Spool not found'),
  },
  {
    name: 'Add Filament, with faults',
    as: 'staff',
    address: FILAMENT,
    open: async (page) => {
      await press(page, 'Add Filament')
      await page.getByText('Print settings and reordering').click()
      await page.getByLabel('Density').fill('none')
      await press(page, 'Add spool')
      await showsWords('Material is required')(page)
    },
  },
  {
    name: 'Edit spool, somebody else was quicker',
    as: 'staff',
    address: FILAMENT,
    prepare: quickerElsewhere('**/api/filament/*'),
    open: saveAnother(SPOOL_MENU, /^Edit S-/),
  },
  { name: 'Use filament', as: 'staff', address: FILAMENT, open: opens(/^Use S-/, 'Use filament') },
  { name: 'Weigh spool', as: 'staff', address: FILAMENT, open: opens(/^Weigh S-/, 'Weigh spool') },
  {
    name: 'Correct the remaining weight, without a reason',
    as: 'staff',
    address: FILAMENT,
    open: async (page) => {
      await choose(SPOOL_MENU, 'Correct the remaining weight', 'Correct the remaining weight')(page)
      await press(page, 'Correct')
      await showsWords('Please enter a reason.')(page)
    },
  },
  {
    name: 'Filament, the menu of a spool',
    as: 'staff',
    address: FILAMENT,
    open: async (page) => {
      await pressFirst(page, SPOOL_MENU)
      await shows((there) => there.getByRole('menuitem', { name: 'Mark as dried' }))(page)
    },
  },
  {
    name: 'Filament, loading',
    as: 'viewer',
    address: FILAMENT,
    prepare: neverAnswering('**/api/filament?*'),
    open: showsWords('Loading the spools'),
  },
  {
    name: 'Filament, in error',
    as: 'viewer',
    address: FILAMENT,
    prepare: failing('**/api/filament?*'),
    open: showsWords('The filament list could not be loaded.'),
  },
  {
    name: 'Print Queue, read-only',
    as: 'viewer',
    address: QUEUE,
    open: showsWords(/^\d+ printing · \d+ waiting/),
  },
  { name: 'Print job', as: 'staff', address: QUEUE, open: firstJob },
  {
    name: 'Print job not found',
    as: 'viewer',
    address: `${QUEUE}&job=${NO_SUCH_ID}`,
    open: showsHeading('Print job not found'),
  },
  {
    name: 'Add Job, parts offered',
    as: 'staff',
    address: QUEUE,
    open: async (page) => {
      await press(page, 'Add Job')
      await page.getByRole('combobox', { name: 'What to print' }).fill('hook')
      await shows((there) => there.getByRole('option', { name: /Wall hook/ }))(page)
    },
  },
  {
    name: 'Add Job, nothing chosen',
    as: 'staff',
    address: QUEUE,
    open: async (page) => {
      await press(page, 'Add Job')
      await page.getByLabel('Quantity').fill('0')
      await press(page, 'Add to queue')
      await showsWords('Please choose what to print.')(page)
    },
  },
  {
    name: 'Complete job, some rejected',
    as: 'staff',
    address: QUEUE,
    open: async (page) => {
      await opens(/^Complete Wall hook/, 'Complete job')(page)
      await page.getByLabel('Rejected').fill('1')
      await shows((there) => there.getByLabel('Reason for rejection'))(page)
    },
  },
  {
    name: 'Job failed, without a reason',
    as: 'staff',
    address: QUEUE,
    open: async (page) => {
      await choose(RUNNING_JOB, 'Failed', 'Job failed')(page)
      await press(page, 'Mark as failed')
      await showsWords('Please enter the reason.')(page)
    },
  },
  {
    name: 'Complete one of two plates, some rejected',
    as: 'staff',
    address: QUEUE,
    prepare: onTwoPrinters,
    open: async (page) => {
      await opens(/^Complete Wall hook/, /^Complete (?:job|plate)$/)(page)
      await page.getByLabel('Rejected').fill('1')
      await shows((there) => there.getByLabel('Reason for rejection'))(page)
    },
  },
  {
    name: 'One of two plates failed',
    as: 'staff',
    address: QUEUE,
    prepare: onTwoPrinters,
    open: choose(RUNNING_JOB, 'Failed', /failed$/),
  },
  {
    name: 'Job on two printers',
    as: 'staff',
    address: QUEUE,
    prepare: onTwoPrinters,
    open: async (page) => {
      await firstJob(page)
      await showsHeading('Plates')(page)
    },
  },
  {
    name: 'Edit job, divided into plates',
    as: 'staff',
    address: QUEUE,
    open: async (page) => {
      await choose(WAITING_JOB, 'Edit', 'Edit job')(page)
      await page.getByLabel('Pieces per plate').fill('0')
      await press(page, 'Save')
      await showsWords(/Pieces per plate must be/)(page)
    },
  },
  { name: 'Split job', as: 'staff', address: QUEUE, open: choose(WAITING_JOB, 'Split', 'Split job') },
  { name: 'Merge jobs', as: 'staff', address: QUEUE, open: choose(WAITING_JOB, 'Merge', 'Merge jobs') },
  { name: 'Hold job', as: 'staff', address: QUEUE, open: choose(WAITING_JOB, 'Hold', 'Hold job') },
  { name: 'Cancel job', as: 'staff', address: QUEUE, open: choose(WAITING_JOB, 'Cancel job', 'Cancel job') },
  {
    name: 'Start on a printer',
    as: 'staff',
    address: QUEUE,
    open: choose(WAITING_JOB, 'Start on a printer', 'Start on a printer'),
  },
  {
    name: 'Edit job, somebody else was quicker',
    as: 'staff',
    address: QUEUE,
    prepare: quickerElsewhere('**/api/print-queue/*'),
    open: saveAnother(WAITING_JOB, 'Edit job'),
  },
  {
    name: 'Print Queue, in error',
    as: 'viewer',
    address: QUEUE,
    prepare: failing('**/api/print-queue?*'),
    open: showsWords('The print queue could not be loaded.'),
  },
  {
    name: 'Orders, refused ones of the shop',
    as: 'staff',
    address: '/?tab=orders',
    prepare: (page) => page.route('**/api/orders/refused', (route) => route.fulfill({ json: REFUSED })),
    open: showsWords('2 orders from the shop could not be received'),
  },
  {
    name: 'Orders, after a failed comparison with the shop',
    as: 'staff',
    address: '/?tab=orders',
    prepare: (page) => page.route('**/api/orders/comparison', (route) => route.fulfill({ json: FAILED })),
    open: showsWords('The orders could not be compared with the shop'),
  },
  {
    name: 'Orders, synced',
    as: 'staff',
    address: '/?tab=orders',
    prepare: (page) => page.route('**/api/orders/sync', (route) => route.fulfill({ json: SYNCED })),
    open: async (page) => {
      await press(page, 'More about orders')
      await page.getByRole('menuitem', { name: 'Sync orders' }).click()
      await showsWords('2 new orders, 1 changed.')(page)
    },
  },
]
