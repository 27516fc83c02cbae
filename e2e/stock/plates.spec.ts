import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Page } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

test('each plate of a job is counted by itself, and its completion can be undone', async ({
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
  const wanted = { inventory_item_id: item.id, quantity: 8, pieces_per_plate: 4, estimated_minutes: 180 }
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
  await dialog.getByLabel('Why rejected').fill('Layer shift')
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

  // The plate that is left counts for itself, and can be undone on the page of the job, too.
  await post(
    `${url}/api/print-queue/${job.id}/complete`,
    { plate_id: await plateOn(url, job, single, headers) },
    headers,
  )
  await page.getByRole('button', { name: 'Undo the completion of plate 1' }).click()
  await expect(plates.filter({ hasText: `Plate 4 · ${single} · 4 pieces` })).toBeVisible()
  expect((await get<InventoryItem>(`${url}/api/inventory/${item.id}`, headers)).quantity).toBe(3)
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
