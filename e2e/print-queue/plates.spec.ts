import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Page } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { PHOTO } from '../support/photo.ts'
import { test } from '../support/staffed-shop.ts'

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a person can count each plate of a job separately, and undo its completion', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const name = `Plate dragon ${project}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, quantity: 3 }, headers)
  const spool = (material: string) =>
    post<Spool>(`${url}/api/filament`, { material, color: 'White', weight_grams: 1000 }, headers)
  const [left, right] = [await spool('PLA'), await spool('PETG')]
  const tools = [
    { slot: 1, filament_id: left.id },
    { slot: 2, filament_id: right.id },
  ]
  const [single, double] = [`Single ${project}`, `Double ${project}`]
  await post<Printer>(`${url}/api/printers`, { name: double, slots: tools }, headers)
  const wanted = {
    inventory_item_id: item.id,
    quantity: 8,
    pieces_per_plate: 4,
    estimated_minutes: 180,
    priority: 5,
  }
  const job = await post<PrintJob>(`${url}/api/print-queue`, wanted, headers)
  for (const printer of [single, double])
    await post(`${url}/api/print-queue/${job.id}/start`, { printer }, headers)

  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=print-queue&job=${job.id}`)
  await page.getByRole('button', { name: `Complete ${name}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Complete plate' })
  await expect(dialog.getByLabel('Good')).toHaveValue('4')
  await dialog.getByLabel('Plate', { exact: true }).selectOption({ label: `Plate 2 · ${double} · 4 pieces` })
  await dialog.getByLabel('Rejected').fill('1')
  await dialog.getByLabel('Reason for rejection').fill('Layer shift')
  await dialog.getByLabel('Filament of slot 1').fill('30.5')
  await dialog.getByLabel('Filament of slot 2').fill('4')
  await dialog.getByLabel('Print time').fill('95')
  await dialog.getByRole('button', { name: 'Complete with 3 good' }).click()
  await expect(toastOf(page)).toContainText('3 good, 1 rejected, 3 into stock')

  const plates = page.getByRole('listitem')
  await expect(
    plates.filter({ hasText: `Plate 2 · ${double} · 3 good, 1 rejected · Layer shift` }),
  ).toBeVisible()
  const shown = await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headers)
  expect(shown).toMatchObject({
    status: 'in_progress',
    good_quantity: 3,
    used_grams: 34.5,
    print_minutes: 95,
  })
  expect((await get<Spool>(`${url}/api/filament/${right.id}`, headers)).remaining_grams).toBe(996)

  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(plates.filter({ hasText: `Plate 3 · ${double} · 4 pieces` })).toBeVisible()
  expect((await get<InventoryItem>(`${url}/api/inventory/${item.id}`, headers)).quantity).toBe(3)
  expect((await get<Spool>(`${url}/api/filament/${right.id}`, headers)).remaining_grams).toBe(1000)

  // Count the other plate. Its completion can be undone on the page of the job.
  await post(
    `${url}/api/print-queue/${job.id}/complete`,
    { plate_id: await plateOn(url, job, single, headers) },
    headers,
  )
  await page.getByRole('button', { name: 'Undo the completion of plate 1' }).click()
  await expect(plates.filter({ hasText: `Plate 4 · ${single} · 4 pieces` })).toBeVisible()
  expect((await get<InventoryItem>(`${url}/api/inventory/${item.id}`, headers)).quantity).toBe(3)
})

