import type { Browser, Locator, Page } from '@playwright/test'
import { bearer, post, signIn as signInAs } from '../support/accounts.ts'
import { searchFor } from '../support/controls.ts'
import { OWNER, expect, expectNoProblems, test, watchForProblems } from '../support/fixtures.ts'
import { PART } from '../support/model-files.ts'
import { type Shop, fillShop, openShop } from '../support/shop.ts'
import { enter } from '../support/sign-in.ts'

/**
 * Returns a time zone in which it is about noon. Orders of the last hours are then from today, whenever the test runs.
 */
function zoneAtNoon(): string {
  const hoursAhead = 12 - new Date().getUTCHours()
  // The names of these zones use the opposite sign: Etc/GMT-2 is two hours ahead of UTC.
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`
}

test.use({ timezoneId: zoneAtNoon() })

let shop: Shop

// These tests build on each other: an empty shop, one with a model, and one after a day's work. Therefore, they run in
// order and have their own product.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  shop = await openShop()
})

test.afterAll(async () => {
  await shop.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${shop.product.url}/legacy-login`)
  await enter(page, OWNER)
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
}

/** Signs in in a second browser, in which the test then only watches. */
async function openSecondBrowser(browser: Browser): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext()
  const problems: string[] = []
  await watchForProblems(context, problems)
  const page = await context.newPage()
  await signIn(page)
  // A reload would remove this mark.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  return { page, problems }
}

const figure = (page: Page, label: string) =>
  page.getByRole('list', { name: 'Figures' }).getByRole('link', { name: new RegExp(`^${label}`) })

const GREY = 'rgb(143, 150, 149)'
const ORANGE = 'rgb(232, 100, 27)'

/** Returns the element that tints a picture with a filament's color. */
const tinted = (row: Locator, color: string) => row.locator(`[style*="background-color: ${color}"]:visible`)

test('the dashboard of a new shop shows the next steps, and marks a step as done in every browser without a reload', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  const other = await openSecondBrowser(browser)

  // An empty shop shows the next steps instead of charts.
  await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Upload a model',
    'Add a spool',
    'Add an item',
    'Add a printer',
    'Connect your shop',
  ])
  await page.getByRole('link', { name: 'Open printers' }).click()
  await expect(page.getByRole('button', { name: 'Add your first printer' })).toBeVisible()
  await page.goBack()
  await expect(figure(page, 'STL Files')).toContainText('0')
  await expect(page.getByText('No orders yet')).toBeVisible()
  await expect(page.getByText('The print queue is empty')).toBeVisible()

  // Adding a printer marks its step as done in every browser.
  const printer = other.page.getByRole('listitem').filter({ hasText: 'Add a printer' })
  await expect(printer.getByRole('img', { name: 'Done' })).toBeHidden()
  const owner = await signInAs(shop.product.url, 'owner', OWNER.email, OWNER.password)
  await post(`${shop.product.url}/api/printers`, { name: 'MK4 · 01' }, bearer(owner))
  await expect(printer.getByRole('img', { name: 'Done' })).toBeVisible()

  // Complete the first step. The other browser then shows it as done.
  await page.goto(`${shop.product.url}/`)
  await page.getByRole('link', { name: 'Upload STL' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: PART.name, mimeType: 'model/stl', buffer: Buffer.from(PART.bytes) })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(figure(other.page, 'STL Files')).toContainText('+1 this week')
  await expect(other.page.getByRole('img', { name: 'Done' })).toHaveCount(2)
  await expect(other.page.getByRole('heading', { name: 'Newest models' })).toBeVisible()
  const newest = other.page.getByRole('link', { name: new RegExp(PART.title) })
  // The picture is drawn after the measurement, which takes time on a busy machine.
  await expect(newest.locator('img')).toBeVisible()

  // Add the data of a day's work.
  const [model] = await shop.database.sql<{ id: string }[]>`select id from stl_files`
  await fillShop(shop, { stlFileId: model?.id ?? '' })
  await expect(figure(other.page, 'Low Stock Items')).toContainText('1')
  await expect(figure(other.page, 'Pending Orders')).toContainText('2 ready to pack')
  await expect(figure(other.page, 'Print Queue')).toContainText('2')
  await expect(figure(other.page, 'Revenue')).toContainText('$278')
  await expect(figure(other.page, 'Revenue')).toContainText('all time · 30 days: $278')
  await expect(figure(other.page, 'Revenue')).toHaveAttribute('href', '/?tab=orders&sales=month')
  // The tooltip says that this figure counts all orders, while the sales report counts shipped pieces.
  await expect(figure(other.page, 'Revenue').getByTitle(/^Totals of all orders/)).toHaveText('Revenue')
  await expect(other.page.getByRole('heading', { name: 'Set up your shop' })).toBeHidden()
  await expect(other.page.getByRole('link', { name: /Keisuke Yamanaka.*PO-001/ })).toBeVisible()
  await expect(other.page.getByText(/62.%/).first()).toBeVisible()
  // The picture of an order or a print job has the color of its item.
  await expect(tinted(other.page.getByRole('link', { name: /PO-001/ }), GREY)).toBeVisible()
  await expect(
    tinted(other.page.getByRole('listitem').filter({ hasText: /62.%/ }), ORANGE).first(),
  ).toBeVisible()
  expect(await other.page.evaluate(() => Object(window).isSamePage)).toBe(true)
  expectNoProblems(other.problems, null)
  await other.page.context().close()
})

