import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { MAIN_SITE, test } from '../support/staffed-shop.ts'

const openOrders = (page: Page) => page.getByRole('button', { name: 'Open main site orders', exact: true })

/**
 * Clicks the button. Checks which page opens, and that it gets neither the app's window as its opener nor a referrer.
 */
async function expectToOpen(page: Page): Promise<void> {
  const address = page.url()
  const [opened] = await Promise.all([page.context().waitForEvent('page'), openOrders(page).click()])
  await expect(opened.getByRole('heading', { name: 'Orders of the shop' })).toBeVisible()
  expect(opened.url()).toBe(`${MAIN_SITE}/admin/orders`)
  const given = await opened.evaluate(() => ({
    opener: window.opener as unknown,
    referrer: document.referrer,
  }))
  expect(given).toEqual({ opener: null, referrer: '' })
  expect(page.url()).toBe(address)
  await opened.close()
}

test('the order list of the main site opens in a separate window, and the window receives none of our data', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'viewer')
  const asked: string[] = []
  await page.context().route(`${MAIN_SITE}/**`, async (route) => {
    asked.push(route.request().url())
    await route.fulfill({ contentType: 'text/html', body: '<h1>Orders of the shop</h1>' })
  })
  // Search for one order, because other tests add newer orders, and the list renders only rows in the window.
  await page.goto('/?tab=orders&search=PO-001')
  await expectToOpen(page)
  await page.getByRole('link', { name: /PO-001/ }).click()
  await expect(page.getByRole('heading', { name: 'PO-001' })).toBeVisible()
  await expectToOpen(page)
  expect(new Set(asked)).toEqual(new Set([`${MAIN_SITE}/admin/orders`]))
})

test('without a main site, the order list says that the site is missing and how to configure it', async ({
  newShop,
  openAs,
}) => {
  const page = await openAs(newShop, 'owner')
  await page.goto('/?tab=orders')
  await expect(page.getByText('No main site is configured.')).toHaveText(
    "No main site is configured. Set MAIN_SITE_URL in the server's environment, and its order list can be opened from here.",
  )
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await openOrders(page).click()
  const findText = (other: Page) =>
    other.getByRole('status').filter({ hasText: 'No main site is configured.' })
  await expect(findText(page)).toContainText('Set MAIN_SITE_URL')
  for (const role of ['viewer', 'staff'] as const) {
    const other = await openAs(newShop, role)
    await other.goto('/?tab=orders')
    await expect(other.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await openOrders(other).click()
    await expect(findText(other)).toContainText('An administrator can set it up.')
    await expect(other.getByText('MAIN_SITE_URL')).toHaveCount(0)
  }
})
