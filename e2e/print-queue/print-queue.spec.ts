import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { bearer, get, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

// The server refuses a priority, because another person has changed the job.
test.use({ allowedProblem: /status of 412/ })

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const undo = (page: Page) => toastOf(page).getByRole('button', { name: 'Undo' }).click()
const isPhone = () => test.info().project.name === 'phone'
const row = (page: Page, name: string) =>
  page
    .getByRole(isPhone() ? 'listitem' : 'row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
const waiting = (page: Page) =>
  page
    .getByRole(isPhone() ? 'list' : 'table', { name: 'Waiting print jobs' })
    .getByRole('link')
    .filter({ visible: true })
const running = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Printing now' }).getByRole('listitem').filter({ hasText: name })

async function menuOf(page: Page, name: string): Promise<string[]> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  const items = await page.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  return items
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Starts a job that no printer of the shop can start now. */
async function startWithoutPrinter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Start ${name}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Start on a printer' })
  await expect(dialog.getByLabel('Printer')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toBeHidden()
}

async function addJob(page: Page, name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: 'Add Job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Job' })
  await dialog.getByRole('combobox', { name: 'What to print' }).fill(name)
  await expect(dialog.getByRole('option', { name: new RegExp(name) }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: 'Add to queue' }).click()
  await expect(dialog).toBeHidden()
}

