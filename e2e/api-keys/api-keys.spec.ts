import type { Page } from '@playwright/test'
import {
  type Account,
  ageSignIns,
  expect,
  expectAccessibleInBothThemes,
  expectSignedIn,
  OWNER,
  signIn,
  test,
} from '../support/sign-in.ts'

// These tests provoke refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (40[0134]|4(09|22)|5\d\d)/ })

const KEY = /^pgo_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/

const openApiKeys = async (page: Page) => {
  await page.goto('/?tab=api-keys')
  await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeAttached()
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640
/** Returns the row of a key: in the table, or in the list on a phone. */
const row = (page: Page, label: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('list', { name: 'API keys' }).getByRole('listitem'))
    .filter({ hasText: label })
/**
 * Returns the first element with this text, because a toast and its announcement to screen readers have the same text.
 */
const findText = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).first()
const figure = (page: Page, label: string) =>
  page.getByRole('list', { name: 'Figures' }).getByRole('listitem').filter({ hasText: label })

const COLUMNS = ['Key', 'Label', 'Owner', 'Scope', 'Status', 'Usage', 'Created', 'Last Used', 'Actions']

/** Checks the columns of the table. A phone shows a list without columns. */
const expectColumns = (page: Page) =>
  expect(page.getByRole('columnheader')).toHaveText(isPhone(page) ? [] : COLUMNS)

interface NewKey {
  owner: Account
  label?: string
  scope?: 'integration' | 'print-jobs'
  days?: string
}

/** Creates a key in the dialog, and returns the key that is shown once. */
async function makeKey(page: Page, { owner, label, scope, days }: NewKey): Promise<string> {
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const form = dialog(page, 'Create New API Key')
  await form.getByLabel('User').selectOption(owner.id)
  if (label !== undefined) await form.getByLabel('Label').fill(label)
  if (scope === 'integration') await form.getByRole('checkbox', { name: /print-jobs/ }).uncheck()
  if (scope === 'print-jobs') await form.getByRole('checkbox', { name: /integration/ }).uncheck()
  if (days !== undefined) await form.getByLabel('Expires in').fill(days)
  await form.getByRole('button', { name: 'Create API Key' }).click()
  await expect(findText(page, 'API key created successfully!')).toBeVisible()
  return readKey(page)
}

async function readKey(page: Page): Promise<string> {
  const shown = dialog(page, 'Store the new key').locator('code').first()
  await expect(shown).toHaveText(KEY)
  return shown.innerText()
}

/**
 * Performs an action on a key. On a desktop, its buttons are at the end of the row. On a phone, they are in the
 * details, which close while a dialog is open.
 */
async function act(
  page: Page,
  label: string,
  action: 'Enable' | 'Disable' | 'Rotate' | 'Delete',
): Promise<void> {
  const isSwitch = action === 'Enable' || action === 'Disable'
  const role = isSwitch ? 'switch' : 'button'
  if (!isPhone(page)) {
    await row(page, label)
      .getByRole(role, { name: `${action} ${label}` })
      .click()
    return
  }
  await page.getByRole('button', { name: `Details of ${label}` }).click()
  const name = isSwitch ? `${action} ${label}` : action
  await dialog(page, 'API Key Details').getByRole(role, { name }).click()
}

