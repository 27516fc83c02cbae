import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { EMBEDDED_POSTGRES, runPostgres } from '../../apps/server/test/servers/postgres-server.ts'
import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { type Product, startProduct } from '../support/harness.ts'
import { CYRILLIC_PART, type ModelFile, PART } from '../support/model-files.ts'
import { openBrowserOf } from '../support/staffed-shop.ts'

/** Starts two server processes. They share a database, a folder of objects, a secret and a public address. */
const test = base.extend<{ replicas: readonly [Product, Product] }>({
  replicas: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'pegasus-replicas-'))
    chmodSync(folder, 0o755)
    const postgres = await runPostgres(EMBEDDED_POSTGRES)
    const start = () =>
      startProduct({
        DATABASE_URL: postgres.url,
        STORAGE_URL: pathToFileURL(join(folder, 'objects')).href,
        ROOT_SECRET: 'a secret of forty characters for replicas',
        PUBLIC_URL: 'https://ops.example.com',
      })
    const replicas = await Promise.all([start(), start()])
    await use(replicas)
    for (const product of replicas) await product.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  },
})

// The browser logs the refusals after the sign-out as errors.
test.use({ allowedProblem: /status of 40[013]/ })

const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload STL' })

async function upload(page: Page, part: ModelFile): Promise<void> {
  await uploadButton(page).click()
  const dialog = page.getByRole('dialog')
  const buffer = Buffer.from(part.bytes)
  await dialog.locator('input[type=file]').setInputFiles({ name: part.name, mimeType: 'model/stl', buffer })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Checks that the page shows the model's picture, which either process may have drawn. */
async function expectModel(page: Page, part: ModelFile): Promise<void> {
  const image = page.getByRole('article').filter({ hasText: part.title }).locator('img').first()
  await expect(image).toBeVisible({ timeout: 120_000 })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(480)
}

// Sets a mark on the page. A reload would remove it.
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSamePage: true }))
const isMarked = (page: Page) => page.evaluate(() => Object(window).isSamePage === true)

test("pages at two server processes show each other's changes live, and a sign-out at one process applies to both", async ({
  page,
  browser,
  replicas: [one, other],
  watch,
}) => {
  await page.goto(`${one.url}/legacy-login?next=/%3Ftab%3Dstl-library`)
  await page.getByLabel('Username').fill(OWNER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(uploadButton(page)).toBeVisible()

  // Open the same session at the other process, in another browser.
  const [stored] = (await page.context().storageState()).origins
  const elsewhere = await openBrowserOf(browser, other.url, stored ?? null, watch)
  await elsewhere.goto('/?tab=stl-library')
  await expect(uploadButton(elsewhere)).toBeVisible()
  for (const each of [page, elsewhere]) await mark(each)

  // Changes appear live in both directions.
  await upload(page, PART)
  await expectModel(elsewhere, PART)
  await elsewhere.getByRole('link', { name: 'Pegasus Ops' }).click()
  const figures = elsewhere.getByRole('list', { name: 'Figures' })
  await expect(figures.getByRole('link', { name: /^STL Files/ })).toContainText('1')
  await elsewhere.goBack()
  await upload(elsewhere, CYRILLIC_PART)
  await expectModel(page, CYRILLIC_PART)
  expect(await Promise.all([page, elsewhere].map(isMarked))).toEqual([true, true])

  // A sign-out at one process also signs out the other page, without any action there.
  await signOut(page)
  for (const each of [page, elsewhere]) {
    await expect(each).toHaveURL(/\/login/)
    await expect(each.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  }
  expect(await elsewhere.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await elsewhere.context().close()
})

/** Signs out. The button is in the header, or on phones in the account menu. */
async function signOut(page: Page): Promise<void> {
  const account = page.getByRole('button', { name: 'Account' })
  if (await account.isVisible()) {
    await account.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  } else await page.getByRole('button', { name: 'Sign out' }).click()
}
