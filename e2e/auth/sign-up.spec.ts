import type { APIRequestContext, Page } from '@playwright/test'
import { OWNER, expect, expectAccessible, test } from '../support/fixtures.ts'
import { startProduct } from '../support/harness.ts'

// These tests provoke refusals, and the browser logs each as an error. Links without a session are logged as
// well.
test.use({ allowedProblem: /status of 4(00|03|22|29)|The link of a mail brought no session/ })

const PASSWORD = 'seven grey pelicans'
const CREATED = 'Account created! Please check your email to verify your account, or try logging in.'
const MUST_BE_APPROVED = 'An administrator must approve your account before you can sign in.'
const LINK_REFUSED = 'Email link is invalid or has expired'
const PASSED_ON = 'This server sends no emails. An administrator can give you the link.'
const LINK_READY = 'a link has been created. An administrator can give it to you.'
const PROMISES_MAIL = /We will email you|email is on its way/

/** Returns an email address of this test only, because tests share a server. */
const addressOf = (name: string): string =>
  `${name}.${test.info().project.name}.${test.info().repeatEachIndex}@example.com`

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })
const alert = (page: Page) => page.getByRole('alert').first()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Follows a link to the sign-in page, and waits for it. The form of the earlier page has an email field, too. */
async function followToSignIn(page: Page, link: string): Promise<void> {
  await page.getByRole('link', { name: link }).click()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
}

async function signIn(page: Page, address: string, secret: string): Promise<void> {
  await email(page).fill(address)
  await password(page).fill(secret)
  await press(page, 'Sign In')
}

async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
  await expect(page).toHaveURL(/:\d+\/$/)
}

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const isDark = colorScheme === 'dark'
    await expect(page.locator('html')).toHaveClass(isDark ? /\bdark\b/ : /^(?!.*\bdark\b)/)
    await expectAccessible(page)
  }
}

/** Checks that neither the address nor the history contains the values of the mailed link. */
async function expectNothingOfTheLinkLeft(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const { entries } = await client.send('Page.getNavigationHistory')
  const addresses = entries.map(({ url }) => url)
  expect(addresses.filter((url) => /token|code|message/i.test(url))).toEqual([])
  await client.detach()
}

async function asOwner(request: APIRequestContext): Promise<{ authorization: string }> {
  const data = { username: OWNER.username, password: OWNER.password }
  const answer = await request.post('/auth/login', { data })
  const { access_token: token } = await answer.json()
  return { authorization: `Bearer ${token}` }
}

/** Returns the newest link that was mailed to an address. */
async function linkTo(request: APIRequestContext, address: string): Promise<string> {
  const answer = await request.get('/api/outbox-mails', { headers: await asOwner(request) })
  const mails: { to: string; links: string[] }[] = await answer.json()
  const link = mails.find((mail) => mail.to === address)?.links[0]
  if (!link) throw new Error(`No mail to ${address} among ${mails.length}`)
  return link
}

async function createUser(request: APIRequestContext, user: Record<string, unknown>): Promise<void> {
  const headers = await asOwner(request)
  const answer = await request.post('/api/auth/users', { headers, data: user })
  expect(answer.status(), await answer.text()).toBe(201)
}

