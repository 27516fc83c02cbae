import type { Page } from '@playwright/test'
import { expect, expectSignedIn, openProfile, OWNER, signIn, test } from '../support/sign-in.ts'
import {
  type Answer,
  button,
  expectBusy,
  holdBack,
  noAnswer,
  proxyPage,
  findText,
  whileAnswered,
  WORDLESS,
} from '../support/faults.ts'

// These tests provoke refusals, which the browser logs as errors. It also logs each link that opened no session.
test.use({ allowedProblem: /status of (40[0134]|418|5\d\d)|ERR_FAILED|opened no session/ })

const NEW_PASSWORD = 'a lantern in the harbour'

const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })
const alert = (page: Page) => page.getByRole('alert').first()
const field = (page: Page, label: string) => page.getByRole('tabpanel').getByLabel(label, { exact: true })

test('the username screen explains its purpose, and has a text for each error and for a running request', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await page.goto('/legacy-login')
  await expect(page.getByRole('heading', { name: 'Pegasus Ops', level: 1 })).toBeVisible()
  await expect(page.getByText('Operations Management System', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page.getByPlaceholder('Enter your username')).toHaveAttribute('required')
  await expect(page.getByPlaceholder('Enter your password')).toHaveAttribute('required')
  await expect(page.getByText('Need Access?', { exact: true })).toBeVisible()
  await expect(
    page.getByText('Contact your system administrator to get login credentials.', { exact: false }),
  ).toContainText('Credentials are not displayed publicly.')
  await expect(page.locator('footer')).toHaveText('Pegasus Ops · Operations Management System')

  await button(page, 'Sign In').click()
  await expect(page.getByText('Username is required', { exact: true })).toBeVisible()
  await expect(page.getByText('Password is required', { exact: true })).toBeVisible()

  await page.getByLabel('Username').fill(ada.username)
  await password(page).fill('not my password')
  await button(page, 'Show password').click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await button(page, 'Hide password').click()
  await expect(password(page)).toHaveAttribute('type', 'password')
  await button(page, 'Sign In').click()
  await expect(alert(page)).toHaveText('Incorrect username or password.')
  await expect(alert(page)).toHaveClass(/bg-red-soft/)
  const [box, first] = [await alert(page).boundingBox(), await page.getByLabel('Username').boundingBox()]
  expect(box?.y ?? 0).toBeLessThan(first?.y ?? 0)

  const answers = [...WORDLESS, { name: 'no answer', answer: noAnswer }]
  for (const { name, answer } of answers)
    await whileAnswered(page, '**/auth/login', answer, async () => {
      await button(page, 'Sign In').click()
      await expect(button(page, 'Sign In')).toBeEnabled()
      await expect(alert(page), name).toHaveText('Login failed')
      await expect(page.getByLabel('Username')).toHaveValue(ada.username)
      await expect(password(page)).toHaveValue('not my password')
    })

  const held = await holdBack(page, '**/auth/login')
  await password(page).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expectBusy(page, 'Signing In...')
  await expect(alert(page)).toBeHidden()
  held.letGo()
  await expectSignedIn(page)
  expect(held.count).toBe(1)
})

test('the username screen links to the page for a forgotten password, and the link keeps the requested page in its URL', async ({
  page,
}) => {
  await page.goto('/legacy-login?next=%2F%3Ftab%3Dinventory')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/?tab=inventory')
  await page.goBack()
  await expect(page.getByText('Need Access?')).toBeVisible()
})

