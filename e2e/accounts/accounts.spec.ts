import type { Page } from '@playwright/test'
import { applyFilters } from '../support/controls.ts'
import {
  ageSignIns,
  enter,
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  linkTo,
  OWNER,
  signIn,
  test,
} from '../support/sign-in.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[0134]|4(09|12|22)|5\d\d)/ })

const openApiKeys = async (page: Page) => {
  await page.goto('/?tab=people')
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeAttached()
}
const findText = (page: Page, sentence: string | RegExp) => page.getByText(sentence).first()
const form = (page: Page) => page.getByRole('dialog', { name: 'Add person' })
const row = (page: Page, text: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('list', { name: 'People' }).getByRole('listitem'))
    .filter({ hasText: text })

async function fillIn(page: Page, person: { email: string; username: string; name?: string; role?: string }) {
  await page.getByRole('button', { name: 'Add person' }).click()
  await form(page).getByLabel('Email').fill(person.email)
  await form(page).getByLabel('Username').fill(person.username)
  if (person.name) await form(page).getByLabel('Full name').fill(person.name)
  if (person.role) await form(page).getByLabel('Role').selectOption(person.role)
}

test('a colleague can sign in with the password that an administrator has typed for the new account', async ({
  page,
  openBrowser,
}) => {
  await signIn(page, OWNER)
  await openApiKeys(page)
  await fillIn(page, { email: 'joy@example.com', username: 'joy', name: 'Joy Adeyemi', role: 'employee' })
  await expect(form(page).getByRole('checkbox', { name: /System access/ })).toBeChecked()
  await form(page).getByText('With a password').click()
  await form(page).getByRole('textbox', { name: 'Password' }).fill('short')
  await form(page).getByRole('button', { name: 'Add person' }).click()
  await expect(form(page).getByText('Password should be at least 6 characters.')).toBeVisible()
  await form(page).getByRole('textbox', { name: 'Password' }).fill('seven grey pelicans')
  await expectAccessibleInBothThemes(page)
  await form(page).getByRole('button', { name: 'Add person' }).click()
  await expect(findText(page, 'joy can sign in now.')).toBeVisible()
  await expect(row(page, 'Joy Adeyemi')).toContainText('employee')
  await expect(row(page, 'Joy Adeyemi')).toContainText('Active')
  await expectAccessibleInBothThemes(page)
  const other = await openBrowser()
  await signIn(other, { username: 'joy', password: 'seven grey pelicans' })
})