test('the good pieces of a completed job go into stock, while its rejected pieces are queued again', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const name = `Queue clip ${project}`
  const late = `Later clip ${project}`
  const fields = { quantity: 2, material_used: 'PETG', color: 'Signal Orange', weight_grams: 21 }
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, ...fields }, headers)
  const lateItem = await post<InventoryItem>(`${url}/api/inventory`, { name: late, ...fields }, headers)
  const page = await openAs(filledShop, 'employee')
  await page.goto('/?tab=print-queue')

  // A job needs an item. Choosing one fills in its filament and weight.
  await page.getByRole('button', { name: 'Add Job' }).click()
  const adding = page.getByRole('dialog', { name: 'Add Job' })
  await adding.getByRole('button', { name: 'Add to queue' }).click()
  await expect(adding.getByText('Please choose what to print.')).toBeVisible()
  await adding.getByRole('combobox', { name: 'What to print' }).fill(name)
  await adding.getByRole('option', { name: new RegExp(name) }).click()
  await expect(adding.getByLabel('Material')).toHaveValue('PETG')
  await adding.getByLabel('Quantity').fill('0')
  await adding.getByLabel('Priority').fill('2')
  await adding.getByRole('button', { name: 'Add to queue' }).click()
  await expect(adding.getByText(/^Quantity must be a whole number from 1/)).toBeVisible()
  await adding.getByLabel('Quantity').fill('4')
  await expect(adding.getByText('≈ 84 g from the weight of the item')).toBeVisible()
  await adding.getByRole('button', { name: 'Add to queue' }).click()
  await expect(toastOf(page)).toContainText(`“${name}” queued, 4 pieces`)
  await addJob(page, late, { Quantity: '1', Priority: '4' })
  // The new job may be far down in the list, so the toast has a link to it.
  await toastOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('heading', { name: late, level: 1 })).toBeVisible()
  await choose(page, late, 'Edit')
  const editing = page.getByRole('dialog', { name: 'Edit job' })
  await editing.getByLabel('Notes').fill('For the fair')
  await page.keyboard.press('Escape')
  await editing.getByRole('button', { name: 'Discard' }).click()
  await expect(editing).toBeHidden()
  await page.goBack()

  // Reorder the jobs with the keyboard, or with the menu on a phone, and undo that.
  const shown = () => waiting(page).allInnerTexts()
  const isBefore = async (one: string, other: string) =>
    (await shown()).indexOf(one) < (await shown()).indexOf(other)
  await expect.poll(() => isBefore(name, late)).toBe(true)
  if (isPhone()) await choose(page, late, 'Move up')
  else {
    await page.getByRole('button', { name: `Move ${late}`, exact: true }).focus()
    await page.keyboard.press('ArrowUp')
  }
  await expect.poll(() => isBefore(late, name)).toBe(true)
  await expect(toastOf(page)).toContainText('P4 → P2')
  if (!isPhone()) await expect(page.getByRole('button', { name: `Move ${late}`, exact: true })).toBeFocused()
  await undo(page)
  await expect.poll(() => isBefore(name, late)).toBe(true)
  await expect(row(page, late)).toContainText('P4')
  if (!isPhone()) {
    // The priority can be changed in the row. Undo restores the priority and the position of the job.
    const priority = row(page, late).getByRole('button', { name: `Priority of ${late}, edit: P4` })
    const field = page.getByRole('textbox', { name: `Priority of ${late}` })
    await priority.click()
    await field.fill('0')
    await field.press('Enter')
    await expect(toastOf(page)).toContainText('Priority must be a whole number from 1 to 99')
    await field.fill('1')
    await field.press('Enter')
    await expect(toastOf(page)).toContainText(`Priority of “${late}” saved, P4 → P1`)
    await expect.poll(() => isBefore(late, name)).toBe(true)
    await undo(page)
    await expect.poll(() => isBefore(name, late)).toBe(true)
    // If another person has changed the priority in the meantime, it is not overwritten.
    await priority.click()
    const queue = await get<PrintJob[]>(`${url}/api/print-queue`, headers)
    const { id, revision } = queue.find((job) => job.inventory_item_name === late) ?? { id: '', revision: 0 }
    const changed = await fetch(`${url}/api/print-queue/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json', 'If-Match': `"${revision}"` },
      body: JSON.stringify({ notes: 'Changed by somebody else' }),
    })
    expect(changed.status).toBe(200)
    await field.fill('1')
    await field.press('Enter')
    await expect(toastOf(page)).toContainText('Somebody else has changed this in the meantime.')
    await field.press('Escape')
    await expect(priority).toBeFocused()
  }
  await choose(page, late, 'Delete')
  await expect(row(page, late)).toHaveCount(0)
  await undo(page)
  await expect(row(page, late)).toBeVisible()
  await choose(page, late, 'Delete')
  if (isPhone()) {
    await page.getByRole('button', { name: 'More about the queue' }).click()
    await page.getByRole('menuitem', { name: 'Trash' }).click()
  } else await page.getByRole('link', { name: 'Trash' }).click()
  const trashed = page
    .getByRole(isPhone() ? 'listitem' : 'row')
    .filter({ hasText: late })
    .filter({ has: page.getByRole('button', { name: /^Restore J-/ }) })
  await trashed.getByRole('button').click()
  await expect(toastOf(page)).toContainText(`“${late}” is back`)
  await expect(trashed).toHaveCount(0)
  await page.getByRole('link', { name: 'Print Queue', exact: true }).filter({ visible: true }).last().click()
  await expect(row(page, late)).toBeVisible()

  // The menu offers no action that the table of transitions forbids.
  expect(await menuOf(page, name)).not.toContain('Failed')
  await startWithoutPrinter(page, name)
  await expect(running(page, name)).toBeVisible()
  await undo(page)
  await expect(running(page, name)).toHaveCount(0)
  await startWithoutPrinter(page, name)
  await expect(running(page, name)).toBeVisible()
  const offered = await menuOf(page, name)
  expect(offered).toEqual(['Failed', 'Hold', 'Requeue', 'Edit', 'Print label', 'Cancel job'])

  // Three of four pieces are good.
  await page.getByRole('button', { name: `Complete ${name}`, exact: true }).click()
  const completing = page.getByRole('dialog', { name: 'Complete job' })
  await expect(completing.getByLabel('Good')).toHaveValue('4')
  await completing.getByLabel('Rejected').fill('1')
  await expect(completing.getByLabel('Good')).toHaveValue('3')
  await completing.getByLabel('Reason for rejection').fill('Stringing')
  await completing.getByRole('button', { name: 'Complete with 3 good' }).click()
  await expect(toastOf(page)).toContainText('3 good, 1 rejected, 3 into stock')
  await toastOf(page).getByRole('button', { name: 'Queue 1 again' }).click()
  await expect(toastOf(page)).toContainText('attempt 2')
  const [done] = await get<PrintJob[]>(`${url}/api/print-queue?status=completed`, headers)
  const again = await post<PrintJob>(`${url}/api/print-queue/${done?.id}/complete`, {}, headers)
  expect(again).toMatchObject({ id: done?.id, good_quantity: 3 })
  const stocked = await get<InventoryItem>(`${url}/api/inventory/${item.id}`, headers)
  expect(stocked.quantity).toBe(5)

  // The next attempt fails, is queued again, held, and cancelled.
  await startWithoutPrinter(page, name)
  await expect(running(page, name)).toBeVisible()
  await choose(page, name, 'Failed')
  const failing = page.getByRole('dialog', { name: 'Job failed' })
  await failing.getByRole('button', { name: 'Mark as failed' }).click()
  await expect(failing.getByText('Please enter the reason.')).toBeVisible()
  await failing.getByLabel('Reason').fill('Came loose')
  await failing.getByRole('button', { name: 'Mark as failed' }).click()
  await expect(failing).toBeHidden()
  await page.getByLabel('Status').selectOption('failed')
  await expect(page).toHaveURL(/status=failed/)
  await expect(row(page, name)).toContainText('Came loose')
  await page.getByRole('button', { name: `Requeue ${name}`, exact: true }).click()
  await expect(toastOf(page)).toContainText('attempt 3')
  await expect(page.getByRole('button', { name: `Requeue ${name}`, exact: true })).toHaveCount(0)
  await page.getByLabel('Status').selectOption('')
  // Wait for the new attempt. The list first shows the old one, whose menu would close when the new one replaces it.
  await expect(row(page, name)).toContainText('Pending')
  await choose(page, name, 'Hold')
  const holding = page.getByRole('dialog', { name: 'Hold job' })
  await holding.getByLabel('Reason').fill('seat too tight')
  await holding.getByRole('button', { name: 'Hold' }).click()
  await expect(row(page, name)).toContainText('On hold: seat too tight')
  await expect(page.getByText(/printing · \d+ waiting · \d+ on hold/)).toBeVisible()
  await page.getByRole('button', { name: `Requeue ${name}`, exact: true }).click()
  await expect(row(page, name)).toContainText('Pending')

  // The page of the job shows its history.
  await row(page, name).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history).toHaveText([/^Pending/, /^On hold.*seat too tight/, /^Pending.*Queued/])
  await choose(page, name, 'Cancel job')
  const cancelling = page.getByRole('dialog', { name: 'Cancel job' })
  await cancelling.getByRole('button', { name: 'Cancel job' }).click()
  await expect(history.first()).toContainText('Cancelled')

  // The good pieces are in stock.
  await page.goto(`/?tab=inventory&search=${encodeURIComponent(name)}`)
  await expect(page.getByRole('textbox', { name: `Quantity of ${name}` })).toHaveValue('5')
  await page.close()
  const jobs = (
    await Promise.all(
      ['pending', 'completed', 'failed', 'cancelled'].map((status) =>
        get<PrintJob[]>(`${url}/api/print-queue?status=${status}`, headers),
      ),
    )
  ).flat()
  for (const job of jobs.filter((each) => [name, late].includes(each.inventory_item_name)))
    await fetch(`${url}/api/print-queue/${job.id}`, { method: 'DELETE', headers })
  for (const { id } of [item, lateItem])
    await fetch(`${url}/api/inventory/${id}`, { method: 'DELETE', headers })
})

test('a completed job is printed again with its filament and plates, and another number of pieces', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const name = `Again clip ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, color: 'Grey' }, headers)
  const job = await post<PrintJob>(
    `${url}/api/print-queue`,
    {
      inventory_item_id: item.id,
      quantity: 6,
      pieces_per_plate: 3,
      material: 'PETG',
      color: 'Teal',
      match_strictness: 'material',
    },
    headers,
  )
  await post<PrintJob>(`${url}/api/print-queue/${job.id}/complete`, {}, headers)
  const page = await openAs(filledShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&job=${job.id}`)
  await page.getByRole('button', { name: `Print ${name} again` }).click()
  const dialog = page.getByRole('dialog', { name: 'Print again' })
  await expect(dialog.getByLabel('Quantity')).toHaveValue('6')
  await dialog.getByLabel('Quantity').fill('9')
  await dialog.getByRole('button', { name: 'Add to queue' }).click()
  await expect(toastOf(page)).toContainText(`“${name}” queued, 9 pieces`)
  await toastOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('× 9', { exact: true })).toBeVisible()
  const [again] = await get<PrintJob[]>(`${url}/api/print-queue?inventory_item_id=${item.id}`, headers)
  expect(again).toMatchObject({
    status: 'pending',
    quantity: 9,
    plates: 3,
    pieces_per_plate: 3,
    material: 'PETG',
    color: 'Teal',
    match_strictness: 'material',
    attempt: 1,
  })
})