test('a person can divide, split and merge a job, and can pause or fail a plate', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const name = `Floor dragon ${project}`
  const printer = `Floor ${project}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, quantity: 0 }, headers)
  const wanted = { inventory_item_id: item.id, quantity: 8, estimated_minutes: 600, priority: 5 }
  const job = await post<PrintJob>(`${url}/api/print-queue`, wanted, headers)
  await post<Printer>(`${url}/api/printers`, { name: printer }, headers)

  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=print-queue&job=${job.id}`)
  await choose(page, name, 'Edit')
  const editing = page.getByRole('dialog', { name: 'Edit job' })
  await editing.getByLabel('Pieces per plate').fill('4')
  await editing.getByLabel('Filament must match').selectOption({ label: 'Same material' })
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 plates of 4 not started yet')).toBeVisible()
  const saved = await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headers)
  expect(saved).toMatchObject({ pieces_per_plate: 4, match_strictness: 'material', plates: 2 })

  await choose(page, name, 'Split')
  const splitting = page.getByRole('dialog', { name: 'Split job' })
  await splitting.getByLabel('Pieces for the new job').fill('8')
  await splitting.getByRole('button', { name: 'Split job' }).click()
  await expect(splitting.getByText('At most 7 pieces can be split off.')).toBeVisible()
  await splitting.getByLabel('Pieces for the new job').fill('3')
  await splitting.getByRole('button', { name: 'Split job' }).click()
  await expect(toastOf(page)).toContainText('3 pieces of')
  const history = page.getByRole('list', { name: 'History' })
  await expect(history.getByText('3 pieces were split off as')).toBeVisible()
  await choose(page, name, 'Merge')
  const merging = page.getByRole('dialog', { name: 'Merge jobs' })
  await merging.getByRole('button', { name: 'Merge jobs' }).click()
  await expect(history.getByText('were added.')).toBeVisible()
  expect(await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headers)).toMatchObject({ quantity: 8 })
  await history.getByRole('link').first().click()
  await expect(history.getByText(`3 pieces were added to ${job.label_code}.`)).toBeVisible()
  await page.goBack()

  await post(`${url}/api/print-queue/${job.id}/start`, { printer }, headers)
  await page.getByRole('button', { name: 'Pause plate 1' }).click()
  await expect(toastOf(page)).toContainText('is paused')
  await page.getByRole('button', { name: 'Resume plate 1' }).click()
  await expect(toastOf(page)).toContainText('is printing again')

  await page.goto(`${url}/?tab=print-queue&view=printers`)
  const card = page.getByRole('article').filter({ hasText: printer })
  // The job is estimated for two plates, and one plate takes half of that time.
  await expect(card).toContainText(/5 h 00 min left|4 h 59 min left/)
  await expect(card.getByRole('progressbar', { name: `Progress of ${printer}` })).toBeVisible()
  await choose(page, printer, 'Photo')
  const photo = page.getByRole('dialog', { name: `Photo of ${printer}` })
  await photo.getByLabel('Photo', { exact: true }).setInputFiles(PHOTO)
  await photo.getByRole('button', { name: 'Save' }).click()
  await expect(toastOf(page)).toContainText(`${printer} has a new photo`)
  await expect(card.locator('img[src*="/photo?"]')).toBeVisible()
  await choose(page, printer, 'Photo')
  await photo.getByRole('button', { name: 'Remove photo' }).click()
  await expect(card.locator('img[src*="/photo?"]')).toHaveCount(0)
  await card.getByRole('button', { name: `Failed on ${printer}` }).click()
  const failing = page.getByRole('dialog', { name: `Failed on ${printer}` })
  await failing.getByRole('button', { name: 'Mark as failed' }).click()
  await expect(failing.getByText('Please enter the reason.')).toBeVisible()
  await failing.getByLabel('Reason').fill('Came loose')
  await failing.getByRole('button', { name: 'Mark as failed' }).click()
  await expect(toastOf(page)).toContainText('failed: Came loose. It is printed again')
  await expect(card.getByText('Available')).toBeVisible()
  const waiting = await get<PrintJob>(`${url}/api/print-queue/${job.id}`, headers)
  expect(waiting).toMatchObject({ status: 'pending', failure_reason: 'Came loose', missing_quantity: 8 })
})

async function plateOn(
  url: string,
  job: PrintJob,
  printer: string,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const plates = await get<{ id: string; printer: string }[]>(
    `${url}/api/print-queue/${job.id}/plates`,
    headers,
  )
  return plates.find((plate) => plate.printer === printer)?.id
}
