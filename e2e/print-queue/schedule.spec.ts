import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import type { Page } from '@playwright/test'
import { bearer, get, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

/** A shop with two printers that have the same filament, and with two jobs. The planner gives each printer one job. */
interface PlannedShop extends StaffedShop {
  printers: Readonly<Record<'Left' | 'Right', string>>
  jobs: Readonly<Record<'Dragon' | 'Egg', string>>
}

const test = base.extend<{ plannedShop: PlannedShop }>({
  plannedShop: async ({}, use) => {
    const shop = await openShop()
    const staff = await hireStaff(shop.product.url)
    const { url } = shop.product
    const headers = bearer(staff.admin)
    const aPrinter = async (name: string) => {
      const spool = await post<Spool>(
        `${url}/api/filament`,
        { material: 'PLA', color: 'Red', weight_grams: 1000 },
        headers,
      )
      const slots = [{ slot: 1, filament_id: spool.id }]
      return (await post<Printer>(`${url}/api/printers`, { name, slots }, headers)).id
    }
    const aJob = async (name: string) => {
      const item = await post<InventoryItem>(
        `${url}/api/inventory`,
        { name, material_used: 'PLA', color: 'Red' },
        headers,
      )
      const job = { inventory_item_id: item.id, quantity: 1, estimated_minutes: 240, estimated_grams: 50 }
      return (await post<PrintJob>(`${url}/api/print-queue`, job, headers)).id
    }
    const printers = { Left: await aPrinter('Left'), Right: await aPrinter('Right') }
    const jobs = { Dragon: await aJob('Dragon'), Egg: await aJob('Egg') }
    await use({ ...shop, staff, printers, jobs })
    await shop.close()
  },
})

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const isPhone = () => test.info().project.name === 'phone'

/** Returns the day of a printer: a row of the timeline or, on a phone, a part of the list. */
const dayOf = (page: Page, printer: string) =>
  isPhone()
    ? page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: printer, exact: true }) })
    : page.getByRole('list', { name: printer, exact: true })