test("the email screen shows the auth service's message, or a default message if there is none", async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await page.goto('/login')
  await page.getByLabel('Email').fill(ada.email)
  await password(page).fill('not my password')
  await button(page, 'Sign In').click()
  await expect(alert(page)).toHaveText('Invalid login credentials')
  for (const { name, answer } of WORDLESS)
    await whileAnswered(page, '**/auth/v1/token*', answer, async () => {
      await button(page, 'Sign In').click()
      await expect(button(page, 'Sign In')).toBeEnabled()
      await expect(alert(page), name).toHaveText('Login failed')
      await expect(password(page)).toHaveValue('not my password')
    })
  await whileAnswered(page, '**/auth/v1/token*', noAnswer, async () => {
    await button(page, 'Sign In').click()
    await expect(alert(page)).toHaveText('The server cannot be reached. Check the connection and try again.')
  })

  await button(page, 'Need an account? Sign up').click()
  await expect(page.getByRole('heading', { name: 'Create Ops Account' })).toBeVisible()
  await password(page).fill(NEW_PASSWORD)
  for (const { name, answer } of WORDLESS)
    await whileAnswered(page, '**/auth/v1/signup*', answer, async () => {
      await button(page, 'Create Account').click()
      await expect(button(page, 'Create Account')).toBeEnabled()
      await expect(alert(page), name).toHaveText('Sign-up failed')
      await expect(password(page)).toHaveValue(NEW_PASSWORD)
    })
  await button(page, 'Already have an account? Sign in').click()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()

  const held = await holdBack(page, '**/auth/v1/token*')
  await password(page).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expectBusy(page, 'Signing in...')
  held.letGo()
  await expectSignedIn(page)
  expect(held.count).toBe(1)
})

test("a page opened through a mailed link without a session shows a message and logs the auth client's error", async ({
  page,
}) => {
  const logged = page.waitForEvent('console', (message) => message.text().includes('opened no session'))
  await page.goto('/reset-password#access_token=x&type=recovery')
  await expect(alert(page)).toContainText('This link could not be used.')
  expect((await logged).text()).toContain('No session defined in URL')
  await expect(page).toHaveURL(/\/reset-password$/)
})

test('the app shows a message while it is starting, and while it is loading a page', async ({ page }) => {
  await signIn(page, OWNER)
  const me = await holdBack(page, '**/api/auth/me')
  const room = await holdBack(page, '**/assets/accounts-page-*.js')
  await page.goto('/admin/media')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await page.goto('/?tab=people')
  await expect(page.getByText('Loading Pegasus Ops...', { exact: true })).toBeVisible()
  me.letGo()
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  room.letGo()
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeAttached()
})

test('after a change of the password, the app shows two messages in turn and then reloads at /', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await page.clock.install()
  // Set the route before the page loads. A page that is open may send its next request before a new route works.
  const held = await holdBack(page, '**/api/auth/change-password')
  await page.goto('/?tab=inventory')
  await openProfile(page, 'Password')
  await field(page, 'Current Password').fill(ada.password)
  await field(page, 'New Password').fill(NEW_PASSWORD)
  await field(page, 'Confirm New Password').fill(NEW_PASSWORD)
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expectBusy(page, 'Changing Password...')
  held.letGo()
  const changed = page.getByText('Password changed successfully!', { exact: true })
  const leaving = page.getByText('Logging out to apply password change...', { exact: true })
  await expect(changed).toBeVisible()
  await page.clock.runFor(2900)
  await expect(changed).toBeVisible()
  await expect(leaving).toBeHidden()
  await page.clock.runFor(100)
  await expect(leaving).toBeVisible()
  await page.clock.runFor(1400)
  await expect(leaving).toBeVisible()
  await expect(page).toHaveURL(/\/\?tab=inventory$/)
  const start = page.waitForRequest((request) => request.isNavigationRequest())
  await page.clock.runFor(100)
  // The sign-out uses timers, so let the clock run again.
  await page.clock.resume()
  expect(new URL((await start).url()).pathname).toBe('/')
  await expect(page).toHaveURL(/\/login$/)
  expect(held.count).toBe(1)
})

