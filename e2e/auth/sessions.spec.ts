import type { Page } from '@playwright/test'
import { ageSignIns, expect, expectSignedIn, openProfile, signIn, test } from '../support/sign-in.ts'
import { holdBack } from '../support/faults.ts'

// These tests provoke refusals, and the browser logs each as an error. The request of the last sign-out never reaches
// the server.
test.use({ allowedProblem: /status of 40[013]|TIMED_OUT|not informed of the sign-out/ })

const ENDED = 'Your session has ended. Please sign in again.'

async function signOut(page: Page): Promise<void> {
  const direct = page.getByRole('button', { name: 'Sign out', exact: true })
  if (await direct.isVisible()) return direct.click()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test('if the server refuses the token that two tabs share, each tab renews the token once and stays signed in', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  const other = await page.context().newPage()
  await other.goto('/?tab=inventory')
  await expectSignedIn(other)
  // An open app would notice and replace a changed session at once, so both tabs leave the app first.
  await Promise.all([page.goto('/healthz'), other.goto('/healthz')])
  // Simulate a server that has lost its signing key: it refuses every request of both tabs, several at a time.
  await page.evaluate(() => {
    const stored = localStorage.getItem('pegasus-ops-auth') ?? '{}'
    const session = JSON.parse(stored) as { access_token: string }
    const spoiled = `${session.access_token.slice(0, -4)}AAAA`
    localStorage.setItem('pegasus-ops-auth', JSON.stringify({ ...session, access_token: spoiled }))
  })
  // Both tabs send a request before one of them gets a response. When the second response arrives, the other tab has
  // stored its new session already.
  const renewals = await holdBack(page.context(), '**/auth/v1/token?grant_type=refresh_token')
  await Promise.all([page.goto('/'), other.goto('/?tab=inventory')])
  await expect.poll(() => renewals.count).toBe(2)
  renewals.letGo()
  for (const tab of [page, other]) {
    await expectSignedIn(tab)
    await expect(tab.getByText(ENDED)).toBeHidden()
  }
  await page.getByRole('link', { name: 'Inventory' }).first().click()
  await expect(page).toHaveURL(/tab=inventory/)
  await expectSignedIn(page)
  // Each tab renewed the token once, although several of its requests were refused at the same time.
  expect(renewals.count).toBe(2)
})

test('a sign-out in one tab signs out the other tab and closes its open dialog', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  const other = await page.context().newPage()
  await other.goto('/?tab=inventory')
  await other
    .getByRole('navigation', { name: 'Sections' })
    .filter({ visible: true })
    .getByRole('link', { name: 'Orders' })
    .click()
  await openProfile(other)
  await signOut(page)
  await expect(other.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await expect(other.getByRole('dialog')).toHaveCount(0)
  expect(await other.evaluate(() => Object.keys(localStorage))).not.toContain('token')
  // The page that was open before needs a sign-in as well.
  await other.goBack()
  await expect(other.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  expect(new URL(other.url()).searchParams.get('next')).toBe('/?tab=inventory')
})

test('if the session was removed from the browser, each tab says at its next request that the session has ended', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  // Wait until the first page is loaded, because its own requests would notice the missing session, too.
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeAttached()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => localStorage.clear())
  await page
    .getByRole('navigation', { name: 'Sections' })
    .filter({ visible: true })
    .getByRole('link', { name: 'Inventory' })
    .click()
  await expect(page.getByText(ENDED)).toBeVisible()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/?tab=inventory')
})

test('a sign-out ends the session in the browser even if the server never responds', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  await page.route('**/auth/v1/logout*', () => {})
  await signOut(page)
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('token')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
})

test('a late response to a cancelled confirmation does not affect the next confirmation', async ({
  page,
  shop,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await ageSignIns(shop, ada)
  await openProfile(page)
  const email = page.getByRole('tabpanel').getByLabel('Email')
  const update = page.getByRole('button', { name: 'Update Profile' })
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  const password = question.getByLabel('Password', { exact: true })
  const held = await holdBack(page, '**/api/auth/reauthenticate')
  await email.fill(`new.${ada.email}`)
  await update.click()
  await password.fill(ada.password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question.getByRole('button', { name: 'Checking...' })).toBeDisabled()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await update.click()
  await password.fill('still typing')
  const judged = page.waitForResponse('**/api/auth/reauthenticate')
  held.letGo()
  await judged
  await expect(password).toHaveValue('still typing')
  await password.fill(ada.password)
  await password.press('Enter')
  await expect(question).toBeHidden()
  await expect(page.getByText('Profile updated successfully!', { exact: true }).first()).toBeVisible()
})