/** Goes back to the list. On a phone, this closes the details first. */
async function toTheList(page: Page): Promise<void> {
  if (isPhone(page))
    await dialog(page, 'API Key Details').getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/**
 * Closes the dialog with the new key. On a slow machine, the key may be hidden already, and the button has another
 * name.
 */
const stored = (page: Page) =>
  dialog(page, 'Store the new key')
    .getByRole('button', { name: /^(I have stored the key|Close)$/ })
    .last()
    .click()

/** Sends a request as a program with this key. */
const use = (page: Page, key: string) =>
  page.request.get('/api/integration/stock', { headers: { 'X-API-Key': key } })

test('an administrator can create, use, disable, rotate and delete an API key, each with immediate effect', async ({
  page,
  makeAccount,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const storefront = await makeAccount('Storefront')
  await signIn(page, OWNER)
  await openApiKeys(page)
  await expect(page.getByText('No API keys found')).toBeVisible()
  await expect(figure(page, 'Total Keys')).toContainText('0')
  await expectAccessibleInBothThemes(page)

  const key = await makeKey(page, { owner: storefront, label: 'Main shop', scope: 'integration' })
  await page.getByRole('button', { name: 'Keep it open' }).click()
  await expectAccessibleInBothThemes(page)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await expect(page.getByText('This is the only time the full key is shown.')).toBeVisible()
  await stored(page)
  await expect(page.locator('body')).not.toContainText(key)

  await expect(row(page, 'Main shop')).toContainText(storefront.username)
  await expect(row(page, 'Main shop')).toContainText('Active')
  await expect(row(page, 'Main shop')).toContainText('never')
  await expectColumns(page)
  expect((await use(page, key)).status()).toBe(200)

  // The details show the use of the key and its calls.
  await page.getByRole('button', { name: 'Details of Main shop' }).click()
  const details = dialog(page, 'API Key Details')
  await expect(details.getByText('GET /api/integration/stock').first()).toBeVisible()
  await expect(details.getByRole('region', { name: 'Last calls' })).toContainText('200')
  await expect(details).not.toContainText('/api/print-jobs')
  await expectAccessibleInBothThemes(page)

  // The list stores only the beginning of the key, so only this can be copied.
  await details.getByRole('button', { name: 'Copy prefix of Main shop' }).click()
  await expect(
    page.getByText(/Only the prefix is available: the full key was shown once/).first(),
  ).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.slice(0, 16))
  await details.getByRole('button', { name: 'Close' }).last().click()

  // Disabling and enabling take effect on the next request.
  await act(page, 'Main shop', 'Disable')
  await expect(findText(page, 'API key disabled successfully!')).toBeVisible()
  await toTheList(page)
  await expect(row(page, 'Main shop')).toContainText('Disabled')
  await expect(figure(page, 'Inactive')).toContainText('1')
  expect((await use(page, key)).status()).toBe(401)
  await act(page, 'Main shop', 'Enable')
  await expect(findText(page, 'API key enabled successfully!')).toBeVisible()
  await toTheList(page)
  expect((await use(page, key)).status()).toBe(200)

  await act(page, 'Main shop', 'Rotate')
  await expect(findText(page, 'API key rotated successfully!')).toBeVisible()
  const next = await readKey(page)
  expect(next).not.toBe(key)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(next)
  await stored(page)
  await toTheList(page)
  expect((await use(page, key)).status()).toBe(401)
  expect((await use(page, next)).status()).toBe(200)

  await act(page, 'Main shop', 'Delete')
  const asked = dialog(page, 'Delete API key')
  await expect(asked).toContainText('cannot be restored')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await toTheList(page)
  expect((await use(page, next)).status()).toBe(200)
  await act(page, 'Main shop', 'Delete')
  await asked.getByRole('button', { name: 'Delete for good' }).click()
  await expect(findText(page, 'API key deleted successfully!')).toBeVisible()
  await expect(row(page, 'Main shop')).toHaveCount(0)
  expect((await use(page, next)).status()).toBe(401)
})

test('a new API key is shown for ten seconds, or longer if the person keeps it open', async ({
  page,
  makeAccount,
}) => {
  const owner = await makeAccount('Printers')
  await signIn(page, OWNER)
  await page.clock.install()
  await openApiKeys(page)
  await makeKey(page, { owner, label: 'Kept' })
  const shown = dialog(page, 'Store the new key')
  await shown.getByRole('button', { name: 'Keep it open' }).click()
  await page.clock.runFor(30_000)
  await expect(shown.locator('code').first()).toHaveText(KEY)
  await stored(page)

  const key = await makeKey(page, { owner, label: 'Shown' })
  await expect(shown.getByRole('progressbar', { name: 'Time left' })).toBeVisible()
  await page.clock.runFor(10_000)
  await expect(shown.getByText('The key is hidden now.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)
  await shown.getByRole('button', { name: 'Close' }).last().click()
  await expect(shown).toHaveCount(0)
})

test('the form for a new API key shows each error at its field, and offers only people with system access as owner', async ({
  page,
  makeAccount,
}) => {
  const [ada, guest] = [await makeAccount('Ada Lovelace'), await makeAccount('Guest', 'viewer')]
  await signIn(page, OWNER)
  await openApiKeys(page)
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const form = dialog(page, 'Create New API Key')
  const submit = form.getByRole('button', { name: 'Create API Key' })
  await expect(form.getByLabel('Label')).toHaveValue('Default')
  await expect(form.getByRole('checkbox')).toHaveCount(2)
  for (const box of await form.getByRole('checkbox').all()) await expect(box).toBeChecked()
  await expect(form.getByLabel('User').locator(`option[value="${ada.id}"]`)).toHaveCount(1)
  await expect(form.getByLabel('User').locator(`option[value="${guest.id}"]`)).toHaveCount(0)
  await expect(form.getByLabel('User')).toHaveValue('')

  await submit.click()
  await expect(form.getByText('Please select a user.')).toBeVisible()
  await form.getByLabel('User').selectOption(ada.id)
  await expect(form.getByText('Please select a user.')).toHaveCount(0)
  for (const wrong of ['0', '366', '1.5', '-3']) {
    await form.getByLabel('Expires in').fill(wrong)
    await submit.click()
    await expect(form.getByText(/whole number from 1 to 365/)).toBeVisible()
  }
  await form.getByLabel('Expires in').fill('365')
  await form.getByLabel('Allowed addresses').fill('10.0.0.0/8\nthe workshop')
  await submit.click()
  await expect(form.getByText(/An address must look like/)).toBeVisible()
  await form.getByLabel('Allowed addresses').fill('10.0.0.0/8')
  for (const box of await form.getByRole('checkbox').all()) await box.uncheck()
  await submit.click()
  await expect(form.getByText('Choose at least one scope')).toBeVisible()
  await form.getByRole('checkbox', { name: /integration/ }).check()
  await expectAccessibleInBothThemes(page)

  // After a server error without a message, the dialog stays open and keeps the typed values.
  await page.route('**/api/api-keys', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await submit.click()
  await expect(form.getByRole('alert')).toHaveText('Failed to create API key.')
  await expect(findText(page, 'Failed to create API key.')).toBeVisible()
  await expect(form.getByLabel('Allowed addresses')).toHaveValue('10.0.0.0/8')
  await page.unroute('**/api/api-keys')
  await submit.click()
  await expect(findText(page, 'API key created successfully!')).toBeVisible()
  // This browser does not have an allowed address, so the key is refused.
  expect((await use(page, await readKey(page))).status()).toBe(401)
})

test('the page shows a message for each failed action on an API key, and keeps the list correct', async ({
  page,
  makeAccount,
}) => {
  const owner = await makeAccount('Fails')
  await signIn(page, OWNER)
  await page.route('**/api/api-keys?*', (route) => route.fulfill({ status: 503, body: '' }))
  await openApiKeys(page)
  await expect(findText(page, 'Failed to fetch API key data. Please try again.')).toBeVisible()
  await expect(page.getByText('The API keys could not be loaded.')).toBeVisible()
  await page.unroute('**/api/api-keys?*')
  await page.getByRole('button', { name: 'Retry' }).click()

  await makeKey(page, { owner, label: 'Fragile' })
  await stored(page)
  await page.route('**/api/api-keys/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, body: '' }),
  )
  await act(page, 'Fragile', 'Disable')
  await expect(findText(page, 'Failed to disable API key.')).toBeVisible()
  await toTheList(page)
  await expect(row(page, 'Fragile')).toContainText('Active')
  await act(page, 'Fragile', 'Rotate')
  await expect(findText(page, 'Failed to rotate API key.')).toBeVisible()
  await toTheList(page)
  await act(page, 'Fragile', 'Delete')
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expect(findText(page, 'Failed to delete API key.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toTheList(page)
  await page.unroute('**/api/api-keys/**')

  await page.route('**/api/api-keys/*/usage', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Details of Fragile' }).click()
  await expect(findText(page, 'Failed to fetch key details.')).toBeVisible()
  await dialog(page, 'API Key Details').getByRole('button', { name: 'Close' }).first().click()
  await page.unroute('**/api/api-keys/*/usage')

  await act(page, 'Fragile', 'Disable')
  await expect(findText(page, 'API key disabled successfully!')).toBeVisible()
  await toTheList(page)
  await page.route('**/api/api-keys/*/enable', (route) => route.fulfill({ status: 500, body: '' }))
  await act(page, 'Fragile', 'Enable')
  await expect(findText(page, 'Failed to enable API key.')).toBeVisible()
  await toTheList(page)
  await expect(row(page, 'Fragile')).toContainText('Disabled')
})

test('creating an API key asks for the password if the sign-in is not recent', async ({
  page,
  shop,
  makeAccount,
}) => {
  const admin = await makeAccount('Grace Hopper', 'admin')
  const owner = await makeAccount('Robot')
  await signIn(page, admin)
  await openApiKeys(page)
  await ageSignIns(shop, admin)
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const form = dialog(page, 'Create New API Key')
  await form.getByLabel('User').selectOption(owner.id)
  await form.getByRole('button', { name: 'Create API Key' }).click()
  const proof = page.getByRole('dialog').last()
  await proof.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(findText(page, 'API key created successfully!')).toBeVisible()
  await readKey(page)
})

test('a person can search API keys by label, owner, prefix and scope, with the search in the URL', async ({
  page,
  makeAccount,
}) => {
  const [shopOwner, printers] = [await makeAccount('Shopkeeper'), await makeAccount('Printhead')]
  await signIn(page, OWNER)
  await openApiKeys(page)
  await makeKey(page, { owner: shopOwner, label: 'Storefront feed', scope: 'integration', days: '30' })
  await stored(page)
  await makeKey(page, { owner: printers, label: 'Voron agent', scope: 'print-jobs' })
  await stored(page)
  const search = page.getByRole('searchbox', { name: 'Search label, owner or key' })
  await search.fill('voron printhead')
  await expect(row(page, 'Voron agent')).toBeVisible()
  await expect(row(page, 'Storefront feed')).toHaveCount(0)
  await page.reload()
  await expect(search).toHaveValue('voron printhead')
  await page.getByLabel('Scope').selectOption('integration')
  await expect(page.getByText('No API keys found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(row(page, 'Storefront feed')).toBeVisible()
})

test('all actions work in the details of an API key', async ({ page, makeAccount }) => {
  const owner = await makeAccount('Pocket')
  await signIn(page, OWNER)
  await openApiKeys(page)
  const key = await makeKey(page, { owner, label: 'From the bench' })
  await stored(page)
  await page.getByRole('button', { name: 'Details of From the bench' }).click()
  const details = dialog(page, 'API Key Details')
  await expectAccessibleInBothThemes(page)
  await details.getByRole('switch').click()
  await expect(findText(page, 'API key disabled successfully!')).toBeVisible()
  expect((await use(page, key)).status()).toBe(401)
  await details.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expect(findText(page, 'API key deleted successfully!')).toBeVisible()
  await expect(details).toHaveCount(0)
})

test('an account with a role below admin does not see the API Keys tab and cannot open its page', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace', 'staff'))
  await expectSignedIn(page)
  await expect(page.getByRole('link', { name: 'API Keys' })).toHaveCount(0)
  await page.goto('/?tab=api-keys')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