test('an invited person can choose a password with the link that an administrator has copied', async ({
  page,
  openBrowser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, OWNER)
  await openApiKeys(page)
  await fillIn(page, { email: 'noor@example.com', username: 'noor', name: 'Noor Haddad' })
  await form(page).getByRole('button', { name: 'Send invitation' }).click()
  await expect(findText(page, /Copy its link under Emails/)).toBeVisible()
  await expect(row(page, 'Noor Haddad')).toContainText('Invited')
  await page.getByText('Emails', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy link of the email to noor@example.com' }).first().click()
  await expect(findText(page, /Link copied/)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const link = await linkTo(page, 'noor@example.com')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  const other = await openBrowser()
  await other.goto(link)
  await expect(other.getByRole('textbox', { name: /New password/i }).first()).toBeVisible()

  // A link that was used can no longer be copied.
  await page.reload()
  const mail = page.getByRole('list', { name: 'Emails' }).getByRole('listitem').filter({ hasText: 'noor@' })
  await expect(mail).toContainText('Used or expired')
  await expect(mail.getByRole('button', { name: /^Copy link/ })).toHaveCount(0)
})

test('the form for a new account shows each error at its field and keeps the typed values', async ({
  page,
  makeAccount,
}) => {
  const ada = await makeAccount('Ada Lovelace')
  await signIn(page, OWNER)
  await openApiKeys(page)
  await page.getByRole('button', { name: 'Add person' }).click()
  const send = form(page).getByRole('button', { name: 'Send invitation' })
  await send.click()
  await expect(form(page).getByText('Email is required')).toBeVisible()
  await expect(form(page).getByText('Username is required')).toBeVisible()
  await form(page).getByLabel('Email').fill(ada.email.toUpperCase())
  await form(page).getByLabel('Username').fill('ada two')
  await send.click()
  await expect(form(page).getByText(/A username can have at most 64/)).toBeVisible()
  await form(page).getByLabel('Username').fill('ada-two')
  await send.click()
  await expect(form(page).getByText('Another account has this email address.')).toBeVisible()
  await expect(form(page).getByLabel('Username')).toHaveValue('ada-two')
  await form(page).getByLabel('Email').fill('ada-two@example.com')
  await form(page).getByLabel('Username').fill(ada.username)
  await send.click()
  await expect(form(page).getByText('Another account has this username.')).toBeVisible()
})

test('a new account cannot sign in until an administrator approves it', async ({ page, openBrowser }) => {
  const guest = await openBrowser()
  await guest.goto('/login')
  await guest.getByRole('button', { name: 'Need an account? Sign up' }).click()
  await guest.getByLabel('Email').fill('walk-in@example.com')
  await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('seven grey pelicans')
  await guest.getByRole('button', { name: 'Create Account' }).click()
  await expect(guest.getByText(/Account created!/).first()).toBeVisible()

  await signIn(page, OWNER)
  await openApiKeys(page)
  await applyFilters(page, async () => {
    await page.getByLabel('Status').selectOption('waiting')
  })
  await expect(row(page, 'walk-in@example.com')).toContainText('Waiting for approval')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(findText(page, /approved\./)).toBeVisible()
  await expect(page.getByText('Nobody found')).toBeVisible()

  await guest.goto('/login')
  await guest.getByLabel('Email').fill('walk-in@example.com')
  await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('seven grey pelicans')
  await guest.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectSignedIn(guest)
})

test('the audit records each step when an administrator declines, restores and again declines a sign-up', async ({
  page,
  shop,
}) => {
  const email = 'not-wanted@example.com'
  const data = { email, password: 'seven grey pelicans', data: { full_name: 'Nemo Nobody' } }
  expect((await page.request.post(`${shop.product.url}/auth/v1/signup`, { data })).ok()).toBe(true)
  await signIn(page, OWNER)
  await openApiKeys(page)
  await page.getByRole('button', { name: 'Open Nemo Nobody' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nemo Nobody' })
  await expect(dialog.getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(findText(page, 'Nemo Nobody declined.')).toBeVisible()
  await expect(dialog.getByText('Declined', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Reactivate' }).click()
  await expect(dialog.getByText('Waiting for approval')).toBeVisible()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog.getByText('Declined', { exact: true })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(row(page, email)).toContainText('Declined')

  await page.goto('/?tab=people&status=waiting&search=nemo')
  await expect(page.getByText('Nobody found')).toBeVisible()
  await page.goto('/?tab=audit&action=people')
  await expect(page.getByText(/declined the sign-up of/).first()).toBeVisible()
})

test('an administrator can change a role and change it back, and can sign out an account by deactivating it', async ({
  page,
  openBrowser,
  makeAccount,
}) => {
  const ada = await makeAccount('Edith Clarke', 'viewer')
  const hers = await openBrowser()
  await signIn(hers, ada)
  await signIn(page, OWNER)
  await openApiKeys(page)
  await page.getByRole('searchbox').fill(ada.username)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Open Edith Clarke' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edith Clarke' })
  await dialog.getByLabel('Role').selectOption('staff')
  await expect(findText(page, /viewer → staff/)).toBeVisible()
  await expect(dialog.getByRole('switch', { name: /System access/ })).toBeChecked()
  await expectAccessibleInBothThemes(page)

  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(findText(page, /deactivated\./)).toBeVisible()
  await expect(dialog.getByText('Deactivated', { exact: true })).toBeVisible()
  await hers.goto('/')
  await expect(hers.getByText('Your session has ended. Please sign in again.').first()).toBeVisible()
  await hers.goto('/legacy-login')
  await enter(hers, ada)
  await expect(hers.getByRole('alert').first()).toHaveText(/Incorrect username or password\./)

  await dialog.getByRole('button', { name: 'Reactivate' }).click()
  await expect(findText(page, /reactivated\./)).toBeVisible()
  await signIn(hers, ada)
})

test('an administrator can manage staff, but not owners or other administrators', async ({
  page,
  shop,
  makeAccount,
}) => {
  const [grace, other, ada] = [
    await makeAccount('Grace Hopper', 'admin'),
    await makeAccount('Margaret Hamilton', 'admin'),
    await makeAccount('Ada Lovelace'),
  ]
  await signIn(page, grace)
  for (const [id, sentence] of [
    [other.id, 'Only an owner can change owners and admins.'],
    [grace.id, /This is your account\./],
  ] as const) {
    await page.goto(`/?tab=people&person=${id}`)
    await expect(page.getByRole('dialog').getByText(sentence)).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  }
  await page.goto(`/?tab=people&person=${ada.id}`)
  const dialog = page.getByRole('dialog', { name: 'Ada Lovelace' })
  await expect(dialog.getByLabel('Role').getByRole('option')).toHaveText(['viewer', 'employee', 'staff'])
  await ageSignIns(shop, grace)
  await dialog.getByLabel('Role').selectOption('viewer')
  const proof = page.getByRole('dialog').last()
  await proof.getByRole('textbox', { name: 'Password' }).fill(grace.password)
  await page.keyboard.press('Enter')
  await expect(findText(page, /staff → viewer/)).toBeVisible()
})

test('an account with a role below admin does not see the People tab and cannot open its page', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace', 'employee'))
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0)
  await page.goto('/?tab=people')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
