import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { bearer, post, signIn as signInDirectly } from '../support/accounts.ts'
import {
  type Account,
  ageSignIns,
  enter,
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  forgetSession,
  linkTo,
  openProfile,
  OWNER,
  signIn,
  test,
} from '../support/sign-in.ts'
import { Authenticator } from '../support/totp.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[01349]|422)|ERR_FAILED/ })

const WRONG_CODE = 'This code is wrong or has already been used. Please enter the next one.'

const codeField = (page: Page) => page.getByLabel('Code', { exact: true })
const step = (page: Page) => page.getByRole('heading', { name: 'Enter the code from your authenticator app' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

interface Protected {
  phone: Authenticator
  recoveryCodes: string[]
}

/** Sets up a second factor in the profile, which stays open. */
async function setUp(page: Page): Promise<Protected> {
  await openProfile(page, 'Security')
  await press(page, 'Set up two-factor authentication')
  const enrollment = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await expect(enrollment.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const phone = new Authenticator(await enrollment.locator('.font-mono').innerText())
  await codeField(page).fill(phone.next())
  const codes = page.getByRole('dialog', { name: 'Store your recovery codes' })
  await expect(codes).toBeVisible()
  const recoveryCodes = await codes.getByRole('listitem').allInnerTexts()
  await press(page, 'I have stored them')
  await expect(codes).toBeHidden()
  return { phone, recoveryCodes }
}

/** Sets up the second factor that the role requires. The dialog offers only this. */
async function setUpAsDemanded(page: Page): Promise<void> {
  await press(page, 'Set up two-factor authentication')
  const enrollment = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const phone = new Authenticator(await enrollment.locator('.font-mono').innerText())
  await codeField(page).fill(phone.next())
  await press(page, 'I have stored them')
  await press(page, 'Continue')
}

async function enterByEmail(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await press(page, 'Sign In')
}

test('the setup of a second factor shows a QR code and a key, accepts a code, and shows the recovery codes once', async ({
  page,
  context,
  makeAccount,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await openProfile(page, 'Security')

  // Cancel the setup. The focus returns to its button.
  await press(page, 'Set up two-factor authentication')
  const enrollment = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await expect(enrollment).toBeVisible()
  await press(page, 'Cancel')
  await expect(enrollment).toBeHidden()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeFocused()

  await page.keyboard.press('Enter')
  const picture = enrollment.getByRole('img', { name: /^QR code/ })
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const secret = await enrollment.locator('.font-mono').innerText()
  expect(secret).toMatch(/^([A-Z2-7]{4}\s?){8}$/)
  await enrollment.getByRole('button', { name: 'Copy key' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret.replace(/\s/g, ''))
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
  await expectAccessibleInBothThemes(page)

  const phone = new Authenticator(secret)
  await press(page, 'Verify and turn on')
  await expect(enrollment.getByRole('alert')).toHaveText('Enter all six digits of the code.')
  await codeField(page).fill(phone.wrong())
  await expect(enrollment.getByRole('alert')).toHaveText(WRONG_CODE)
  await expectAccessibleInBothThemes(page)
  // Type the code with a space, as some phones show it. The last digit submits it.
  const code = phone.next()
  await codeField(page).fill(`${code.slice(0, 3)} ${code.slice(3)}`)

  const codes = page.getByRole('dialog', { name: 'Store your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expectAccessibleInBothThemes(page)
  const shown = (await codes.getByRole('listitem').allInnerTexts()).join('\n')
  await codes.getByRole('button', { name: 'Copy' }).click()
  await expect(codes.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  const downloading = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe(
    `Pegasus Ops recovery codes of ${ada.username}\n\n${shown}\n`,
  )
  // Only the codes are printed.
  await page.evaluate(() =>
    Object.assign(window, { print: () => document.body.setAttribute('data-sent', '') }),
  )
  await codes.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-sent', '')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(`Pegasus Ops recovery codes of ${ada.username}`)).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })
  await page.keyboard.press('Escape')
  await expect(codes).toBeVisible()
  await press(page, 'I have stored them')
  await expect(codes).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'User Profile' })).toBeFocused()

  const panel = page.getByRole('tabpanel')
  await expect(panel.getByRole('list', { name: 'Authenticators' })).toContainText('Authenticator app')
  await expect(panel).toContainText('10 of 10 left')
  await expect(panel.getByRole('listitem').filter({ hasText: 'This session' })).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
})

test('both sign-in screens ask for a code after the password, before they open the app', async ({
  page,
  openBrowser,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  const { phone, recoveryCodes } = await setUp(page)

  // Open a page, and sign in by email. Neither a reload nor another page skips the second step.
  const other = await openBrowser()
  const asked: string[] = []
  other.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await other.goto('/?tab=inventory')
  await enterByEmail(other, ada)
  await expect(step(other)).toBeVisible()
  await expect(other.getByText(ada.email)).toBeVisible()
  await expect(codeField(other)).toBeFocused()
  await expectAccessibleInBothThemes(other)
  await other.reload()
  await expect(step(other)).toBeVisible()
  await other.goto('/?tab=inventory')
  await expect(step(other)).toBeVisible()
  // The app does not open if the request for the account fails.
  await other.route('**/api/auth/me', (route) => route.abort())
  await other.reload()
  await expect(step(other)).toBeVisible()
  await other.unroute('**/api/auth/me')
  await expect(other.getByRole('navigation')).toHaveCount(0)
  expect(asked.filter((path) => /^\/api\/(stats|inventory|orders|events)/.test(path))).toEqual([])

  await press(other, 'Verify')
  await expect(other.getByRole('alert')).toHaveText('Enter all six digits of the code.')
  await codeField(other).fill(phone.wrong())
  await expect(other.getByRole('alert')).toHaveText(WRONG_CODE)
  await expect(codeField(other)).toBeFocused()
  await expectAccessibleInBothThemes(other)
  await other.keyboard.type(phone.next())
  await expect(other).toHaveURL(/\/\?tab=inventory$/)
  await expectSignedIn(other)

  // Sign in by username, without the phone.
  await forgetSession(other)
  await other.goto('/legacy-login')
  await enter(other, ada)
  await press(other, 'Use a recovery code instead')
  await expect(other.getByRole('heading', { name: 'Enter a recovery code' })).toBeVisible()
  await expectAccessibleInBothThemes(other)
  const recoveryCode = other.getByLabel('Recovery code')
  await expect(recoveryCode).toBeFocused()
  await recoveryCode.fill('2222-2222-2222-2222')
  await other.keyboard.press('Enter')
  await expect(other.getByRole('alert')).toHaveText('This recovery code is wrong or has already been used.')
  await other.keyboard.type((recoveryCodes[4] ?? '').toUpperCase().replaceAll('-', ' '))
  await other.keyboard.press('Enter')
  await expectSignedIn(other)
  await openProfile(other, 'Security')
  await expect(other.getByText('9 of 10 left')).toBeVisible()

  // The recovery code was used before, so it is refused. A person who chose the wrong account can go back.
  await forgetSession(other)
  await other.goto('/legacy-login')
  await enter(other, ada)
  await press(other, 'Use a recovery code instead')
  await recoveryCode.fill(recoveryCodes[4] ?? '')
  await other.keyboard.press('Enter')
  await expect(other.getByRole('alert')).toHaveText('This recovery code is wrong or has already been used.')
  await press(other, 'Back to sign in')
  await expect(other.getByText('Need Access?')).toBeVisible()
  await expect(other.getByText('Your session has ended.')).toBeHidden()
})

test('the link for a forgotten password also asks for a code before a new password can be chosen', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  const { phone } = await setUp(page)
  await forgetSession(page)
  await page.goto('/login?view=forgot-password')
  await page.getByLabel('Email').fill(ada.email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'If an account' })).toBeVisible()

  await page.goto(await linkTo(page, ada.email))
  await expect(step(page)).toBeVisible()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveCount(0)
  await codeField(page).fill(phone.next())
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await page.getByLabel('New Password', { exact: true }).fill('a lantern in the harbour')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('a lantern in the harbour')
  await press(page, 'Save password')
  await expectSignedIn(page)
})

test('for a sensitive change, people with a second factor can confirm with a code or with their password', async ({
  page,
  shop,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  const { phone, recoveryCodes } = await setUp(page)
  await ageSignIns(shop, ada)
  const question = page.getByRole('dialog', { name: "Confirm it's you" })

  // New recovery codes replace the old ones.
  await page.getByRole('button', { name: 'Replace recovery codes' }).click()
  await expectAccessibleInBothThemes(page)
  await press(page, 'Replace all codes')
  await expect(question.getByLabel('Code', { exact: true })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await question.getByLabel('Code', { exact: true }).fill(phone.wrong())
  await expect(question.getByRole('alert')).toHaveText(WRONG_CODE)
  await page.keyboard.type(phone.next())
  const codes = page.getByRole('dialog', { name: 'Store your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const replaced = await codes.getByRole('listitem').allInnerTexts()
  expect(replaced.filter((each) => recoveryCodes.includes(each))).toEqual([])
  await press(page, 'I have stored them')

  // A person without the phone confirms with the password alone.
  await ageSignIns(shop, ada)
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await expectAccessibleInBothThemes(page)
  await press(page, 'Turn off two-factor')
  await question.getByRole('button', { name: 'Use your password instead' }).click()
  await question.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
  await expect(question).toBeHidden()

  // The next sign-in needs only the password.
  await forgetSession(page)
  await signIn(page, ada)
  await expect(step(page)).toBeHidden()
})

test('for a sensitive change, people who have no password are asked to sign in again', async ({
  page,
  shop,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await ageSignIns(shop, ada)
  await shop.database.sql`update accounts set password_hash = null where id = ${ada.id}`
  await page.reload()
  await openProfile(page, 'Security')
  await press(page, 'Set up two-factor authentication')
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  await expect(question).toContainText('Your account has no password. Sign out and sign in again.')
  await expect(question.getByLabel('Password', { exact: true })).toHaveCount(0)
  await expect(question.getByRole('button', { name: 'Confirm' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
})

test('people can add a second authenticator, and choose which authenticator they use when signing in', async ({
  page,
  openBrowser,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, ada)
  await setUp(page)
  await press(page, 'Add another authenticator')
  const enrollment = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const tablet = new Authenticator(await enrollment.locator('.font-mono').innerText())
  await codeField(page).fill(tablet.next())
  await expect(enrollment).toBeHidden()
  // The account has recovery codes already, so it gets no new ones.
  await expect(page.getByRole('dialog', { name: 'Store your recovery codes' })).toBeHidden()
  const authenticators = page.getByRole('list', { name: 'Authenticators' }).getByRole('listitem')
  await expect(authenticators).toHaveCount(2)

  const other = await openBrowser()
  await other.goto('/login')
  await enterByEmail(other, ada)
  await other.getByLabel('Authenticator', { exact: true }).selectOption('Authenticator app 2')
  await expectAccessibleInBothThemes(other)
  await codeField(other).fill(tablet.next())
  await expectSignedIn(other)
})

test('if an owner requires a second factor for a role, people with this role must set one up before anything else', async ({
  page,
  openBrowser,
  makeAccount,
  shop,
}) => {
  const [owner, employee, forgetful] = [
    await makeAccount('Olga Owner', 'owner'),
    await makeAccount('Eve Worker', 'employee'),
    await makeAccount('Ida Forgetful', 'employee'),
  ]
  const other = await openBrowser()
  await signIn(other, employee)

  await signIn(page, owner)
  await page.goto('/?tab=system')
  const roles = page.getByRole('group', { name: 'Roles that need a second factor' })
  await roles.getByRole('checkbox', { name: 'owner' }).click()
  await expect(
    page.getByText('Set up two-factor authentication for your own account first.', { exact: true }),
  ).toBeVisible()
  await expect(roles.getByRole('checkbox', { name: 'owner' })).not.toBeChecked()
  await roles.getByRole('checkbox', { name: 'employee' }).click()
  await expect(page.getByText('The rule is saved.', { exact: true })).toBeVisible()
  await expect(roles.getByRole('checkbox', { name: 'employee' })).toBeChecked()
  // Scroll to the top. The check would report a button that is half under the header as too small.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleInBothThemes(page)

  // The next call of the employee's open browser leads to the setup. A reload does not skip it.
  const inventory = other.getByRole('link', { name: 'Inventory' }).first()
  await inventory.click()
  const setup = other.getByRole('dialog', { name: 'User Profile' })
  await expect(setup).toContainText('Your role needs two-factor authentication.')
  await other.reload()
  await expect(setup.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await expect(inventory).toHaveCount(0)
  await expectAccessibleInBothThemes(other)
  await setUpAsDemanded(other)
  await expectSignedIn(other)

  // An invited person, and a person who forgot the password, set up the second factor before they choose a password.
  const invited = { email: 'ines.invited@example.com', username: 'ines.invited', full_name: 'Ines Invited' }
  const { token } = await signInDirectly(shop.product.url, 'owner', OWNER.email, OWNER.password)
  await post(`${shop.product.url}/api/auth/users`, { ...invited, role: 'employee' }, bearer({ token }))
  await post(`${shop.product.url}/auth/v1/recover`, { email: forgetful.email })
  for (const { email, title } of [
    { email: invited.email, title: 'Welcome to Pegasus Ops, Ines Invited' },
    { email: forgetful.email, title: 'Choose a new password' },
  ]) {
    await forgetSession(other)
    await other.goto(await linkTo(other, email))
    await expect(other.getByRole('dialog', { name: 'User Profile' })).toBeVisible()
    await setUpAsDemanded(other)
    await expect(other.getByRole('heading', { name: title })).toBeVisible()
    await other.getByLabel('New Password', { exact: true }).fill('a lantern in the harbour')
    await other.getByLabel('Confirm New Password', { exact: true }).fill('a lantern in the harbour')
    await press(other, 'Save password')
    await expectSignedIn(other)
  }

  await roles.getByRole('checkbox', { name: 'employee' }).click()
  await expect(roles.getByRole('checkbox', { name: 'employee' })).not.toBeChecked()
})
