import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  OWNER,
  signIn,
  test,
} from '../support/sign-in.ts'

// These tests remove a script of the app, and the browser logs that as an error.
test.use({ allowedProblem: /status of 404|dynamically imported module/ })

const isPageItself = ({ pathname, search }: URL): boolean => pathname === '/' && search === ''

/** Simulates an update of the server: the start page is new, and the old scripts no longer exist. */
async function update(page: Page): Promise<void> {
  await page.route(isPageItself, (route) =>
    route.request().resourceType() === 'document'
      ? route.continue()
      : route.fulfill({ body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  )
  await page.route(/\/assets\/(inventory-page|command-palette)-.*\.js/, (route) =>
    route.fulfill({ status: 404, json: { detail: 'Not found.' } }),
  )
}

/** Simulates that the browser has loaded the page of the new version. */
const settle = (page: Page) => page.unrouteAll({ behavior: 'wait' })

test('a page asks for a reload if an update has removed its scripts', async ({ page }) => {
  await signIn(page, OWNER)
  await update(page)
  await page.getByRole('link', { name: 'Inventory' }).filter({ visible: true }).first().click()
  const notice = page.getByRole('main').getByRole('alert')
  await expect(notice.getByRole('heading', { name: 'A new version is available' })).toBeVisible()
  await expect(page.getByText('The server cannot be reached')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await settle(page)
  await notice.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'No inventory items found' })).toBeVisible()
})

test('the app announces an update and lets the person decide when to reload', async ({ page }) => {
  await signIn(page, OWNER)
  const notice = page.getByRole('status').filter({ hasText: 'A new version is available.' })
  await page.getByRole('link', { name: 'Print Queue' }).filter({ visible: true }).first().click()
  await expect(page.getByRole('heading', { name: 'The print queue is empty' })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await update(page)
  await page.getByRole('link', { name: 'Dashboard' }).filter({ visible: true }).first().click()
  await expect(notice).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await settle(page)
  await notice.getByRole('button', { name: 'Reload' }).click()
  await expectSignedIn(page)
  await expect(notice).toHaveCount(0)
})

test('typed text is kept if an update has removed a script', async ({ page }) => {
  await signIn(page, OWNER)
  await page.goto('/?tab=stl-library&upload=1')
  const upload = page.getByRole('dialog', { name: 'Upload STL' })
  await upload.getByLabel('Description').fill('The base of the arm.')
  await update(page)
  await page.keyboard.press('Control+k')
  const notice = page.getByRole('dialog', { name: 'A new version is available' })
  await expect(notice).toContainText('Reloading discards everything that you typed and have not saved.')
  await expectAccessibleInBothThemes(page)
  await notice.getByRole('button', { name: 'Not now' }).click()
  await expect(notice).toHaveCount(0)
  await expect(upload.getByLabel('Description')).toHaveValue('The base of the arm.')
})
