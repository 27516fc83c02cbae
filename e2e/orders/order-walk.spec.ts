import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import type { Page } from '@playwright/test'
import { startShop } from '../../examples/main-site/shop.ts'
import { bearer, get, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { findFreePort } from '../support/harness.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

const ADMIN_KEY = 'a-key-of-the-example-shop'
const WEBHOOK_SECRET = 'a-secret-of-the-example-shop'

interface TradingShop extends StaffedShop {
  siteUrl: string
}

/** A product and the example shop, which tell each other of orders, parcels and stock. */
const test = base.extend<{ tradingShop: TradingShop }>({
  tradingShop: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'pegasus-main-site-'))
    const port = await findFreePort()
    const site = await startShop({
      host: '127.0.0.1',
      port: 0,
      file: join(folder, 'shop.json'),
      adminKey: ADMIN_KEY,
      adminHeader: 'x-admin-key',
      opsUrl: `http://127.0.0.1:${port}`,
      currency: 'USD',
      webhookSecret: WEBHOOK_SECRET,
    })
    const shop = await openShop({
      PORT: String(port),
      MAIN_SITE_URL: site.url,
      MAIN_SITE_ADMIN_KEY: ADMIN_KEY,
      MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    })
    await use({ ...shop, staff: await hireStaff(shop.product.url), siteUrl: site.url })
    await shop.close()
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  },
})

const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 20,
  stock: 25,
  description: 'Breathes fire.',
  images: ['https://cdn.example/dragon.jpg'],
  license: 'cc0',
}

async function buy(siteUrl: string, quantity: number): Promise<void> {
  const answer = await fetch(`${siteUrl}/products/dragon/checkout`, {
    method: 'POST',
    body: new URLSearchParams({
      quantity: String(quantity),
      customer: 'Ada Lovelace',
      email: 'ada@example.com',
      line1: '12 Square',
      postal_code: 'SW1Y',
      city: 'London',
      country: 'GB',
    }),
  })
  expect(answer.status).toBe(201)
}

/** Scans with the keyboard, as handheld scanners do. */
async function scan(page: Page, code: string): Promise<void> {
  const field = page.getByRole('dialog', { name: /^Pick / }).getByLabel('Code')
  await field.fill(code)
  await field.press('Enter')
}

