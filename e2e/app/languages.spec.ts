import type { Page } from '@playwright/test'
import { overhangOf } from '../support/accessibility.ts'
import { bearer, get } from '../support/accounts.ts'
import { untilLoaded } from '../support/controls.ts'
import { expect, OWNER } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

const TABS = ['stl-library', 'inventory', 'orders', 'print-queue', 'filament', 'products', 'system'] as const

// Chromium logs the refused sign-in.
test.use({ allowedProblem: /status of 400 \(Bad Request\).*grant_type=password/ })

/** Opens each tab. Fails if a page is wider than the window. */
async function openTabs(page: Page): Promise<void> {
  for (const tab of TABS) {
    await page.goto(`/?tab=${tab}`)
    await untilLoaded(page)
    expect(await overhangOf(page), `the pixels by which ${tab} is wider than the window`).toBe(0)
  }
}

/** Chooses a language in the profile. On a phone, the profile is in the menu of the account. */
async function chooseInProfile(
  page: Page,
  names: { account: string; profile: string; language: string },
  chosen: string,
): Promise<void> {
  if (test.info().project.name === 'phone') {
    await page.getByRole('button', { name: names.account }).click()
    await page.getByRole('menuitem', { name: names.profile }).click()
  } else await page.getByRole('button', { name: names.profile }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: names.language }).selectOption(chosen)
}

test('a person can choose German on the sign-in page, and Hebrew, which is written from right to left, in the profile', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, null)
  await page.goto('/login')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Passwort' }).fill('not the password')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByText('Benutzername oder Passwort ist falsch.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Passwort' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()

  await expect(page.getByRole('heading', { name: 'Neueste Bestellungen' })).toBeVisible()
  // Amounts are formatted for the language. Search for one order, because other tests add newer orders.
  await page.goto('/?tab=orders&search=PO-001')
  await expect(page.getByText(/46,35\s\$/).filter({ visible: true })).toBeVisible()
  await openTabs(page)

  // In every language, the shortcut keys of a list work. On a phone, rows have no such button.
  if (test.info().project.name === 'desktop') {
    await page.goto('/?tab=inventory&search=HOOK-1')
    await page.getByRole('link', { name: /^Wall hook/ }).focus()
    await page.keyboard.press('e')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }

  await chooseInProfile(page, { account: 'Konto', profile: 'Profil', language: 'Sprache' }, 'עברית')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.locator('html')).toHaveAttribute('lang', 'he')
  await openTabs(page)

  // The account remembers the language. A browser without its own choice uses it, and so do emails.
  const elsewhere = await openAs(filledShop, 'owner')
  await elsewhere.goto('/?tab=orders')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'he')
  const { product, staff } = filledShop
  const language = async () =>
    (await get<{ metadata: { language?: string } }>(`${product.url}/api/auth/me`, bearer(staff.owner)))
      .metadata.language
  expect(await language()).toBe('he')

  // Restore English, which the other tests of this account expect.
  await chooseInProfile(elsewhere, { account: 'חשבון', profile: 'פרופיל', language: 'שפה' }, 'English')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'en')
  expect(await language()).toBe('en')
})