test("every profile form shows a default message if the server's response has no message", async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await openProfile(page)
  await field(page, 'Full Name').fill('Ada King')
  const profileAnswers: readonly [Answer, string][] = [
    ...WORDLESS.map(({ answer }): [Answer, string] => [answer, 'Failed to update profile']),
    [noAnswer, 'Failed to update profile'],
    [(route) => route.fulfill({ status: 418, json: { detail: 'A teapot.' } }), 'A teapot.'],
  ]
  for (const [answer, sentence] of profileAnswers)
    await whileAnswered(page, '**/api/auth/profile', answer, async () => {
      await button(page, 'Update Profile').click()
      await expect(button(page, 'Update Profile')).toBeEnabled()
      await expect(alert(page)).toHaveText(sentence)
      await expect(field(page, 'Full Name')).toHaveValue('Ada King')
    })
  const held = await holdBack(page, '**/api/auth/profile')
  await button(page, 'Update Profile').click()
  await expectBusy(page, 'Updating Profile...')
  held.letGo()
  await expect(findText(page, 'Profile updated successfully!')).toBeVisible()

  await page.getByRole('tab', { name: 'Password' }).click()
  await field(page, 'Current Password').fill(ada.password)
  await field(page, 'New Password').fill(NEW_PASSWORD)
  await field(page, 'Confirm New Password').fill(NEW_PASSWORD)
  const passwordAnswers: readonly [Answer, string][] = [
    [proxyPage(400), 'Invalid password data'],
    [proxyPage(401), 'Current password is incorrect. Please check your current password and try again.'],
    [proxyPage(404), 'User not found. Please logout and login again.'],
    [proxyPage(502), 'Server error. Please try again or contact support.'],
    [proxyPage(418), 'Failed to change password'],
    [noAnswer, 'Failed to change password'],
  ]
  for (const [answer, sentence] of passwordAnswers)
    await whileAnswered(page, '**/api/auth/change-password', answer, async () => {
      await button(page, 'Change Password').click()
      await expect(button(page, 'Change Password')).toBeEnabled()
      await expect(alert(page)).toHaveText(`Password Change Error: ${sentence}`)
    })

  // The button is disabled, so submit the form as a script could do it.
  await field(page, 'Confirm New Password').fill('another lantern')
  await button(page, 'Change Password').evaluate((submit: HTMLButtonElement) => submit.form?.requestSubmit())
  await expect(alert(page)).toHaveText('Password Change Error: New password and confirmation do not match')
  await expect(field(page, 'Confirm New Password')).toBeFocused()
})

test('a password reset shows a default message if the response has no message', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, OWNER)
  await openProfile(page, 'Admin')
  await button(page, 'Reset User Password').click()
  const dialog = page.getByRole('dialog', { name: 'Reset User Password' })
  await dialog.getByRole('searchbox').fill(ada.email)
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await dialog.getByRole('radiogroup').getByText(ada.fullName).click()
  await dialog.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await dialog.getByLabel('Confirm New Password', { exact: true }).fill(NEW_PASSWORD)
  const submit = button(page, 'Reset Password')
  const answers: readonly [Answer, string][] = [
    [proxyPage(400), 'Invalid password data'],
    [proxyPage(403), 'Access denied. Admin privileges required.'],
    [proxyPage(404), 'User not found'],
    [proxyPage(502), 'Server error. Please try again later.'],
    [noAnswer, 'Failed to reset password'],
  ]
  for (const [answer, sentence] of answers)
    await whileAnswered(page, '**/api/auth/admin/reset-password', answer, async () => {
      await submit.click()
      await expect(submit).toBeEnabled()
      await expect(dialog.getByRole('alert').first()).toHaveText(`Reset Error: ${sentence}`)
    })
  const held = await holdBack(page, '**/api/auth/admin/reset-password')
  await submit.click()
  await expectBusy(page, 'Resetting...')
  held.letGo()
  await expect(
    findText(page, 'Password reset successfully! Give the new password to Ada Lovelace.'),
  ).toBeVisible()

  await button(page, 'Reset User Password').click()
  await dialog.getByRole('searchbox').fill(ada.email)
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await dialog.getByRole('radiogroup').getByText(ada.fullName).click()
  await dialog.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await submit.evaluate((there: HTMLButtonElement) => there.form?.requestSubmit())
  await expect(dialog.getByRole('alert').first()).toHaveText('Reset Error: Passwords do not match')
})

test('a typed email address is kept between the forms of the email screen', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('ada@example.com')
  await button(page, 'Forgot password?').click()
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await page.goBack()
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
})
