import type { Page } from '@playwright/test'
import { OWNER, expect, expectAccessible, test } from '../support/fixtures.ts'
import { type Shop, openShop } from '../support/shop.ts'
import { enter } from '../support/sign-in.ts'

const BANNER = 'This is the demo. Nothing here touches your shop.'
/** Time limit for making a demo, in ms. This takes long on a busy machine. */
const MAKING_MS = 240_000

let shop: Shop

test.describe.configure({ mode: 'serial' })
test.setTimeout(420_000)

test.beforeAll(async () => {
  shop = await openShop()
})

test.afterAll(async () => {
  await shop.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${shop.product.url}/legacy-login`)
  await enter(page, OWNER)
  await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
}

const storedKeys = (page: Page) =>
  page.evaluate(() =>
    Object.keys(window.localStorage).filter((key) => key.startsWith('demo/') || key === 'pegasus-ops-auth'),
  )

test('from an empty shop, one click makes and opens a demo, and the shop stays empty', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Look around in a demo' }).click()
  await expect(page.getByRole('progressbar', { name: 'Making the demo' })).toBeVisible()
  await expect(page.getByText(BANNER)).toBeVisible({ timeout: MAKING_MS })
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('demo-dashboard.png') })

  // Each screen shows the banner and has data. Which jobs wait depends on the day, but some jobs always print.
  for (const [tab, row] of [
    ['stl-library', /Planetary gear set/],
    ['inventory', /GEAR-PLN/],
    ['orders', /PO-\d/],
    ['filament', /\d\sg/],
    ['products', /gear/i],
    ['print-queue', /\d of \d+ good/],
  ] as const) {
    await page.goto(`${shop.product.url}/?tab=${tab}`)
    await expect(page.getByText(BANNER)).toBeVisible()
    await expect(page.locator('#content').getByText(row).filter({ visible: true }).first()).toBeVisible()
  }
  await page.goto(`${shop.product.url}/?tab=stl-library`)
  const picture = page.locator('#content img').first()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await page.screenshot({ path: test.info().outputPath('demo-library.png') })

  // The demo has not changed the session of the shop, so the shop opens without a sign-in.
  await page.getByRole('button', { name: 'Back to your shop' }).click()
  await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  expect(await storedKeys(page)).toEqual(['pegasus-ops-auth'])
  await page.goto(`${shop.product.url}/?tab=orders`)
  await expect(page.locator('#content').getByText(/PO-/)).toHaveCount(0)
})

test('a person can remove the demo from its banner, after a confirmation in the shop', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Look around in a demo' }).click()
  await expect(page.getByText(BANNER)).toBeVisible({ timeout: MAKING_MS })
  await page.getByRole('button', { name: 'Remove the demo' }).click()
  const question = page.getByRole('dialog', { name: 'Remove the demo?' })
  await expect(question).toBeVisible()
  await expect(page.getByText(BANNER)).toHaveCount(0)
  await page.screenshot({ path: test.info().outputPath('demo-removal.png') })
  await question.getByRole('button', { name: 'Remove the demo' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Look around in a demo' })).toBeEnabled({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Remove the demo' })).toHaveCount(0)
})
