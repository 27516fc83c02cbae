import type { OutboxMail } from '@pegasus/contracts/mail'
import type { Page } from '@playwright/test'
import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { type Product, startProduct } from '../support/harness.ts'
import {
  enter,
  expectAccessibleInBothThemes,
  expectSignedIn,
  forgetSession,
  openProfile,
  signIn,
} from '../support/sign-in.ts'

const PHONE = '15555550100'
const OWN_PHONE = '493012345678'
const ADA = { username: 'ada', password: 'Calm-Analytical-Engine-1843' }

/** Starts a product that allows phone numbers. Its text messages stay in the outbox. */
const test = base.extend<object, { phones: Product }>({
  phones: [
    async ({}, use) => {
      const product = await startProduct({
        GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
        GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
        GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
        GOTRUE_SMS_MAX_FREQUENCY: '1s',
        GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1s',
      })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ phones }, use) => {
    await use(phones.url)
  },
})

// The test provokes refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[034]|422)/ })

type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Signs the owner in. Returns a function that sends requests in this session. */
async function asOwner({ url }: Product): Promise<Call> {
  const call = async (method: string, path: string, body?: object, token?: string): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { username, password } = OWNER
  const session = (await call('POST', '/auth/login', { username, password })) as { access_token: string }
  return (method, path, body) => call(method, path, body, session.access_token)
}

/** Returns the code in the newest message to a number. Waits until it differs from the code `not`. */
async function codeTo(owner: Call, phone: string, not = ''): Promise<string> {
  let code = not
  await expect(async () => {
    const mails = (await owner('GET', '/api/outbox-mails')) as OutboxMail[]
    code = /\d{6}/.exec(mails.find(({ to }) => to === `+${phone}`)?.text ?? '')?.[0] ?? not
    expect(code).not.toBe(not)
  }).toPass()
  return code
}

const wrongCode = (code: string): string =>
  code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const codeField = (page: Page) => page.getByLabel('Code', { exact: true })
const numberField = (page: Page) => page.getByLabel('Phone number')
const BAD_NUMBER = 'Enter the phone number with its country code, such as +1 555 555 0100.'
const BAD_CODE = 'This code is wrong, expired or already used. Please request another one.'

test('a person can add a phone as a second factor, and can sign in with a phone number without a password', async ({
  page,
  phones,
}) => {
  const owner = await asOwner(phones)
  await owner('POST', '/api/auth/users', {
    ...ADA,
    email: 'ada@example.com',
    full_name: 'Ada Lovelace',
    role: 'staff',
  })
  await signIn(page, ADA)
  await openProfile(page, 'Security')
  await press(page, 'Text messages to a phone')
  const dialog = page.getByRole('dialog', { name: 'Text messages as a second factor' })
  await numberField(page).fill('0555 5550100')
  await press(page, 'Send code')
  await expect(dialog.getByRole('alert')).toHaveText(BAD_NUMBER)
  await expectAccessibleInBothThemes(page)
  await numberField(page).fill('+1 (555) 555-0100')
  await press(page, 'Send code')
  await expect(codeField(page)).toBeVisible()
  const first = await codeTo(owner, PHONE)
  await codeField(page).fill(wrongCode(first))
  await press(page, 'Verify and turn on')
  await expect(dialog.getByRole('alert')).toHaveText(BAD_CODE)
  await codeField(page).fill(first)
  await press(page, 'Verify and turn on')
  await press(page, 'I have stored them')
  await expect(page.getByRole('list', { name: 'Authenticators' }).getByRole('listitem')).toContainText([
    'Phone ending in 0100',
  ])

  await forgetSession(page)
  await page.goto('/legacy-login')
  await enter(page, ADA)
  await expect(page.getByRole('heading', { name: 'Get a code on your phone' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await press(page, 'Send code')
  await expect(page.getByRole('heading', { name: 'Enter the code from the message' })).toBeVisible()
  await codeField(page).fill(await codeTo(owner, PHONE, first))
  await press(page, 'Verify')
  await expectSignedIn(page)

  // The owner signs in with the phone number, without a password.
  await owner('PUT', '/auth/v1/user', { phone: `+${OWN_PHONE}` })
  const token = await codeTo(owner, OWN_PHONE)
  await owner('POST', '/auth/v1/verify', { type: 'phone_change', phone: OWN_PHONE, token })
  await forgetSession(page)
  await page.goto('/login')
  await press(page, 'Sign in with a text message')
  await numberField(page).fill('+49 30 1234-5678')
  await expectAccessibleInBothThemes(page)
  await press(page, 'Send code')
  await expect(page.getByRole('heading', { name: 'Enter the code from the message' })).toBeVisible()
  const second = await codeTo(owner, OWN_PHONE, token)
  await codeField(page).fill(wrongCode(second))
  await press(page, 'Sign In')
  await expect(page.getByRole('alert')).toHaveText(BAD_CODE)
  await codeField(page).fill(second)
  await press(page, 'Sign In')
  await expectSignedIn(page)
})
