import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { SalesRow } from '@pegasus/contracts/orders/sales'
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

/** Starts a product and the example shop. They exchange orders, parcels and stock. */
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

/** Buys in the storefront, as a customer does. */
async function buy(storefront: Page, siteUrl: string, quantity: number): Promise<void> {
  await storefront.goto(siteUrl)
  await storefront.getByRole('link', { name: /Dragon/ }).click()
  await expect(storefront.getByText('3 in stock. More are printed to order.')).toBeVisible()
  for (const [label, text] of [
    ['Pieces', String(quantity)],
    ['Your name', 'Ada Lovelace'],
    ['Street and number', '12 Square'],
    ['Postal code', 'SW1Y'],
    ['City', 'London'],
    ['Country', 'GB'],
    ['Your email', 'ada@example.com'],
  ] as const)
    await storefront.getByLabel(label).fill(text)
  await storefront.getByRole('button', { name: /^Order/ }).click()
  await expect(storefront.getByText('Your order WEB-00001 has been placed.')).toBeVisible()
}

const dollars = (amount = 0): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount)

/** Scans a code like a handheld scanner, by typing it. */
async function scan(page: Page, code: string): Promise<void> {
  const field = page.getByRole('dialog', { name: /^Pick / }).getByLabel('Code')
  await field.fill(code)
  await field.press('Enter')
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('people can fill an order of the storefront from stock and by printing, pick it on a phone, and ship it', async ({
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
  // The product was published with a stock of 25. The server then sends the real stock.
  await expect.poll(stockAtShop).toBe(3)

  const page = await openAs(tradingShop, 'staff')
  // Replace the picture and the icon of the storefront, which come from elsewhere.
  await page
    .context()
    .route(/cdn\.example|favicon\.ico/, (route) => route.fulfill({ contentType: 'image/png', body: '' }))
  await page.goto(`${url}/?tab=orders`)
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await expect(page.getByText('New order enters an order by hand.')).toBeVisible()
  let loads = 0
  page.on('load', () => (loads += 1))
  const storefront = await page.context().newPage()
  await buy(storefront, siteUrl, 10)
  await page.bringToFront()
  const row = page.getByRole('link', { name: /WEB-00001|Ada Lovelace/ }).first()
  await expect(row).toBeVisible()
  expect(loads).toBe(0)
  await row.click()
  await expect(page.getByRole('heading', { name: 'WEB-00001' })).toBeVisible()
  await expect(page.getByText('10 ordered = 3 in stock + 7 missing', { exact: true })).toBeVisible()
  await expect(page.getByText('$204.90', { exact: true })).toBeVisible()
  await expect(page.getByText('12 Square', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'ada@example.com' })).toBeVisible()
  await page.getByRole('button', { name: 'Reserve 3 pieces' }).click()
  const sum = (text: string) => page.getByText(`10 ordered = ${text}`, { exact: true })
  await expect(sum('3 reserved + 7 missing')).toBeVisible()
  await sum('3 reserved + 7 missing').click()
  await expect(page.getByText(/^3 reserved · .* · /)).toBeVisible()
  await expect(page.getByText('7 missing · neither in stock nor in the print queue')).toBeVisible()
  await expect(page.getByText('Reserved: 3 × Dragon', { exact: true })).toBeVisible()

  // On the page of the order, print the missing pieces and one more for the shelf.
  const orderAddress = page.url()
  await page.getByRole('link', { name: 'Print 7 of Dragon', exact: true }).click()
  const adding = page.getByRole('dialog', { name: 'Add Job' })
  await expect(adding.getByLabel('Quantity')).toHaveValue('7')
  await adding.getByLabel('Quantity').fill('8')
  await adding.getByRole('button', { name: 'Add to queue' }).click()
  await expect(adding).toBeHidden()
  await page.goto(orderAddress)
  const [job] = await get<PrintJob[]>(`${url}/api/print-queue`, headers)
  expect(job?.quantity).toBe(8)
  await sum('3 reserved + 7 in the print queue').click()
  // The details of the line and the history link to the job. The page does not propose to leave out the extra piece.
  await expect(page.getByRole('link', { name: String(job?.label_code) })).toHaveCount(2)
  await expect(page.getByText(/pieces needed/)).toHaveCount(0)
  for (const step of ['start', 'complete'])
    await post(`${url}/api/print-queue/${job?.id}/${step}`, {}, headers)
  const printed = page.getByRole('listitem').filter({ hasText: /Printed: 8 × Dragon/ })
  await expect(printed.getByRole('link', { name: String(job?.label_code) })).toBeVisible()
  await expect(sum('3 reserved + 7 in stock')).toBeVisible()
  await expect(page.getByText('Ready to pack', { exact: true })).toBeVisible()

  const window = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Pick', exact: true }).click()
  const picking = page.getByRole('dialog', { name: 'Pick WEB-00001' })
  await scan(page, other.sku)
  await expect(picking.getByText('“Egg” is not in this order.')).toBeVisible()
  for (let piece = 1; piece <= 10; piece += 1) {
    await scan(page, 'drg')
    await expect(picking.getByRole('status').filter({ hasText: 'picked' })).toHaveText(
      `${piece} of 10 pieces picked`,
    )
  }
  await scan(page, item.label_code)
  await expect(picking.getByText('All pieces of “Dragon” are already picked.')).toBeVisible()
  await picking.getByRole('button', { name: 'Ship all' }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship WEB-00001' })
  await shipping.getByLabel('Carrier').fill('DHL')
  await shipping.getByLabel('Tracking number').fill('JD01')
  await shipping.getByRole('button', { name: 'Ship 10 pieces' }).click()
  await expect(sum('10 shipped')).toBeVisible()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  // On the page of a completed order, there is still a main action, even on a phone.
  await expect(page.getByRole('button', { name: 'Packing slip', exact: true })).toBeVisible()
  if (window) await page.setViewportSize(window)

  await expect(page.getByText('Reported to the shop.', { exact: true })).toBeVisible()
  await storefront.goto(`${siteUrl}/admin/orders`)
  await expect(storefront.getByRole('cell', { name: 'Sent DHL JD01' })).toBeVisible()
  await expect.poll(stockAtShop).toBe(1)
  await storefront.goto(`${siteUrl}/products/dragon`)
  await expect(storefront.getByText('1 in stock. More are printed to order.')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Packing slip of shipment 1' }).click()
  expect((await download).suggestedFilename()).toBe('packing-slip-WEB-00001.pdf')

  const [month] = await get<SalesRow[]>(`${url}/api/reports/sales?by=month`, headers)
  expect(month).toMatchObject({ revenue: 200, pieces: 10, returns: 0, pieces_without_cost: 0 })
  expect(month?.cost).toBeGreaterThan(0)
  expect(month?.margin).toBeCloseTo(200 - (month?.cost ?? 0))
  await page.goto(`${url}/?tab=orders&sales=month`)
  const sales = page.getByRole('table').getByRole('row').nth(1)
  await expect(sales).toContainText('$200.00')
  await expect(sales).toContainText(dollars(month?.margin))
  // Each figure in the row opens the lines that it consists of. A phone does not show the number of pieces.
  for (const [figure, text] of [
    ['Cost', dollars(month?.cost)] as const,
    test.info().project.name === 'phone' ? (['Revenue', '$200.00'] as const) : (['Pieces', '10'] as const),
  ]) {
    await sales.getByRole('button', { name: new RegExp(`^${figure} of `) }).click()
    const lines = page.getByRole('region', { name: new RegExp(`^${figure}, \\w+ \\d{4}$`) })
    await expect(lines.getByRole('row', { name: /^Sum/ })).toContainText(text)
    await expect(lines.getByRole('row', { name: /Dragon/ })).toContainText(text)
  }
  await page.getByRole('button', { name: `Margin of the period: ${dollars(month?.margin)}` }).click()
  const lines = page.getByRole('region', { name: 'Margin, the whole period' })
  const csv = page.waitForEvent('download')
  await lines.getByRole('button', { name: 'Lines as CSV' }).click()
  expect((await csv).suggestedFilename()).toBe('pegasus-ops-sales-lines.csv')
  const chart = page.getByRole('slider', { name: 'Revenue, margin and pieces by month' })
  await chart.focus()
  await expect(chart).toHaveAttribute('aria-valuetext', /Revenue \$200\.00.*Pieces 10/)
  await lines.getByRole('link', { name: 'WEB-00001' }).click()
  await expect(page.getByRole('heading', { name: 'WEB-00001' })).toBeVisible()
})

test('the SKU inbox says that the item of a mapped SKU is in the trash, and restores it', async ({
  tradingShop,
  openAs,
}) => {
  const { url } = tradingShop.product
  const headers = bearer(tradingShop.staff.staff)
  const egg = await post<InventoryItem>(
    `${url}/api/inventory`,
    { name: 'Egg', sku: 'EGG', quantity: 4 },
    headers,
  )
  const items = [{ inventory_item_id: egg.id, quantity: 1 }]
  await post(`${url}/api/orders/unknown-skus/map`, { sku: 'OLD-EGG', items }, headers)
  await fetch(`${url}/api/inventory/${egg.id}`, {
    method: 'DELETE',
    headers: { ...headers, 'if-match': '*' },
  })
  const lines = [{ sku: 'OLD-EGG', name: 'An egg', quantity: 3, unit_price: 3 }]
  await post(`${url}/api/orders`, { order_number: 'EGG-1', customer_name: 'Ada', items: lines }, headers)
  const page = await openAs(tradingShop, 'staff')
  await page.goto(`${url}/?tab=orders&skus=unknown`)
  await expect(page.getByText('Its item is in the trash: Egg (EGG)', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Restore Egg' }).click()
  await expect(page.getByRole('heading', { name: 'Every SKU is known' })).toBeVisible()
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await page
    .getByRole('link', { name: /EGG-1|Ada/ })
    .first()
    .click()
  await expect(page.getByText('3 ordered = 3 in stock', { exact: true })).toBeVisible()
})

test('after a person maps an unknown SKU to a set in the SKU inbox, orders count the parts of the set', async ({
  tradingShop,
  openAs,
}) => {
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
  await expect(
    page.getByRole('listitem').filter({ hasText: 'SKU mapped: NEST = 1 × Dragon, 2 × Egg' }),
  ).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'SKU ignored: WRAP' })).toBeVisible()

  // The parts of a set can be shipped and returned one by one. At first, the dialog proposes whole sets.
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship SET-1' })
  await expect(shipping.getByLabel('Pieces of Dragon')).toHaveValue('2')
  await expect(shipping.getByLabel('Pieces of Egg')).toHaveValue('4')
  await shipping.getByLabel('Pieces of Dragon').fill('1')
  await shipping.getByLabel('Pieces of Egg').fill('0')
  await shipping.getByRole('button', { name: 'Ship 2 pieces' }).click()
  await expect(page.getByText('3 ordered = 1 shipped + 2 in stock', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More for SET-1', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Take pieces back', exact: true }).click()
  const back = page.getByRole('dialog', { name: 'Return of SET-1' })
  await expect(back.getByLabel('Pieces of Egg')).toBeHidden()
  await back.getByLabel('Pieces of Dragon').fill('1')
  await back.getByLabel('Pieces of Gift wrap').fill('1')
  await back.getByRole('button', { name: 'Take back 2 pieces' }).click()
  await expect(page.getByText(/^3 ordered = 1 shipped .*, 1 returned$/)).toBeVisible()
  // An order that was shipped cannot be deleted, even if all its pieces came back.
  await page.getByRole('button', { name: 'More for SET-1', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Hold', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete', exact: true })).toBeHidden()
})

test('after a mapped SKU gets another item, the SKU inbox offers to cancel the print jobs of the first item', async ({
  tradingShop,
  openAs,
}) => {
  const { url } = tradingShop.product
  const headers = bearer(tradingShop.staff.staff)
  const add = (name: string, sku: string) =>
    post<InventoryItem>(`${url}/api/inventory`, { name, sku, quantity: 0 }, headers)
  const [egg] = [await add('Egg', 'EGG'), await add('Dragon', 'DRG')]
  const mapping = { sku: 'NEST', items: [{ inventory_item_id: egg.id, quantity: 1 }] }
  await post(`${url}/api/orders/unknown-skus/map`, mapping, headers)
  const items = [{ sku: 'NEST', name: 'A nest', quantity: 3, unit_price: 30 }]
  const order = await post<Order>(
    `${url}/api/orders`,
    { order_number: 'NEST-1', customer_name: 'Ada', items },
    headers,
  )
  const { jobs } = await post<{ jobs: PrintJob[] }>(`${url}/api/orders/${order.id}/plan`, {}, headers)
  const [job] = jobs
  const page = await openAs(tradingShop, 'staff')
  await page.goto(`${url}/?tab=orders&skus=mapped`)
  await page.getByRole('button', { name: 'Map NEST' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is NEST?' })
  await dialog.getByRole('button', { name: 'Remove Egg' }).click()
  await dialog.getByRole('combobox', { name: 'Items' }).fill('Dragon')
  await expect(dialog.getByRole('option', { name: /Dragon/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Map', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Cancel 1 print job too?' })
  const named = question.getByRole('list', { name: 'Print jobs' }).getByRole('listitem')
  await expect(named).toHaveText(`${job?.label_code} Egg: 3 pieces`)
  await question.getByRole('button', { name: 'Cancel 1 print job' }).click()
  await expect(question).toBeHidden()
  await expect
    .poll(async () => (await get<PrintJob>(`${url}/api/print-queue/${job?.id}`, headers)).status)
    .toBe('cancelled')
  await expect(page.getByText('= 1 × Dragon DRG', { exact: true })).toBeVisible()
})