test('an order of the shop: it arrives live, three are on the shelf, seven are printed, it is picked, shipped, and in the report', async ({
  tradingShop,
  openAs,
}) => {
  test.setTimeout(180_000)
  const { siteUrl, staff } = tradingShop
  const { url } = tradingShop.product
  const headers = bearer(staff.staff)
  const item = await post<InventoryItem>(
    `${url}/api/inventory`,
    { name: 'Dragon', sku: 'DRG', quantity: 3, material_cost: 2, labor_cost: 0, print_time_minutes: 60 },
    headers,
  )
  const other = await post<InventoryItem>(`${url}/api/inventory`, { name: 'Egg', quantity: 1 }, headers)
  const product = { ...DRAGON, inventory_item_id: item.id }
  const published = await post<PublishedProduct>(`${url}/api/admin/products`, product, headers)
  expect(published.status).toBe('published')
  const stockAtShop = async () => {
    const answer = await fetch(`${siteUrl}/api/admin/products/dragon`, {
      headers: { 'x-admin-key': ADMIN_KEY },
    })
    return ((await answer.json()) as { stock: number }).stock
  }
  // The typed stock of 25 was sent with the product; the real one follows.
  await expect.poll(stockAtShop, { timeout: 20_000 }).toBe(3)
  // Prints on demand are sold as well: somebody offers more than is on the shelf.
  await fetch(`${siteUrl}/api/admin/stock`, {
    method: 'PUT',
    headers: { 'x-admin-key': ADMIN_KEY },
    body: JSON.stringify({ products: [{ slug: 'dragon', stock: 20 }] }),
  })

  const page = await openAs(tradingShop, 'staff')
  await page.goto(`${url}/?tab=orders`)
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await buy(siteUrl, 10)
  const row = page.getByRole('link', { name: /WEB-00001|Ada Lovelace/ }).first()
  await expect(row).toBeVisible({ timeout: 5000 })
  await row.click()
  await expect(page.getByRole('heading', { name: 'WEB-00001' })).toBeVisible()
  await expect(page.getByText('10 ordered = 3 in stock + 7 missing', { exact: true })).toBeVisible()
  await expect(page.getByText('$204.90', { exact: true })).toBeVisible()
  await expect(page.getByText('12 Square', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Reserve 3 pieces' }).click()
  await expect(page.getByText('10 ordered = 3 reserved + 7 missing', { exact: true })).toBeVisible()

  const [order] = await get<{ id: string }[]>(`${url}/api/orders`, headers)
  const job = await post<PrintJob>(
    `${url}/api/print-queue`,
    { inventory_item_id: item.id, quantity: 8, order_id: order?.id },
    headers,
  )
  await expect(page.getByText('10 ordered = 3 reserved + 7 being printed', { exact: true })).toBeVisible()
  for (const step of ['start', 'complete'])
    await post(`${url}/api/print-queue/${job.id}/${step}`, {}, headers)
  await expect(page.getByText('10 ordered = 3 reserved + 7 in stock', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Pick', exact: true }).click()
  const picking = page.getByRole('dialog', { name: 'Pick WEB-00001' })
  await scan(page, other.sku)
  await expect(picking.getByText('“Egg” is not in this order.')).toBeVisible()
  for (let piece = 1; piece <= 10; piece += 1) {
    await scan(page, 'drg')
    await expect(picking.getByRole('status')).toHaveText(`${piece} of 10 pieces picked`)
  }
  await scan(page, item.label_code)
  await expect(picking.getByText('All pieces of “Dragon” are picked already.')).toBeVisible()
  await picking.getByRole('button', { name: 'Ship all' }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship WEB-00001' })
  await shipping.getByLabel('Carrier').fill('DHL')
  await shipping.getByLabel('Tracking number').fill('JD01')
  await shipping.getByRole('button', { name: 'Ship 10 pieces' }).click()
  await expect(page.getByText('10 ordered = 10 shipped', { exact: true })).toBeVisible()
  await expect(page.getByText('Completed', { exact: true })).toBeVisible()

  await expect(page.getByText('The shop knows of it.', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect
    .poll(async () => (await fetch(`${siteUrl}/admin/orders`)).text(), { timeout: 20_000 })
    .toContain('<td>Sent DHL JD01</td>')
  await expect.poll(stockAtShop, { timeout: 20_000 }).toBe(1)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Packing slip of shipment 1' }).click()
  expect((await download).suggestedFilename()).toBe('packing-slip-WEB-00001.pdf')

  await page.goto(`${url}/?tab=orders&sales=product`)
  const sales = page.getByRole('row', { name: /Dragon/ })
  await expect(sales).toContainText('$200.00')
  await sales.getByRole('button', { name: 'Dragon' }).click()
  await expect(page.getByRole('link', { name: 'WEB-00001' })).toBeVisible()
})

test('an unknown SKU is mapped to a set from the inbox, and its parts are counted', async ({
  tradingShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { url } = tradingShop.product
  const headers = bearer(tradingShop.staff.staff)
  for (const [name, sku] of [
    ['Dragon', 'DRG'],
    ['Egg', 'EGG'],
  ] as const)
    await post<InventoryItem>(`${url}/api/inventory`, { name, sku, quantity: 4 }, headers)
  const items = [
    { sku: 'NEST', name: 'A nest', quantity: 3, unit_price: 30 },
    { sku: 'WRAP', name: 'Gift wrap', quantity: 1, unit_price: 2 },
  ]
  await post(`${url}/api/orders`, { order_number: 'SET-1', customer_name: 'Ada', items }, headers)
  const page = await openAs(tradingShop, 'staff')
  await page.goto(`${url}/?tab=orders`)
  await page.getByRole('link', { name: '2 unknown SKUs', exact: true }).click()
  await page.getByRole('button', { name: 'Map NEST' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is NEST?' })
  await dialog.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(dialog.getByText('Choose at least one item.')).toBeVisible()
  for (const name of ['Dragon', 'Egg']) {
    await dialog.getByRole('combobox', { name: 'Items' }).fill(name)
    await expect(dialog.getByRole('option', { name: new RegExp(name) })).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await dialog.getByLabel('Pieces of Egg').fill('2')
  await dialog.getByRole('button', { name: 'Map to a set' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Ignore WRAP' }).click()
  await expect(page.getByRole('heading', { name: 'Every SKU is known' })).toBeVisible()
  await page.getByRole('radio', { name: 'Mapped' }).click()
  await expect(page.getByText('= 1 × Dragon DRG + 2 × Egg EGG')).toBeVisible()
  await page.getByRole('radio', { name: 'Ignored' }).click()
  await expect(page.getByText('WRAP', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await page
    .getByRole('link', { name: /SET-1|Ada/ })
    .first()
    .click()
  await expect(page.getByText('3 ordered = 2 in stock + 1 missing', { exact: true })).toBeVisible()
  await expect(page.getByText('6 ordered = 4 in stock + 2 missing', { exact: true })).toBeVisible()
  await expect(page.getByText('Not kept in stock', { exact: true })).toBeVisible()
})