test('a new account can sign in only after its email address is confirmed and an administrator approves it', async ({
  page,
}) => {
  const address = addressOf('ada')
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await press(page, 'Need an account? Sign up')
  await expect(page.getByRole('heading', { name: 'Create Ops Account' })).toBeVisible()
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAttribute('autocomplete', 'email')
  await expect(password(page)).toHaveAttribute('autocomplete', 'new-password')
  await expectAccessibleInBothThemes(page)

  // A password that is too short is refused, and so is one that is too common.
  await email(page).fill(address)
  await password(page).fill('abc')
  await page.keyboard.press('Enter')
  await expect(alert(page)).toHaveText('Password should be at least 6 characters.')
  await password(page).fill('password1')
  await page.keyboard.press('Enter')
  await expect(alert(page)).toHaveText(
    'Password is known to be weak and easy to guess, please choose a different one.',
  )
  await expect(page.getByText(/A few unrelated words are safer\./)).toBeVisible()
  await expect(password(page)).toBeFocused()
  await expectAccessibleInBothThemes(page)

  // A valid password creates the account, but no session.
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText(CREATED, { exact: true })).toBeVisible()
  await expect(page.getByText(PASSED_ON, { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await expect(email(page)).toHaveValue(address)
  await expect(password(page)).toBeFocused()
  await expect(password(page)).toHaveValue('')
  await expectAccessibleInBothThemes(page)
  await signIn(page, address, PASSWORD)
  await expect(alert(page)).toContainText('Email not confirmed')
  await press(page, 'Request another link')
  await expect(alert(page)).toContainText('For security purposes, you can only request this after')

  // After the email address is confirmed, the account still needs an approval.
  const link = await linkTo(page.request, address)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
  await expect(page.getByText(MUST_BE_APPROVED)).toBeVisible()
  await expect(page).toHaveURL(/\/verify-email$/)
  await expectNothingOfTheLinkLeft(page)
  await expectAccessibleInBothThemes(page)
  await followToSignIn(page, 'Go to sign in')
  await signIn(page, address, PASSWORD)
  await expect(alert(page)).toHaveText(MUST_BE_APPROVED)
  await page.getByRole('link', { name: 'Sign in with username' }).click()
  await page.getByLabel('Username').fill(address)
  await password(page).fill(PASSWORD)
  await press(page, 'Sign In')
  await expect(alert(page)).toHaveText(MUST_BE_APPROVED)

  // The link works only once.
  await page.goto(link)
  await expect(alert(page)).toContainText(LINK_REFUSED)
  await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
  await expectNothingOfTheLinkLeft(page)
  await expectAccessibleInBothThemes(page)
  await email(page).fill(addressOf('nobody'))
  await press(page, 'Request link')
  await expect(page.getByRole('status')).toHaveText(
    `If an account with this address waits for confirmation, ${LINK_READY}`,
  )

  const headers = { ...(await asOwner(page.request)), 'if-match': '*' }
  const found = await page.request.get(`/api/auth/users?search=${address}`, { headers })
  const [{ id }] = await found.json()
  const data = { approved: true }
  expect((await page.request.patch(`/api/auth/users/${id}`, { headers, data })).status()).toBe(200)
  await page.goto('/login')
  await signIn(page, address, PASSWORD)
  await expectSignedIn(page)
})

test('after an approval, the mailed link of the sign-up leads to the sign-in page', async ({ page }) => {
  const address = addressOf('early')
  const made = await page.request.post('/auth/v1/signup?redirect_to=/verify-email', {
    data: { email: address, password: PASSWORD },
  })
  const { id } = await made.json()
  const link = await linkTo(page.request, address)
  const headers = { ...(await asOwner(page.request)), 'if-match': '*' }
  const approved = await page.request.patch(`/api/auth/users/${id}`, { headers, data: { approved: true } })
  expect(approved.status(), await approved.text()).toBe(200)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Account ready' })).toBeVisible()
  await expect(page.getByText('Your account is ready.', { exact: true })).toBeVisible()
  await expectNothingOfTheLinkLeft(page)
  await followToSignIn(page, 'Go to sign in')
  await signIn(page, address, PASSWORD)
  await expectSignedIn(page)
})

test('a person can replace a forgotten password through a mailed link, and the link works only once', async ({
  page,
}) => {
  const address = addressOf('grace')
  const old = { email: address, username: address.split('@')[0], password: PASSWORD, role: 'staff' }
  await createUser(page.request, { ...old, full_name: 'Grace Hopper' })
  await page.goto('/login?next=%2F%3Ftab%3Dinventory')
  await email(page).fill(address)
  await press(page, 'Forgot password?')
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await expect(page.getByText('An administrator can give you a link')).toBeVisible()
  await expect(page.getByText(PROMISES_MAIL)).toHaveCount(0)
  await expect(email(page)).toHaveValue(address)
  await expect(email(page)).toBeFocused()
  await expectAccessibleInBothThemes(page)
  for (const asked of [addressOf('stranger'), address]) {
    await email(page).fill(asked)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status')).toHaveText(`If an account with this address exists, ${LINK_READY}`)
  }
  await expectAccessibleInBothThemes(page)
  await press(page, 'Request another link')
  await expect(alert(page)).toContainText('For security purposes, you can only request this after')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()

  const link = await linkTo(page.request, address)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expect(page).toHaveURL(/\/reset-password$/)
  await expectNothingOfTheLinkLeft(page)
  await expect(page.getByText(address)).toBeVisible()
  // The session is stored, so a reload keeps it.
  await page.reload()
  const next = page.getByRole('textbox', { name: 'New Password', exact: true })
  const confirmation = page.getByRole('textbox', { name: 'Confirm New Password' })
  await expect(next).toBeFocused()
  await expect(next).toHaveAttribute('autocomplete', 'new-password')
  await page.keyboard.press('Enter')
  await expect(alert(page)).toHaveText('New password is required')
  await next.fill('abc')
  await confirmation.fill('abcd')
  await expect(alert(page)).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save password' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await confirmation.fill('abc')
  await page.keyboard.press('Enter')
  await expect(alert(page)).toHaveText('New password must be at least 6 characters long')
  for (const [choice, refusal] of [
    ['password1', 'Password is known to be weak and easy to guess, please choose a different one.'],
    [PASSWORD, 'New password should be different from the old password.'],
  ] as const) {
    await next.fill(choice)
    await confirmation.fill(choice)
    await page.keyboard.press('Enter')
    await expect(alert(page)).toHaveText(refusal)
  }
  const chosen = 'nine amber lighthouses'
  await next.fill(chosen)
  await confirmation.fill(chosen)
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  await expectNothingOfTheLinkLeft(page)

  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await expect(alert(page)).toContainText(LINK_REFUSED)
  await expectNothingOfTheLinkLeft(page)
  await expectAccessibleInBothThemes(page)
  await followToSignIn(page, 'Back to sign in')
  await signIn(page, address, PASSWORD)
  await expect(alert(page)).toHaveText('Invalid login credentials')
  await signIn(page, address, chosen)
  await expectSignedIn(page)
  // The page for a new password opens only through a mailed link.
  await page.goto('/reset-password')
  await expectSignedIn(page)
})

test('an invited person is welcomed, chooses a password and is signed in', async ({ page }) => {
  const address = addressOf('mary')
  const invited = { email: address, username: address.split('@')[0], full_name: 'Mary Jackson' }
  await createUser(page.request, { ...invited, role: 'employee' })
  await page.goto(await linkTo(page.request, address))
  await expect(page.getByRole('heading', { name: 'Welcome to Pegasus Ops, Mary Jackson' })).toBeVisible()
  await expectNothingOfTheLinkLeft(page)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('textbox', { name: 'New Password', exact: true }).fill(PASSWORD)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
})

test('a mailed link that was requested with a code challenge works only in the browser that requested it', async ({
  page,
  browser,
  baseURL,
}) => {
  const address = addressOf('dorothy')
  await createUser(page.request, { email: address, username: address.split('@')[0], password: PASSWORD })
  const verifier = 'v'.repeat(64)
  const data = { email: address, code_challenge: verifier, code_challenge_method: 'plain' }
  const redirectTo = encodeURIComponent(`${baseURL}/reset-password`)
  await page.request.post(`/auth/v1/recover?redirect_to=${redirectTo}`, { data })
  const answer = await page.request.get(await linkTo(page.request, address), { maxRedirects: 0 })
  const landing = answer.headers().location ?? ''
  expect(landing).toMatch(/\/reset-password\?code=/)

  const other = await browser.newContext()
  const stranger = await other.newPage()
  await stranger.goto(landing)
  await expect(alert(stranger)).toContainText('This link could not be used.')
  await expectNothingOfTheLinkLeft(stranger)
  await other.close()

  await page.goto('/login')
  await page.evaluate(
    (stored) => localStorage.setItem('pegasus-ops-auth-code-verifier', JSON.stringify(stored)),
    `${verifier}/recovery`,
  )
  await page.goto(landing)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expect(page.getByText(address)).toBeVisible()
  await expectNothingOfTheLinkLeft(page)
})

test('with open sign-ups, a new account is signed in immediately, and a second sign-up with its address is refused', async ({
  page,
}) => {
  const product = await startProduct({ SIGNUPS: 'open' })
  try {
    const address = addressOf('joan')
    await page.goto(`${product.url}/login`)
    await press(page, 'Need an account? Sign up')
    await press(page, 'Already have an account? Sign in')
    await press(page, 'Need an account? Sign up')
    await expect(page.getByRole('heading', { name: 'Create Ops Account' })).toBeVisible()
    await email(page).fill(address)
    await password(page).fill(PASSWORD)
    let letGo = (): void => {}
    const mayGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/auth/v1/signup*', async (route) => {
      await mayGo
      await route.continue()
    })
    await press(page, 'Create Account')
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
    letGo()
    await expectSignedIn(page)

    await page.evaluate(() => localStorage.clear())
    await page.goto(`${product.url}/login?view=sign-up`)
    await email(page).fill(address)
    await password(page).fill(PASSWORD)
    await press(page, 'Create Account')
    await expect(alert(page)).toHaveText('User already registered')
    await expect(email(page)).toHaveValue(address)
    await expect(email(page)).toBeFocused()
  } finally {
    await product.stop()
  }
})

