import type { Page } from '@playwright/test'
import {
  type Account,
  ageSignIns,
  enter,
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  openProfile,
  OWNER,
  signIn,
  test,
} from '../support/sign-in.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[0134]|4(09|18|22)|5\d\d)/ })

const NEW_PASSWORD = 'a lantern in the harbour'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Reset User Password' })
const people = (page: Page) => dialog(page).getByRole('radiogroup', { name: 'User' })
const search = (page: Page) => dialog(page).getByRole('searchbox')
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Reset Password' })
const alert = (page: Page) => dialog(page).getByRole('alert').first()

async function openReset(page: Page): Promise<void> {
  await openProfile(page, 'Admin')
  await page.getByRole('button', { name: 'Reset User Password' }).click()
}

async function choose(page: Page, { email, fullName }: Account): Promise<void> {
  await search(page).fill(email)
  await expect(people(page).getByRole('radio')).toHaveCount(1)
  await people(page).getByText(fullName).click()
}

async function fillPasswords(page: Page, password: string, confirmation = password): Promise<void> {
  await dialog(page).getByLabel('New Password', { exact: true }).fill(password)
  await dialog(page).getByLabel('Confirm New Password', { exact: true }).fill(confirmation)
}

test('an administrator can reset the password of another person, and all sessions of that person then end', async ({
  page,
  makeAccount,
  openBrowser,
}) => {
  const boss = await makeAccount('Katherine Johnson', 'admin')
  const [ada, grace] = [await makeAccount('Ada Lovelace'), await makeAccount('Grace Hopper', 'owner')]
  const elsewhere = await openBrowser()
  await signIn(elsewhere, ada)
  await signIn(page, boss)
  await openReset(page)

  // For each account whose password may not be reset, the list shows the reason.
  await search(page).fill(grace.email)
  await expect(people(page).getByRole('radio')).toHaveCount(1)
  await expect(people(page).getByRole('radio')).toBeDisabled()
  await expect(people(page)).toContainText('Only an owner can reset this account')
  await search(page).fill(boss.email)
  await expect(people(page)).toContainText('You: use the Password tab')
  await search(page).fill('nobody of that name')
  await expect(people(page)).toContainText('Nobody matches “nobody of that name”.')
  await page.keyboard.press('Enter')
  await expect(alert(page)).toBeHidden()

  // The form enforces each rule in turn.
  await submit(page).click()
  await expect(alert(page)).toHaveText('Reset Error: Please select a user')
  await expectAccessibleInBothThemes(page)
  await choose(page, ada)
  await submit(page).click()
  await expect(alert(page)).toHaveText('Reset Error: New password is required')
  await fillPasswords(page, 'short')
  await submit(page).click()
  await expect(alert(page)).toHaveText('Reset Error: Password must be at least 6 characters long')
  await fillPasswords(page, NEW_PASSWORD, 'another lantern')
  await expect(dialog(page).getByText('Passwords do not match', { exact: true })).toBeVisible()
  await expect(submit(page)).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await fillPasswords(page, 'password1')
  await submit(page).click()
  await expect(alert(page)).toHaveText('Reset Error: This password is too common. Please choose another.')
  await expect(people(page).getByRole('radio')).toBeChecked()

  await fillPasswords(page, NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Password reset successfully! Give the new password to Ada Lovelace.', { exact: true }),
  ).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Reset User Password' })).toBeFocused()
  await expect(elsewhere.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await elsewhere.goto('/legacy-login')
  await enter(elsewhere, ada)
  await expect(elsewhere.getByRole('alert')).toHaveText('Incorrect username or password.')
  await enter(elsewhere, { ...ada, password: NEW_PASSWORD })
  await expectSignedIn(elsewhere)
})

test('the form for resetting a password shows a message for every refusal, and keeps the selected person', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, await makeAccount('Katherine Johnson', 'admin'))
  await page.route('**/api/auth/users*', (route) => route.fulfill({ status: 404, body: '' }))
  await openReset(page)
  await expect(alert(page)).toContainText('Failed to load users')
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/auth/users*')
  await dialog(page).getByRole('button', { name: 'Retry' }).click()
  await choose(page, ada)
  await fillPasswords(page, NEW_PASSWORD)

  const answers = [
    [400, '{"detail":"Passwords do not match"}', 'Passwords do not match'],
    [400, '', 'Invalid password data'],
    [403, '{"detail":"x"}', 'Access denied. Admin privileges required.'],
    [404, '{"detail":"x"}', 'User not found'],
    [503, '{"detail":"x"}', 'Server error. Please try again later.'],
    [418, '', 'Failed to reset password'],
  ] as const
  for (const [status, body, sentence] of answers) {
    await page.route('**/api/auth/admin/reset-password', (route) => route.fulfill({ status, body }))
    await submit(page).click()
    await expect(alert(page)).toHaveText(`Reset Error: ${sentence}`)
    await page.unroute('**/api/auth/admin/reset-password')
  }
  await expect(people(page).getByRole('radio')).toBeChecked()
  await expect(dialog(page).getByLabel('New Password', { exact: true })).toHaveValue(NEW_PASSWORD)
})

test("resetting a password first asks for the administrator's own password if the sign-in is not recent", async ({
  page,
  shop,
  makeAccount,
}) => {
  const [boss, ada] = [await makeAccount('Katherine Johnson', 'admin'), await makeAccount('Ada Lovelace')]
  await signIn(page, boss)
  await ageSignIns(shop, boss)
  await openReset(page)
  await choose(page, ada)
  await fillPasswords(page, NEW_PASSWORD)
  await submit(page).click()
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(alert(page)).toHaveText(
    'Reset Error: Nothing was changed, because you did not confirm your identity.',
  )
  await submit(page).click()
  await question.getByLabel('Password', { exact: true }).fill(boss.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Password reset successfully!/)).toBeVisible()
})

test('only administrators and owners see the Admin tab, and it shows the data for support requests', async ({
  page,
  makeAccount,
  openBrowser,
}) => {
  for (const role of ['viewer', 'staff'] as const) {
    const other = await openBrowser()
    await signIn(other, await makeAccount('Dorothy Vaughan', role))
    await openProfile(other)
    await expect(other.getByRole('tab', { name: 'Admin' })).toHaveCount(0)
  }
  await signIn(page, OWNER)
  await openProfile(page, 'Admin')
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText(/User ID[0-9a-f]{8}-[0-9a-f-]{27}/)
  await expect(panel).toContainText('Roleowner')
  await expect(panel).toContainText('System AccessYes')
  await expect(panel).toContainText(/Last Login.*20\d\d/)
  await expectAccessibleInBothThemes(page)
})
