import type { Spool } from '@pegasus/contracts/filament/spools'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { bearer, get, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

/** Number of printers. One response of the server does not contain them all. */
const PRINTERS = 250

/** Starts a shop with the printers `Printer 001` to `Printer 250`. Each has one empty slot. */
const test = base.extend<{ largeShop: StaffedShop }>({
  largeShop: async ({}, use) => {
    const shop = await openShop()
    await shop.database.sql`
      with added as (
        insert into printers (id, name, kind, created_at, updated_at)
        select gen_random_uuid(), 'Printer ' || lpad(n::text, 3, '0'), 'manual', now(), now()
        from generate_series(1, ${PRINTERS}) n
        returning id
      )
      insert into printer_slots (printer_id, slot) select id, 1 from added`
    await use({ ...shop, staff: await hireStaff(shop.product.url) })
    await shop.close()
  },
})

test('a person can load a spool into every printer of a large floor', async ({
  largeShop,
  openAs,
  isMobile,
}) => {
  const { url } = largeShop.product
  const headers = bearer(largeShop.staff.staff)
  const spool = await post<Spool>(
    `${url}/api/filament`,
    { material: 'PETG', color: 'Teal', brand: 'Prusament', weight_grams: 1000 },
    headers,
  )
  const [last] = await get<Printer[]>(`${url}/api/printers?search=Printer+250`, headers)
  const [next] = await get<Printer[]>(`${url}/api/printers?search=Printer+249`, headers)
  await post(`${url}/api/printers/${last?.id}/load`, { slot: 1, filament_id: spool.id }, headers)

  const page = await openAs(largeShop, 'staff')
  await page.goto(`${url}/?tab=filament&spool=${spool.id}`)
  if (isMobile) await page.getByRole('button', { name: `More for ${spool.label_code}` }).click()
  await page.getByRole(isMobile ? 'menuitem' : 'button', { name: 'Load into a printer' }).click()
  const dialog = page.getByRole('dialog', { name: `Load ${spool.label_code}` })
  await expect(dialog.getByText('Now in Printer 250. Loading moves it.')).toBeVisible()
  const field = dialog.getByRole('combobox', { name: 'Printer' })
  await field.fill('no such printer')
  await expect(dialog.getByText('No printer matches “no such printer”.')).toBeVisible()
  await field.fill('249')
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await field.press('Enter')
  await expect(dialog.getByText('Printer 249')).toBeVisible()
  await dialog.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const after = await get<Printer[]>(`${url}/api/printers?filament_id=${spool.id}`, headers)
  expect(after.map(({ id }) => id)).toEqual([next?.id])
})

test('a large floor shows the printers that need a person first, and a job and the schedule stay usable', async ({
  largeShop,
  openAs,
}) => {
  const { url } = largeShop.product
  const { sql } = largeShop.database
  const headers = bearer(largeShop.staff.staff)
  for (const [name, state] of [
    ['Printer 250', 'error'],
    ['Printer 240', 'needs_clearing'],
    ['Printer 230', 'paused'],
  ] as const)
    await sql`update printers set state = ${state} where name = ${name}`
  const page = await openAs(largeShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&view=printers`)
  const names = page.getByRole('list', { name: 'Printers' }).getByRole('heading', { level: 3 })
  await expect(names.nth(4)).toBeVisible()
  expect((await names.allTextContents()).slice(0, 5)).toEqual([
    'Printer 250',
    'Printer 240',
    'Printer 230',
    'Printer 001',
    'Printer 002',
  ])
  await expect(page.getByRole('link', { name: '3 need a person' })).toBeVisible()
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(names.filter({ hasText: 'Printer 249' })).toBeVisible({ timeout: 500 })
  }).toPass()

  const item = await post<{ id: string }>(`${url}/api/inventory`, { name: 'Hook', sku: 'HOOK' }, headers)
  const aJob = (material: string | null) =>
    post<PrintJob>(
      `${url}/api/print-queue`,
      { inventory_item_id: item.id, quantity: 1, estimated_minutes: 60, material },
      headers,
    )
  const [hook, ultem] = [await aJob(null), await aJob('Ultem')]
  const [chosen] = await get<Printer[]>(`${url}/api/printers?search=Printer+240`, headers)
  await post(`${url}/api/print-queue/${hook.id}/assign`, { printer_id: chosen?.id }, headers)
  await page.goto(`${url}/?tab=print-queue&job=${hook.id}`)
  const rows = page.getByRole('listitem').filter({ hasText: /^Printer \d{3}/ })
  await expect(rows).toHaveCount(11)
  await expect(rows.last()).toContainText('Printer 240')
  await page.getByRole('button', { name: 'Show all 250 printers' }).click()
  await expect(rows).toHaveCount(PRINTERS)
  await expect(page.getByRole('button', { name: 'Show all 250 printers' })).toHaveCount(0)

  await page.goto(`${url}/?tab=print-queue&view=schedule`)
  await page.getByRole('link', { name: '1 job is not planned' }).click()
  await expect(
    page.getByRole('link', { name: 'Hook' }).and(page.locator(`[href*="${ultem.id}"]`)),
  ).toBeInViewport()
})
