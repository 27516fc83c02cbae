import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Page } from '@playwright/test'
import { demoGcode } from '../../apps/server/demo/floor/demo-gcode.ts'
import {
  type NetworkPrinter,
  startSimulatedPrinters,
} from '../../examples/simulated-printers/simulated-printers.ts'
import { bearer, get, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { uploadPart } from '../support/model-files.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

const KEY = 'a-key-of-the-printers'

/** The printers of the shop. Dragons are red, but the spool of the last printer is white. */
const MACHINES = [
  { name: 'Prusa', protocol: 'prusalink', model: 'MK4S', bedMm: [250, 210, 220], color: 'Red' },
  { name: 'Klipper', protocol: 'moonraker', model: 'Voron 2.4', bedMm: [300, 300, 280], color: 'Red' },
  { name: 'Ender', protocol: 'octoprint', model: 'Ender-3 S1', bedMm: [220, 220, 270], color: 'White' },
] as const
type MachineName = (typeof MACHINES)[number]['name']

/** The grams, minutes and pieces of one plate of dragons. */
const PLATE = { grams: 120, minutes: 180, pieces: 4 }

interface PrintShop extends StaffedShop {
  machines: Readonly<Record<MachineName, NetworkPrinter>>
}

/** Starts a shop with simulated printers, whose time the test advances. */
const test = base.extend<{ printShop: PrintShop }>({
  printShop: async ({}, use) => {
    const simulated = await startSimulatedPrinters({
      host: '127.0.0.1',
      printers: MACHINES.map(({ name, protocol }) => ({ name, protocol, port: 0, apiKey: KEY })),
      speed: 0,
      adminPort: null,
    })
    const shop = await openShop()
    const machines = Object.fromEntries(simulated.printers.map((printer) => [printer.name, printer]))
    await use({
      ...shop,
      staff: await hireStaff(shop.product.url),
      machines: machines as PrintShop['machines'],
    })
    await shop.close()
    await simulated.close()
  },
})

type Headers = Record<string, string>

/** Adds a dragon whose model is sliced for each machine, with plates of four. */
async function addDragon(url: string, headers: Headers): Promise<InventoryItem> {
  const { id: modelId } = await uploadPart(url, headers, { title: 'Dragon', license_type: 'CC0' })
  for (const { name, model, bedMm } of MACHINES) {
    const form = new FormData()
    form.append('pieces', String(PLATE.pieces))
    const text = demoGcode({ printerModel: model, material: 'PLA', bedMm, ...PLATE })
    form.append('file', new Blob([text]), `dragon-${name.toLowerCase()}.gcode`)
    const answer = await fetch(`${url}/api/stl-files/${modelId}/slices`, {
      method: 'POST',
      headers,
      body: form,
    })
    expect(answer.status, await answer.text()).toBe(201)
  }
  return post<InventoryItem>(
    `${url}/api/inventory`,
    {
      name: 'Dragon',
      sku: 'DRG',
      quantity: 3,
      stl_file_id: modelId,
      material_used: 'PLA',
      color: 'Red',
      weight_grams: PLATE.grams / PLATE.pieces,
      print_time_minutes: PLATE.minutes / PLATE.pieces,
    },
    headers,
  )
}

/** Adds the printers, each with one spool. */
async function addPrinters({ machines, staff, product: { url } }: PrintShop) {
  const headers = bearer(staff.admin)
  const spools: Spool[] = []
  for (const { name, protocol, model, bedMm, color } of MACHINES) {
    const spool = await post<Spool>(
      `${url}/api/filament`,
      { material: 'PLA', brand: 'Prusament', color, weight_grams: 1000, cost: 20 },
      headers,
    )
    spools.push(spool)
    await post<Printer>(
      `${url}/api/printers`,
      {
        name,
        kind: protocol,
        model,
        bed_mm: bedMm,
        nozzle_mm: 0.4,
        hourly_rate: 1,
        average_watts: 120,
        address: machines[name].url,
        api_key: KEY,
        slots: [{ slot: 1, filament_id: spool.id }],
      },
      headers,
    )
  }
  return spools
}

/** Opens a page in another tab, which must then show changes without a reload. */
async function watching(page: Page, address: string): Promise<Page> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  page.on('load', () => {
    throw new Error(`${address} was loaded again`)
  })
  return page
}

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
/** Returns the value of a row in the details of a page. */
const detail = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')
const figureOf = (page: Page, name: string) =>
  page.getByLabel('Figures').getByRole('link', { name: new RegExp(`^${name}`) })