/** Returns the button that moves a print. */
const print = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}`) })

async function scheduleOf({ product: { url }, staff }: PlannedShop): Promise<Record<string, string[]>> {
  const { printers } = await get<Schedule>(`${url}/api/print-queue/schedule`, bearer(staff.staff))
  return Object.fromEntries(
    printers.map(({ name, prints }) => [
      name,
      prints.map((each) => `${each.name}${each.is_assigned ? '' : '?'}`),
    ]),
  )
}

/** Opens the schedule when the planner has placed both jobs. */
async function openSchedule(page: Page, shop: PlannedShop): Promise<void> {
  await expect.poll(() => scheduleOf(shop)).toEqual({ Left: ['Dragon?'], Right: ['Egg?'] })
  await page.goto(`${shop.product.url}/?tab=print-queue&view=schedule`)
  await expect(dayOf(page, 'Left')).toContainText('Dragon')
  await expect(dayOf(page, 'Right')).toContainText('Egg')
}

/** Moves a print to a printer. The dialog for this must be open. */
async function moveTo(page: Page, name: string, printer: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: new RegExp(name) })
  await dialog.getByLabel('Printer').selectOption({ label: printer })
  await dialog.getByRole('button', { name: /^Move/ }).press('Enter')
  await expect(dialog).toBeHidden()
}

test('a person can accept the schedule of the day with one click, and can move a print with a button', async ({
  plannedShop,
  openAs,
}) => {
  const page = await openAs(plannedShop, 'staff')
  await openSchedule(page, plannedShop)
  await print(page, 'Egg').click()
  await moveTo(page, 'Egg', 'Left')
  await expect(dayOf(page, 'Left')).toContainText('Egg')
  await expect(dayOf(page, 'Right')).not.toContainText('Egg')
  expect((await scheduleOf(plannedShop))['Left']).toContain('Egg')
  const accept = page.getByRole('button', { name: /^Accept \d proposals?$/ })
  if (await accept.isVisible()) await accept.click()
  await expect(accept).toBeHidden()
  expect(
    Object.values(await scheduleOf(plannedShop))
      .flat()
      .toSorted(),
  ).toEqual(['Dragon', 'Egg'])
})

test('a scheduled print can be moved with the keyboard alone', async ({ plannedShop, openAs }) => {
  const page = await openAs(plannedShop, 'staff')
  await openSchedule(page, plannedShop)
  await print(page, 'Dragon').focus()
  await page.keyboard.press('Enter')
  await moveTo(page, 'Dragon', 'Right')
  await expect(toastOf(page).first()).toContainText('Dragon')
  await expect(dayOf(page, 'Right')).toContainText('Dragon')
  expect((await scheduleOf(plannedShop))['Right']).toContain('Dragon')
})

/** Moves the print Dragon to the printer Right by dragging it, or with its button on a phone, which has no timeline. */
async function moveToRight(page: Page): Promise<void> {
  if (isPhone()) {
    await print(page, 'Dragon').click()
    return moveTo(page, 'Dragon', 'Right')
  }
  const [from, to] = [await print(page, 'Dragon').boundingBox(), await dayOf(page, 'Right').boundingBox()]
  if (!from || !to) throw new Error('the timeline is not there')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 20, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
}

test('a scheduled print can be dragged to another printer, but a viewer cannot move it', async ({
  plannedShop,
  openAs,
}) => {
  const page = await openAs(plannedShop, 'staff')
  await openSchedule(page, plannedShop)
  await moveToRight(page)
  await expect(dayOf(page, 'Right')).toContainText('Dragon')
  await expect.poll(async () => (await scheduleOf(plannedShop))['Right']).toContain('Dragon')

  const viewer = await openAs(plannedShop, 'viewer')
  await viewer.goto(`${plannedShop.product.url}/?tab=print-queue&view=schedule`)
  await expect(dayOf(viewer, 'Right')).toContainText('Dragon')
  await expect(viewer.getByRole('button', { name: /^Move / })).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: /^Accept/ })).toHaveCount(0)
})

test('the schedule names the jobs that several printers share, because accepting the plan leaves them out', async ({
  plannedShop,
  openAs,
}) => {
  const { url } = plannedShop.product
  const { inventory_item_id: itemId } = await get<PrintJob>(
    `${url}/api/print-queue/${plannedShop.jobs.Dragon}`,
    bearer(plannedShop.staff.staff),
  )
  const job = { inventory_item_id: itemId, quantity: 2, pieces_per_plate: 1, estimated_minutes: 480 }
  const { label_code: code } = await post<PrintJob>(
    `${url}/api/print-queue`,
    { ...job, estimated_grams: 50 },
    bearer(plannedShop.staff.admin),
  )
  await expect
    .poll(() => scheduleOf(plannedShop))
    .toEqual({ Left: ['Dragon?', 'Dragon?'], Right: ['Egg?', 'Dragon?'] })
  const page = await openAs(plannedShop, 'staff')
  const address = `${url}/?tab=print-queue&view=schedule`
  await page.goto(address)
  const sentence = page.getByText(
    'Accept leaves out 1 job that several printers share: split each job over its proposed printers, or move it to one of them.',
  )
  await expect(sentence).toBeVisible()
  const accept = page.getByRole('button', { name: /^Accept \d proposals?$/ })
  await expect(accept).toHaveText('Accept 2 proposals')
  await accept.click()
  await expect(accept).toBeHidden()
  expect(await scheduleOf(plannedShop)).toEqual({ Left: ['Dragon', 'Dragon?'], Right: ['Egg', 'Dragon?'] })
  await expect(sentence).toBeVisible()
  await sentence.getByRole('link', { name: code }).click()
  await expect(page.getByText(code).first()).toBeVisible()

  const viewer = await openAs(plannedShop, 'viewer')
  await viewer.goto(address)
  await expect(dayOf(viewer, 'Right')).toContainText('Dragon')
  await expect(viewer.getByText('several printers share')).toHaveCount(0)
})
