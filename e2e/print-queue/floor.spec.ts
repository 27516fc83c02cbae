import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Page } from '@playwright/test'
import { bearer, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

/** Starts a new shop for each test, because the tests count all its printers. */
const test = base.extend<{ freshShop: StaffedShop }>({
  freshShop: async ({}, use) => {
    const shop = await openShop()
    await use({ ...shop, staff: await hireStaff(shop.product.url) })
    await shop.close()
  },
})

const isPhone = () => test.info().project.name === 'phone'

const namesOn = (page: Page) =>
  page.getByRole('list', { name: 'Printers' }).getByRole('heading', { level: 3 })
const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

/** Adds three available printers. */
async function addPrinters({ product: { url }, staff }: StaffedShop) {
  const headers = bearer(staff.staff)
  const printers: Printer[] = []
  for (const name of ['Anvil', 'Bellows', 'Crucible'])
    printers.push(await post<Printer>(`${url}/api/printers`, { name }, headers))
  const [anvil, bellows, crucible] = printers.map(({ id }) => id)
  const report = (id: string | undefined, path: string, body?: object) =>
    post<Printer>(`${url}/api/printers/${id}/${path}`, body ?? {}, headers)
  return { anvil, bellows, crucible, report }
}

const AN_HOUR_AGO = () => ({ until: new Date(Date.now() - 3_600_000).toISOString() })

test('the floor shows the printers that need a person first, and moves no card that a person points at or uses', async ({
  freshShop,
  openAs,
}) => {
  const { url } = freshShop.product
  const { bellows, crucible, report } = await addPrinters(freshShop)
  await report(bellows, 'maintenance', AN_HOUR_AGO())
  const page = await openAs(freshShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&view=printers`)
  await expect(namesOn(page)).toHaveText(['Bellows', 'Anvil', 'Crucible'])
  await expect(page.getByRole('link', { name: '1 needs a person' })).toBeVisible()

  // While this person uses a card, another person changes the state of its printer.
  const link = card(page, 'Anvil').getByRole('link', { name: 'Anvil' })
  if (isPhone()) {
    // A screen reader on a phone moves the focus without a pointer, as the keyboard does.
    await page.keyboard.press('Tab')
    await link.focus()
  } else await link.hover()
  await report(crucible, 'maintenance', AN_HOUR_AGO())
  await expect(card(page, 'Crucible')).toContainText('Maintenance')
  await expect(page.getByRole('link', { name: '2 need a person' })).toBeVisible()
  await expect(namesOn(page)).toHaveText(['Bellows', 'Anvil', 'Crucible'])
  if (isPhone()) await link.blur()
  else await page.mouse.move(0, 0)
  await expect(namesOn(page)).toHaveText(['Bellows', 'Crucible', 'Anvil'])

  await page.getByRole('link', { name: '2 need a person' }).click()
  await expect(namesOn(page)).toHaveText(['Bellows', 'Crucible'])
  await page.goto(`${url}/?tab=print-queue&view=printers&sort=name`)
  await expect(namesOn(page)).toHaveText(['Anvil', 'Bellows', 'Crucible'])
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveCount(isPhone() ? 0 : 1)
})

test('a dialog of a card stays open while the printers around it change their states', async ({
  freshShop,
  openAs,
}) => {
  const { url } = freshShop.product
  const { anvil, bellows, crucible, report } = await addPrinters(freshShop)
  const page = await openAs(freshShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&view=printers`)
  await expect(namesOn(page)).toHaveText(['Anvil', 'Bellows', 'Crucible'])
  await page.getByRole('button', { name: 'More for Crucible' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Crucible' })
  await editing.getByLabel('Name').fill('Crucible of the cellar')
  for (const id of [anvil, bellows, crucible]) await report(id, 'maintenance', AN_HOUR_AGO())
  await expect(page.getByText('3 need a person')).toBeAttached()
  await expect(editing.getByLabel('Name')).toHaveValue('Crucible of the cellar')
  await report(anvil, 'resume')
  await expect(page.getByText('2 need a person')).toBeAttached()
  await expect(editing.getByLabel('Name')).toHaveValue('Crucible of the cellar')
  await editing.getByRole('button', { name: 'Cancel' }).click()
  await expect(namesOn(page)).toHaveText(['Bellows', 'Crucible', 'Anvil'])
})

test.describe('a used printer', () => {
  // The server refuses to enter more hours than the printer has printed.
  test.use({ allowedProblem: /status of 422/ })

  test('a person enters the hours of a used printer, and when its maintenance was last done', async ({
    freshShop,
    openAs,
  }) => {
    const { url } = freshShop.product
    await addPrinters(freshShop)
    const page = await openAs(freshShop, 'staff')
    await page.goto(`${url}/?tab=print-queue&view=printers`)
    await page.getByRole('button', { name: 'More for Anvil' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Hours so far')).toHaveValue('0')
    await dialog.getByLabel('Hours so far').fill('8000')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Anvil saved', { exact: true })).toBeVisible()
    await card(page, 'Anvil').getByRole('link', { name: 'Anvil' }).click()
    await expect(page.getByText('8,000 hours printed')).toBeVisible()

    await page.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog).toContainText('Now: 8,000 h')
    await dialog.getByLabel('Work').fill('New nozzle')
    await dialog.getByLabel('Every … hours').fill('400')
    await dialog.getByLabel('Last done on').fill('2026-01-05')
    await dialog.getByLabel('Hours printed by then').fill('8001')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog).toContainText('The printer has printed only 8000 hours so far')
    await dialog.getByLabel('Hours printed by then').fill('7700')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog).toBeHidden()
    const plan = page.getByRole('list', { name: 'Maintenance plans' }).getByRole('listitem')
    await expect(plan).toContainText('100 h left, about')
    await expect(plan).toContainText('every 400 h · last Jan 5, 2026, at 7,700 h')

    await plan.getByRole('button', { name: 'Change the plan New nozzle' }).click()
    await expect(dialog.getByLabel('Last done on')).toHaveValue('2026-01-05')
    await dialog.getByLabel('Hours printed by then').fill('7500')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(plan).toContainText('100 h overdue')
    await expect(plan).toContainText('Due')
  })
})

test('the dashboard lists the printers that wait for a person, and an address opens the dialog of their step', async ({
  freshShop,
  openAs,
}) => {
  const { url } = freshShop.product
  const { anvil, bellows, report } = await addPrinters(freshShop)
  await report(bellows, 'maintenance', AN_HOUR_AGO())
  // A shop without any items and models would show the first steps instead.
  await post(`${url}/api/inventory`, { name: 'Egg', sku: 'EGG', quantity: 4 }, bearer(freshShop.staff.staff))
  const page = await openAs(freshShop, 'staff')
  await page.goto(url)
  const today = page.getByRole('list', { name: 'Needs you today' })
  await expect(today.getByRole('listitem').first()).toContainText('Bellows waits for maintenance')
  await today.getByRole('link', { name: 'Open: Bellows waits for maintenance' }).click()
  await expect(page.getByRole('heading', { name: 'Bellows', level: 1 })).toBeVisible()

  await page.goto(`${url}/?tab=print-queue&view=printers&printer=${anvil}&do=load`)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Anvil')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/do=load/)

  // The printer no longer waits for this step when the address is opened, so the page does not offer it.
  await page.goto(`${url}/?tab=print-queue&view=printers&printer=${anvil}&do=clear`)
  await expect(page).not.toHaveURL(/do=clear/)
  await expect(dialog).toHaveCount(0)
})