const stockOf = (page: Page) =>
  page.getByText('In stock', { exact: true }).locator('xpath=following-sibling::*')
/** Returns the plan of a printer: a row of the timeline or, on a phone, of the list. */
const planOf = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) })
    .first()
const dollars = (amount: number | null): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount ?? 0)

/** Sets that the server starts proposed jobs on a printer by itself. */
async function letTakeJobs(page: Page, url: string, { id, name }: Printer): Promise<void> {
  await page.goto(`${url}/?tab=print-queue&view=printers&printer=${id}`)
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: `Edit ${name}` })
  await editing.getByLabel('Proposed jobs').selectOption('Also start jobs that the planner proposes')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing).toBeHidden()
}

/** Takes a printed plate off the bed, and counts its pieces. */
async function clearPlate(
  page: Page,
  url: string,
  name: MachineName,
  bad?: { rejected: string; reason: string },
): Promise<void> {
  await page.goto(`${url}/?tab=print-queue&view=printers`)
  await page.getByRole('button', { name: `Done on ${name}` }).click()
  const clearing = page.getByRole('dialog', { name: `Clear ${name}` })
  if (bad) {
    await clearing.getByLabel('Rejected').fill(bad.rejected)
    await clearing.getByLabel('Reason for rejection').fill(bad.reason)
  }
  await clearing.getByRole('button', { name: 'Plate is off' }).click()
  await expect(toastOf(page).filter({ hasText: `${name} is free` })).toBeVisible()
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a second window shows live how an order of ten dragons is filled from stock and by two printers', async ({
  printShop,
  openAs,
}) => {
  test.setTimeout(180_000)
  const { url } = printShop.product
  const { Prusa, Klipper, Ender } = printShop.machines
  const headers = bearer(printShop.staff.staff)
  const item = await addDragon(url, headers)
  const spools = await addPrinters(printShop)
  const order = await post<Order>(
    `${url}/api/orders`,
    {
      order_number: 'WALK-10',
      customer_name: 'Ada Lovelace',
      items: [{ sku: 'DRG', name: 'Dragon', quantity: 10, unit_price: 20 }],
    },
    headers,
  )
  const known = await get<Printer[]>(`${url}/api/printers`, headers)
  const printer = (name: MachineName) => known.find((each) => each.name === name)!

  const page = await openAs(printShop, 'staff')
  await page.goto(`${url}/?tab=orders&order=${order.id}`)
  await expect(
    page.getByText('10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock', { exact: true }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Queue 2 plates' }).click()
  await expect(toastOf(page)).toContainText('Queued 2 plates for WALK-10')
  const [job] = await get<PrintJob[]>(`${url}/api/print-queue`, headers)
  expect(job).toMatchObject({ quantity: 7, plates: 2, pieces_per_plate: 4, order_id: order.id })

  // Browsers allow six connections to one server, and each page keeps one open. Therefore, the pages are in the
  // browsers of two other people.
  const at = async (role: 'staff' | 'employee', address: string) =>
    watching(await openAs(printShop, role), `${url}${address}`)
  const shelf = await at('employee', `/?tab=inventory&item=${item.id}`)
  const spool = await at('employee', `/?tab=filament&spool=${spools[0]?.id}`)
  const orderPage = await at('employee', `/?tab=orders&order=${order.id}`)
  const printerPage = await at('employee', `/?tab=print-queue&view=printers&printer=${printer('Prusa').id}`)
  const dashboard = await at('employee', '/')
  const jobPage = await at('staff', `/?tab=print-queue&job=${job?.id}`)

  await expect(stockOf(shelf)).toHaveText('3')
  await expect(spool.getByText('1,000 g left')).toBeVisible()
  await expect(orderPage.getByRole('heading', { name: 'Planned and actual' })).toHaveCount(0)
  await expect(printerPage.getByText(/^0\s*hours printed$/)).toBeVisible()
  await expect(figureOf(dashboard, 'Print Queue')).toContainText('none printing')
  await expect(figureOf(dashboard, 'Pending Orders')).not.toContainText('ready to pack')

  // There is one plate for each of two printers. The page says that the third printer has the wrong color.
  const printers = jobPage.getByRole('listitem')
  for (const name of ['Prusa', 'Klipper'])
    await expect(printers.filter({ hasText: name })).toContainText('Can start now.')
  await expect(printers.filter({ hasText: 'Ender' })).toContainText('Needs PLA Red. Loaded: PLA White.')
  await expect(detail(jobPage, 'Expected')).toContainText(' to ')
  await expect(detail(orderPage, 'Printing')).toContainText(/ to |^Done /)
  await page.goto(`${url}/?tab=print-queue&view=schedule`)
  for (const name of ['Prusa', 'Klipper']) await expect(planOf(page, name)).toContainText('Dragon')
  await expect(planOf(page, 'Ender')).not.toContainText('Dragon')

  for (const name of ['Prusa', 'Klipper', 'Ender'] as const) await letTakeJobs(page, url, printer(name))
  for (const { machine } of [Prusa, Klipper]) await expect.poll(() => machine.running?.state).toBe('printing')
  expect(Ender.machine.prints).toEqual([])
  for (const name of ['Prusa', 'Klipper'])
    await expect(printers.filter({ hasText: `${name} · 4 pieces` })).toContainText('Printing')
  await expect(
    printerPage.getByText('plate 1 of 2 · 4 pieces').or(printerPage.getByText('plate 2 of 2 · 4 pieces')),
  ).toBeVisible()
  await expect(figureOf(dashboard, 'Print Queue')).toContainText('next bed free')
  await expect(detail(orderPage, 'Printing')).toContainText(/^Done /)

  for (const { machine } of [Prusa, Klipper]) machine.advance(PLATE.minutes + 1)
  await clearPlate(page, url, 'Klipper')
  await expect(stockOf(shelf)).toHaveText('7')
  await clearPlate(page, url, 'Prusa', { rejected: '1', reason: 'Stringing' })

  await expect(stockOf(shelf)).toHaveText('10')
  await expect(shelf.getByText('10 in stock', { exact: true })).toBeVisible()
  await expect(spool.getByText(`${1000 - PLATE.grams} g left`)).toBeVisible()
  await expect(jobPage.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(printers.filter({ hasText: '3 good, 1 rejected · Stringing' })).toBeVisible()
  await expect(detail(jobPage, 'Good')).toHaveText('7 of 7')
  await expect(detail(jobPage, 'Rejected')).toHaveText('1')
  await expect(detail(jobPage, 'Used')).toHaveText(`${2 * PLATE.grams} g`)
  const done = await get<PrintJob>(`${url}/api/print-queue/${job?.id}`, headers)
  expect(done).toMatchObject({ status: 'completed', print_minutes: 2 * PLATE.minutes })
  // The filament of two plates costs 4.80 (240 g at 20 per kilogram), and six hours of printing cost 6.00. The rest is
  // power and labor.
  expect(done.cost).toBeGreaterThan(10.8)
  await expect(detail(jobPage, 'Cost')).toContainText(dollars(done.cost))
  // The order shows the cost of its prints. The other spool has lost the same amount of filament.
  await expect(detail(orderPage, 'Cost')).toContainText(dollars(done.cost))
  await expect(detail(orderPage, 'Good pieces')).toContainText('7 of 8')
  expect(await get<Spool>(`${url}/api/filament/${spools[1]?.id}`, headers)).toMatchObject({
    remaining_grams: 1000 - PLATE.grams,
  })
  await expect(orderPage.getByText('10 ordered = 10 in stock', { exact: true })).toBeVisible()
  await expect(orderPage.getByText('Ready to pack', { exact: true })).toBeVisible()
  await expect(detail(orderPage, 'Filament')).toHaveText('240 g, planned 240 g, 0 %')
  await expect(printerPage.getByText(/^3\s*hours printed$/)).toBeVisible()
  await expect(printerPage.getByText(/% of plates succeeded/)).toBeVisible()
  await expect(figureOf(dashboard, 'Print Queue')).toContainText('none printing')
  await expect(figureOf(dashboard, 'Pending Orders')).toContainText('1 ready to pack')
})