test('each figure of the dashboard links to the list that it counts, and each chart has a table of its numbers', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page)

  // A chart can be read with the keyboard, and as a table.
  await page.goto(`${shop.product.url}/`)
  const chart = page.getByRole('slider', { name: /Revenue and orders per day/ })
  await chart.focus()
  await expect(chart).toHaveAttribute('aria-valuetext', /Revenue \$278\.10, Orders 3$/)
  await chart.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuenow', '29')
  await page.getByRole('button', { name: 'Show Revenue and orders per day as a table' }).click()
  await expect(page.getByRole('row', { name: /\$278\.10 3$/ })).toBeVisible()

  // Each figure leads to the rows that it counts.
  await figure(page, 'Low Stock Items').click()
  await expect(page).toHaveURL(/tab=inventory&low_stock_only=true/)
  if (test.info().project.name === 'phone')
    await expect(page.getByRole('button', { name: 'Filters, 1 applied' })).toBeVisible()
  else await expect(page.getByLabel('Low Stock Only')).toBeChecked()
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
  await searchFor(page, 'no such part')
  await expect(page.getByRole('heading', { name: 'No inventory items found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByText(/^2 items/)).toBeVisible()
  await page.goBack()
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('no such part')

  await page.goto(`${shop.product.url}/`)
  await figure(page, 'Pending Orders').click()
  await expect(page).toHaveURL(/tab=orders&status=pending/)
  await page.getByRole('link', { name: /PO-001/ }).click()
  await expect(page.getByRole('heading', { name: 'PO-001' })).toBeVisible()
  await expect(page.getByText('2 ordered = 2 in stock', { exact: true })).toBeVisible()
  await expect(tinted(page.getByRole('listitem').filter({ hasText: 'CUBE-1' }), GREY)).toBeVisible()
  await page.getByRole('link', { name: 'Orders', exact: true }).last().click()
  await expect(page).toHaveURL(/status=pending/)

  // Finished jobs are hidden in the queue until the filter selects them.
  await page.goto(`${shop.product.url}/?tab=print-queue`)
  await expect(page.getByText('1 printing · 1 waiting')).toBeVisible()
  if (test.info().project.name === 'phone') {
    await page.getByRole('button', { name: 'More about the queue' }).click()
    await page.getByRole('menuitem', { name: 'Refresh' }).click()
  } else await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed')
  await expect(page.getByText('No print jobs found')).toBeVisible()
  await expect(page).toHaveURL(/status=completed/)

  await page.goto(`${shop.product.url}/?tab=filament&material=asa`)
  if (test.info().project.name === 'phone')
    await page.getByRole('button', { name: 'Filters, 1 applied' }).click()
  await expect(page.getByRole('combobox', { name: 'Material' })).toHaveValue('ASA')
  await expect(page.getByRole('combobox', { name: 'Material' }).getByRole('option')).toHaveText([
    'Any material',
    'ASA',
    'PETG',
  ])
  await expect(page.getByText(/^1 spool/).first()).toBeVisible()
})

test.describe('the page of an unknown order', () => {
  test.use({ allowedProblem: /status of 404/ })

  test('the page of an unknown order shows a message and a link to all orders', async ({ page }) => {
    await signIn(page)
    await page.goto(`${shop.product.url}/?tab=orders&order=0198c0de-0000-7000-8000-000000000001`)
    await expect(page.getByRole('heading', { name: 'Order not found' })).toBeVisible()
    await page.getByRole('link', { name: 'All orders' }).click()
    await expect(page.getByText(/^4 orders/)).toBeVisible()
  })
})
