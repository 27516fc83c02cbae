import type { Page } from '@playwright/test'
import {
  ageSignIns,
  enter,
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  openProfile,
  signIn,
  test,
} from '../support/sign-in.ts'
import { holdBack } from '../support/faults.ts'
import { OWNER, startProduct } from '../support/harness.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[0134]|4(09|12|18|22)|5\d\d)/ })

const ENDED = 'Your session has ended. Please sign in again.'
const WRONG_PASSWORD = 'Current password is incorrect. Please check your current password and try again.'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'User Profile' })
const panel = (page: Page) => page.getByRole('tabpanel')
const alert = (page: Page) => panel(page).getByRole('alert').first()
const update = (page: Page) => panel(page).getByRole('button', { name: 'Update Profile' })
const toast = (page: Page) => page.getByText('Profile updated successfully!', { exact: true })
const field = (page: Page, label: string) => panel(page).getByLabel(label, { exact: true })

test('in the profile, people can change their name and email, but not their username and role', async ({
  page,
  makeAccount,
}) => {
  const [ada, grace] = [await makeAccount('Ada Lovelace', 'employee'), await makeAccount('Grace Hopper')]
  await signIn(page, ada)
  await openProfile(page)
  await expect(dialog(page)).toContainText('AL')
  await expect(dialog(page)).toContainText(`${ada.email} · ${ada.username}`)
  await expect(dialog(page).getByText('employee', { exact: true })).toHaveClass(/text-blue-ink/)
  await expect(dialog(page)).toContainText(/Last login: .*20\d\d/)
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'Password', 'Security', 'Notifications'])
  for (const label of ['Username', 'Role']) await expect(field(page, label)).not.toBeEditable()
  await expect(field(page, 'Username')).toHaveValue(ada.username)
  await expect(field(page, 'Role')).toHaveValue('employee')
  await expectAccessibleInBothThemes(page)

  // After a refusal, the typed values stay.
  await field(page, 'Email').fill('ada at example')
  await update(page).click()
  await expect(panel(page).getByText('This is not an email address')).toBeVisible()
  await field(page, 'Email').fill(grace.email)
  await update(page).click()
  await expect(alert(page)).toHaveText('Another account has this email address.')
  await expect(field(page, 'Email')).toHaveValue(grace.email)
  await expect(field(page, 'Email')).toBeFocused()
  await expectAccessibleInBothThemes(page)

  // The response of the server has no message.
  await page.route('**/api/auth/profile', (route) => route.fulfill({ status: 500, body: '' }))
  await update(page).click()
  await expect(alert(page)).toHaveText('Failed to update profile')
  await page.unroute('**/api/auth/profile')

  await field(page, 'Full Name').fill('Ada King, Countess of Lovelace')
  await field(page, 'Email').fill(`Countess.${ada.email}`)
  await page.keyboard.press('Enter')
  await expect(toast(page)).toBeVisible()
  await expect(dialog(page)).toContainText('Ada King, Countess of Lovelace')
  await expect(dialog(page)).toContainText(`countess.${ada.email} · ${ada.username}`)
  await expect(field(page, 'Email')).toHaveValue(`countess.${ada.email}`)

  // The new name appears on every page, and the next sign-in works with the new email address.
  await page.keyboard.press('Escape')
  await page.reload()
  await openProfile(page)
  await expect(field(page, 'Full Name')).toHaveValue('Ada King, Countess of Lovelace')
})