test('with a mail server, the screens promise an email instead of a link from an administrator', async ({
  page,
}) => {
  // No mail server listens at this address, so the email stays unsent. The message is the same.
  const product = await startProduct({ SMTP_URL: 'smtp://127.0.0.1:9' })
  try {
    const passedOn = page.getByText(/can give/)
    await page.goto(`${product.url}/login?view=forgot-password`)
    await expect(page.getByText('We will email you a link for choosing a new password.')).toBeVisible()
    await email(page).fill(OWNER.email)
    await press(page, 'Request link')
    await expect(page.getByRole('status')).toHaveText(
      'If an account with this address exists, an email is on its way.',
    )
    await expect(passedOn).toHaveCount(0)
    await page.goto(`${product.url}/login?view=sign-up`)
    const address = addressOf('katherine')
    await email(page).fill(address)
    await password(page).fill(PASSWORD)
    await press(page, 'Create Account')
    await expect(page.getByText(CREATED, { exact: true })).toBeVisible()
    await expect(passedOn).toHaveCount(0)
    await expectAccessibleInBothThemes(page)
    await page.goto(`${product.url}/verify-email`)
    await expect(page.getByText('We will email you a link that confirms your email address.')).toBeVisible()
  } finally {
    await product.stop()
  }
})

test('with closed sign-ups, no screen offers a sign-up and the server refuses every attempt', async ({
  page,
}) => {
  const product = await startProduct({ SIGNUPS: 'closed' })
  try {
    await page.goto(`${product.url}/login`)
    await expect(page.getByRole('button', { name: 'Forgot password?' })).toBeVisible()
    await expect(page.getByText('Need an account? Sign up')).toHaveCount(0)
    await page.goto(`${product.url}/login?view=sign-up`)
    await expect(page.getByText('Sign-ups are closed')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
    await expectAccessibleInBothThemes(page)
    const data = { email: addressOf('joan'), password: PASSWORD }
    const answer = await page.request.post(`${product.url}/auth/v1/signup`, { data })
    expect(answer.status()).toBe(422)
  } finally {
    await product.stop()
  }
})
