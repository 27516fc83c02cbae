import type { Page } from '@playwright/test'
import { OWNER, expect, test } from '../support/fixtures.ts'
import { CYRILLIC_PART, type ModelFile, PART } from '../support/model-files.ts'
import { turnModel } from '../support/model-view.ts'

// The browser logs the response to the wrong password as an error.
test.use({ allowedProblem: /status of 401/ })

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640

async function signInByUsername(page: Page, password: string): Promise<void> {
  await page.getByLabel('Username').fill(OWNER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function openTab(page: Page, name: string): Promise<void> {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  if (isPhone(page) && name === 'STL Library') {
    await sections.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
  } else await sections.getByRole('link', { name }).click()
}

async function signOut(page: Page): Promise<void> {
  if (isPhone(page)) {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  } else await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
}

async function upload(page: Page, part: ModelFile): Promise<void> {
  await page.getByRole('button', { name: 'Upload STL' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({
    name: part.name,
    mimeType: 'model/stl',
    buffer: Buffer.from(part.bytes),
  })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
}

const cardOf = (page: Page, part: ModelFile) =>
  page.getByRole('article').filter({ hasText: part.title }).first()

/** Checks that the picture is visible and decoded. */
async function expectPicture(page: Page, part: ModelFile): Promise<void> {
  const image = cardOf(page, part).locator('img').first()
  await expect(image).toBeVisible({ timeout: 120_000 })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(480)
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a walk through the basics: sign in, upload, find and turn a model, change the theme, come back, sign out', async ({
  page,
}) => {
  // Sign in by username, at first with a wrong password.
  await page.goto('/legacy-login')
  await expect(page.getByRole('heading', { name: 'Pegasus Ops' })).toBeVisible()
  await expect(page.getByText('Need Access?')).toBeVisible()
  await signInByUsername(page, 'not my password')
  await expect(page.getByRole('alert')).toHaveText(/Incorrect username or password\./)
  await expect(page.getByLabel('Username')).toHaveValue(OWNER.username)
  await signInByUsername(page, OWNER.password)
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^ey/)

  // Upload two real files.
  await openTab(page, 'STL Library')
  await upload(page, PART)
  await upload(page, CYRILLIC_PART)
  await expectPicture(page, PART)
  await expectPicture(page, CYRILLIC_PART)
  await expect(cardOf(page, PART)).toContainText(PART.size)
  await expect(cardOf(page, PART)).toContainText(PART.triangles)

  // Filters take effect when they are applied. They are then in the URL.
  const search = page.getByRole('searchbox')
  await search.fill(CYRILLIC_PART.title.slice(0, 6))
  await expect(cardOf(page, PART)).toBeVisible()
  await search.press('Enter')
  await expect(cardOf(page, PART)).toBeHidden()
  await expect(cardOf(page, CYRILLIC_PART)).toBeVisible()
  await page.reload()
  await expect(search).toHaveValue(CYRILLIC_PART.title.slice(0, 6))
  await search.fill('no such model')
  await search.press('Enter')
  await expect(page.getByText('No STL files found')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(cardOf(page, PART)).toBeVisible()

  // Open the model and turn it.
  await cardOf(page, PART).getByRole('button', { name: /View/ }).click()
  await expect(page.getByRole('heading', { name: PART.title })).toBeVisible()
  await expect(page.getByText(PART.triangles).first()).toBeVisible()
  await turnModel(page)

  // The theme is kept after a reload, without the other theme appearing first.
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
  const wasDark = await isDark()
  if (isPhone(page)) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole(isPhone(page) ? 'menuitem' : 'button', { name: /theme/i }).click()
  expect(await isDark()).toBe(!wasDark)
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { themeAtFirst: document.documentElement.className })
    })
  })
  await page.reload()
  expect(await page.evaluate(() => Object(window).themeAtFirst.includes('dark'))).toBe(!wasDark)
  await expect(page.getByRole('heading', { name: PART.title })).toBeVisible()

  // Go back to the list, sign out, and sign in by email.
  await page.goBack()
  await expect(cardOf(page, CYRILLIC_PART)).toBeVisible()
  await signOut(page)
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => /token|auth/.test(key))),
  ).toEqual([])
  await page.goto('/?tab=stl-library')
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/tab=stl-library/)
  await expect(cardOf(page, PART)).toBeVisible()
})