test('the profile reports a change from another browser, and can then be saved at the second attempt', async ({
  page,
  makeAccount,
  openBrowser,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  const other = await openBrowser()
  await signIn(page, ada)
  await signIn(other, ada)
  await openProfile(page)
  await openProfile(other)
  await field(other, 'Full Name').fill('Ada King')
  await update(other).click()
  await expect(toast(other)).toBeVisible()
  await field(page, 'Full Name').fill('A. Lovelace')
  await update(page).click()
  await expect(alert(page)).toHaveText('Somebody else has changed this in the meantime.')
  await expect(field(page, 'Full Name')).toHaveValue('A. Lovelace')
  await update(page).click()
  await expect(toast(page)).toBeVisible()
})

test('a sensitive change asks for the password once if the sign-in is not recent, and is then saved', async ({
  page,
  shop,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await ageSignIns(shop, ada)
  await openProfile(page)
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  const password = question.getByLabel('Password', { exact: true })
  const confirm = question.getByRole('button', { name: 'Confirm' })

  // A change of the name is not sensitive.
  await field(page, 'Full Name').fill('Ada King')
  await update(page).click()
  await expect(toast(page)).toBeVisible()
  await expect(question).toBeHidden()

  // The person cancels.
  await field(page, 'Email').fill(`new.${ada.email}`)
  await update(page).click()
  await expect(password).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await confirm.click()
  await expect(question.getByRole('alert')).toHaveText('Password is required')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(alert(page)).toHaveText('Nothing was changed, because you did not confirm your identity.')
  await expect(update(page)).toBeFocused()
  await expect(dialog(page)).toContainText(`${ada.email} ·`)

  // After a wrong password, the dialog stays open and the session continues.
  await page.keyboard.press('Enter')
  await password.fill('not my password')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toHaveText(WRONG_PASSWORD)
  await expect(password).toHaveValue('not my password')
  await expect(password).toBeFocused()
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(dialog(page)).toContainText(`new.${ada.email} ·`)
  await expect(update(page)).toBeFocused()

  // Further changes soon afterwards do not ask for the password again.
  await field(page, 'Email').fill(ada.email)
  await update(page).click()
  await expect(dialog(page)).toContainText(`${ada.email} ·`)
  await expect(question).toBeHidden()
})

test('with a mail server, the profile shows that a changed email address must be confirmed', async ({
  page,
}) => {
  // No mail server listens at this address, so no email is sent and the new address stays unconfirmed.
  const product = await startProduct({ SMTP_URL: 'smtp://127.0.0.1:9' })
  try {
    await page.goto(`${product.url}/legacy-login`)
    await enter(page, OWNER)
    await openProfile(page)
    await field(page, 'Email').fill('boss@example.com')
    await update(page).click()
    await expect(panel(page).getByText('boss@example.com waits for confirmation')).toBeVisible()
    await expect(panel(page)).toContainText(`Until then ${OWNER.email} stays your address.`)
    await expect(field(page, 'Email')).toHaveValue(OWNER.email)
    await expectAccessibleInBothThemes(page)
  } finally {
    await page.goto('about:blank')
    await product.stop()
  }
})

test('the profile names the rule that a new password violates, and ends every session when a password is accepted', async ({
  page,
  makeAccount,
  openBrowser,
}) => {
  // The test takes long: it provokes a dozen refusals and checks accessibility four times.
  test.slow()
  const ada = await makeAccount('Ada Lovelace')
  const elsewhere = await openBrowser()
  await signIn(elsewhere, ada)
  await signIn(page, ada)
  await openProfile(page, 'Password')
  const [current, next, confirmation] = ['Current Password', 'New Password', 'Confirm New Password'].map(
    (label) => field(page, label),
  )
  if (!current || !next || !confirmation) throw new Error('fields are missing')
  const submit = panel(page).getByRole('button', { name: 'Change Password' })
  const expectRefusal = async (values: [string, string], sentence: string) => {
    await current.fill(values[0])
    await next.fill(values[1])
    await confirmation.fill(values[1])
    await submit.click()
    await expect(alert(page)).toHaveText(`Password Change Error: ${sentence}`)
    await expect(next).toHaveValue(values[1])
  }

  await expectRefusal(['', 'a new lantern'], 'Current password is required')
  await expectRefusal([ada.password, ''], 'New password is required')
  await expectRefusal([ada.password, 'short'], 'New password must be at least 6 characters long')
  await expectRefusal([ada.password, ada.password], 'New password must be different from current password')
  await expectRefusal([ada.password, 'password1'], 'This password is too common. Please choose another.')
  await expectRefusal(['not my password', 'a new lantern'], WRONG_PASSWORD)
  await confirmation.fill('an old lantern')
  await expect(panel(page).getByText('Passwords do not match', { exact: true })).toBeVisible()
  await expect(submit).toBeDisabled()
  await expectAccessibleInBothThemes(page)

  const answers = [
    [400, '', 'Invalid password data'],
    [404, '{"detail":"x"}', 'User not found. Please logout and login again.'],
    [503, '{"detail":"x"}', 'Server error. Please try again or contact support.'],
    [418, '{"detail":"The server is a teapot."}', 'The server is a teapot.'],
    [418, '', 'Failed to change password'],
  ] as const
  for (const [status, body, sentence] of answers) {
    await page.route('**/api/auth/change-password', (route) => route.fulfill({ status, body }))
    await expectRefusal([ada.password, 'a new lantern'], sentence)
    await page.unroute('**/api/auth/change-password')
  }

  await submit.click()
  await expect(page.getByText('Password changed successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  // This browser has signed out by itself, so it shows no message. The other browser shows at once that its session has
  // ended.
  await expect(page.getByText(ENDED)).toBeHidden()
  await expect(elsewhere.getByText(ENDED)).toBeVisible()
  await expectAccessibleInBothThemes(elsewhere)
  await elsewhere.getByRole('link', { name: 'Sign in with username' }).click()
  await expect(elsewhere.getByText(ENDED)).toBeVisible()
  await enter(elsewhere, ada)
  await expect(elsewhere.getByRole('alert')).toHaveText('Incorrect username or password.')
  await expect(elsewhere.getByText(ENDED)).toBeHidden()
  await enter(elsewhere, { ...ada, password: 'a new lantern' })
  await expectSignedIn(elsewhere)
})

test('switching tabs in the profile keeps typed text, and messages never cover the password form', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await openProfile(page)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await field(page, 'Full Name').fill('Ada King')
  await tab('Password').click()
  await field(page, 'Current Password').fill(ada.password)
  await tab('Security').click()
  await expect(panel(page).getByText('This session')).toBeVisible()
  await tab('Profile').click()
  await expect(field(page, 'Full Name')).toHaveValue('Ada King')
  await tab('Password').click()
  await expect(field(page, 'Current Password')).toHaveValue(ada.password)

  // The focus is in the invalid field.
  const submit = panel(page).getByRole('button', { name: 'Change Password' })
  await submit.click()
  await expect(alert(page)).toHaveText('Password Change Error: New password is required')
  await expect(field(page, 'New Password')).toBeFocused()
  // Both texts contain an é, but in two Unicode forms, as two keyboards may produce them.
  await field(page, 'New Password').fill('caf\u00e9 lantern')
  await field(page, 'Confirm New Password').fill('cafe\u0301 lantern')
  await expect(panel(page).getByText('Passwords do not match')).toBeHidden()

  const held = await holdBack(page, '**/api/auth/change-password')
  await submit.click()
  await page.keyboard.press('Escape')
  await tab('Profile').click()
  await expect(dialog(page)).toBeVisible()
  held.letGo()
  await expect(page.getByText('Password changed successfully!')).toBeVisible()
  for (const name of ['Profile', 'Security']) await expect(tab(name)).toBeDisabled()
  await expect(page).toHaveURL(/\/login$/)
})

test('in the profile, people can see all of their sessions, and can end a single one or all others', async ({
  page,
  makeAccount,
  openBrowser,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  const [second, third] = [await openBrowser(), await openBrowser()]
  for (const browser of [second, third, page]) await signIn(browser, ada)
  await page.route('**/api/auth/sessions*', (route) => route.fulfill({ status: 404, body: '' }))
  await openProfile(page, 'Security')
  await expect(alert(page)).toContainText('Your sessions could not be loaded.')
  await page.unroute('**/api/auth/sessions*')
  await panel(page).getByRole('button', { name: 'Retry' }).click()

  const sessions = panel(page).getByRole('listitem')
  await expect(sessions).toHaveCount(3)
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1)
  await expect(sessions.filter({ hasText: 'This session' })).toContainText(/127\.0\.0\.1 · in use now/)
  await expect(sessions.filter({ hasText: 'This session' }).getByRole('button')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  // The list begins with the newest session: the third browser, then the second.
  await sessions
    .nth(1)
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(sessions).toHaveCount(2)
  await expect(third.getByText(ENDED)).toBeVisible()
  await second.reload()
  await expectSignedIn(second)

  await panel(page).getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(sessions).toHaveCount(1)
  await expect(panel(page).getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0)
  await expect(second.getByText(ENDED)).toBeVisible()
  await page.reload()
  await expectSignedIn(page)
})

test('signing out does not show the message that the session has ended', async ({ page, makeAccount }) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true })
  if (await signOut.isVisible()) await signOut.click()
  else {
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await expect(page.getByText(ENDED)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await expect(page.getByText(ENDED)).toBeHidden()
})
