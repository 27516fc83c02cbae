import type { Page } from '@playwright/test'
import { enter, expect, expectSignedIn, openProfile, OWNER, signIn, test } from '../support/sign-in.ts'
import { Authenticator } from '../support/totp.ts'

// The test uses a revoked key, and the browser logs the refusals as errors.
test.use({ allowedProblem: /status of 40[13]/ })

const PASSWORD = 'seven grey pelicans'

/** Calls the server like a program that uses only HTTP and its key. */
async function call(url: string, init: RequestInit = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(url, init)
  return { status: response.status, body: await response.text() }
}

const findText = (page: Page, sentence: string) => page.getByText(sentence).first()

async function addColleague(page: Page, username: string): Promise<void> {
  await page.goto('/?tab=people')
  await page.getByRole('button', { name: 'Add person' }).click()
  const form = page.getByRole('dialog', { name: 'Add person' })
  await form.getByLabel('Email').fill(`${username}@example.com`)
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Full name').fill('Joy Okonkwo')
  await form.getByLabel('Role').selectOption('staff')
  await form.getByText('With a password').click()
  await form.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await form.getByRole('button', { name: 'Add person' }).click()
  await expect(findText(page, `${username} can sign in now.`)).toBeVisible()
}

/** Signs in, sets up a second factor immediately, and signs in again with both steps. */
async function signInWithTwoSteps(page: Page, username: string): Promise<void> {
  await signIn(page, { username, password: PASSWORD })
  await openProfile(page, 'Security')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  const enrollment = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const phone = new Authenticator(await enrollment.locator('.font-mono').innerText())
  await page.getByLabel('Code', { exact: true }).fill(phone.next())
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.goto('/healthz')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/legacy-login')
  await enter(page, { username, password: PASSWORD })
  await expect(
    page.getByRole('heading', { name: 'Enter the code from your authenticator app' }),
  ).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(phone.next())
  await expectSignedIn(page)
}

const readKey = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog', { name: 'Store the new key' })
  await expect(dialog).toBeVisible()
  const key = await dialog.locator('code').first().innerText()
  await dialog
    .getByRole('button', { name: /^(I have stored the key|Close)$/ })
    .last()
    .click()
  return key
}

test('a colleague signs in with two steps, and the audit has an entry for each change of an API key', async ({
  page,
  openBrowser,
}) => {
  test.slow()
  const username = 'okonkwo.walk'
  await signIn(page, OWNER)
  await addColleague(page, username)
  await signInWithTwoSteps(await openBrowser(), username)

  await page.goto('/?tab=api-keys')
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const form = page.getByRole('dialog', { name: 'Create New API Key' })
  const owner = form.getByLabel('User')
  await owner.selectOption(await owner.locator('option', { hasText: username }).getAttribute('value'))
  await form.getByLabel('Label').fill('Main shop')
  await form.getByRole('button', { name: 'Create API Key' }).click()
  const key = await readKey(page)

  const base = new URL(page.url()).origin
  const order = { order_number: 'WALK-1', customer_name: 'Ada', total_amount: 24.5, items: [] }
  const post = (token: string) =>
    call(`${base}/api/integration/orders`, {
      method: 'POST',
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    })
  const read = (token: string) => call(`${base}/api/integration/stock`, { headers: { 'X-API-Key': token } })
  const sent = await post(key)
  expect([sent.status, JSON.parse(sent.body)]).toEqual([
    201,
    expect.objectContaining({ order_number: 'WALK-1' }),
  ])
  expect((await post(key)).status).toBe(200)
  expect((await read(key)).status).toBe(200)
  // Calls outside the key's scopes are refused.
  expect((await call(`${base}/api/auth/users`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(
    403,
  )

  await page.getByRole('button', { name: 'Details of Main shop' }).click()
  const details = page.getByRole('dialog', { name: 'API Key Details' })
  await expect(details.getByRole('region', { name: 'Last calls' })).toContainText('403')
  await details.getByRole('button', { name: 'Rotate' }).click()
  const rotated = await readKey(page)
  expect([(await read(key)).status, (await read(rotated)).status]).toEqual([401, 200])

  await details.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expect(findText(page, 'API key deleted successfully!')).toBeVisible()
  expect((await read(rotated)).status).toBe(401)

  await page.goto('/?tab=audit')
  const entries = page.getByRole('list', { name: 'Audit entries' })
  await expect(entries).toContainText('Main shop')
  const response = await page.request.get('/api/audit?limit=100', {
    headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` },
  })
  const actions = ((await response.json()) as { action: string }[]).map(({ action }) => action)
  expect(actions).toEqual(
    expect.arrayContaining([
      'account.created',
      'session.opened',
      'factor.enrolled',
      'api_key.created',
      'access.refused',
      'api_key.rotated',
      'api_key.deleted',
    ]),
  )
  expect(await response.text()).not.toContain(key.slice(17, 40))
})
