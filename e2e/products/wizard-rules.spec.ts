import type { Draft } from '@pegasus/contracts/products/drafts'
import type { Page } from '@playwright/test'
import { button, expectBusy, holdBack, whileAnswered } from '../support/faults.ts'
import { expect } from '../support/fixtures.ts'
import { bearer, get, type SignedInAccount } from '../support/accounts.ts'
import { test } from '../support/selling-shop.ts'

// These tests provoke refusals.
test.use({ allowedProblem: /status of (40[0-9]|412|50\d)|ERR_FAILED|upload of .* failed/ })

const PUBLISH = '**/api/admin/products'
const BASICS = { Name: 'Wall hook', Price: '12.50', Stock: '4', Description: 'Holds a coat.' }
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const noteOf = (page: Page, label: string) =>
  field(page, label).locator('xpath=ancestor::div[label or div/label][1]').getByRole('alert')
const next = (page: Page) => button(page, 'Next').click()
const step = (page: Page, number: number) =>
  page.getByRole('group', { name: new RegExp(`^Step ${number} of 4`) })

async function fillBasics(page: Page, basics: Record<string, string> = BASICS): Promise<void> {
  for (const [label, value] of Object.entries(basics)) await field(page, label).fill(value)
  await page.getByLabel('Category').selectOption('accessories')
}

async function goToReview(page: Page): Promise<void> {
  for (let at = 1; at < 4; at += 1) await next(page)
  await expect(step(page, 4)).toBeVisible()
}

const localDraft = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.includes('product-draft'))
    return key === undefined ? null : localStorage.getItem(key)
  })

/** Deletes all drafts of a person, so that the next test begins without drafts. */
async function deleteDrafts(url: string, person: SignedInAccount): Promise<void> {
  for (const { id } of await get<Draft[]>(`${url}/api/drafts`, bearer(person)))
    await fetch(`${url}/api/drafts/${id}`, { method: 'DELETE', headers: bearer(person) })
}

test.afterEach(async ({ sellingShop: { product, staff } }) => {
  for (const person of [staff.staff, staff.admin]) await deleteDrafts(product.url, person)
})

test('in step 1 of the wizard, each error is shown under its field until the field is edited', async ({
  sellingShop,
  openAs,
}) => {
  const page = await openAs(sellingShop, 'staff')
  for (const address of ['/wizard', '/admin/products/new/wizard', '/admin/products/new']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'New Product', level: 1 })).toBeVisible()
  }
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('button')).toHaveText([
    /Basics/,
    /Media/,
    /Extras/,
    /Review/,
  ])
  await expect(button(page, 'Previous')).toBeDisabled()
  await next(page)
  await expect(step(page, 1)).toBeVisible()
  await expect(page.getByText('6 to fix')).toBeVisible()
  const sentences = {
    Name: 'Product name is required',
    Slug: 'Product slug is required',
    Category: 'Category is required',
    Price: 'Price must be a positive number',
    Stock: 'Stock must be a non-negative number',
    Description: 'Description is required',
  }
  for (const [label, sentence] of Object.entries(sentences)) {
    await expect(field(page, label)).toHaveAttribute('required', '')
    await expect(noteOf(page, label)).toHaveText(sentence)
    await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(field(page, 'Price')).toHaveAttribute('step', '0.01')
  for (const label of ['Price', 'Stock']) await expect(field(page, label)).toHaveAttribute('min', '0')

  // The slug follows the name. When the name is corrected, the errors of both disappear.
  await field(page, 'Name').fill('  Wall   Hook — Größe 2 & more! ')
  await expect(field(page, 'Slug')).toHaveValue('wall-hook-groe-2-more')
  for (const label of ['Name', 'Slug']) await expect(noteOf(page, label)).toHaveCount(0)
  await expect(noteOf(page, 'Price')).toHaveText(sentences.Price)
  await field(page, 'Slug').fill('Wall_Hook')
  await field(page, 'Name').fill('Coat hook')
  await expect(field(page, 'Slug')).toHaveValue('Wall_Hook')
  await field(page, 'Price').fill('-0.01')
  await field(page, 'Stock').fill('-1')
  await next(page)
  await expect(noteOf(page, 'Slug')).toHaveText(
    'Slug must contain only lowercase letters, numbers, and hyphens',
  )
  await expect(noteOf(page, 'Price')).toHaveText(sentences.Price)
  await expect(noteOf(page, 'Stock')).toHaveText(sentences.Stock)
  await field(page, 'Slug').fill('')
  await field(page, 'Name').fill('Coat hook 2')
  await expect(field(page, 'Slug')).toHaveValue('coat-hook-2')

  await fillBasics(page)
  await expect(page.getByLabel('Category').getByRole('option')).toHaveText([
    'Choose a category',
    'miniatures',
    'terrain',
    'accessories',
    'tools',
    'other',
  ])
  await next(page)
  await expect(step(page, 2)).toBeFocused()
  await button(page, 'Previous').click()
  await expect(step(page, 1)).toBeVisible()
  await page.getByRole('link', { name: 'Back to Admin' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('in German, the wizard reads prices with German separators and stores them as the API writes them', async ({
  sellingShop,
  openAs,
}) => {
  const { product, staff } = sellingShop
  const page = await openAs(sellingShop, 'staff')
  await page.addInitScript(() => localStorage.setItem('pegasus-ops-language', 'de'))
  await page.goto('/wizard')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await field(page, 'Name').fill('Wandhaken')
  await page.getByLabel('Kategorie').selectOption('accessories')
  await field(page, 'Preis').pressSequentially('1.200,50')
  await field(page, 'Bestand').pressSequentially('1.200')
  await field(page, 'Beschreibung').fill('Hält einen Mantel.')
  await expect(page.getByText(/^1\.200,50\s\$$/)).toBeVisible()
  for (let at = 1; at < 3; at += 1) await button(page, 'Weiter').click()
  await button(page, 'Staffel hinzufügen').click()
  await page.getByLabel('Menge der Staffel 1').pressSequentially('1.000')
  await page.getByLabel('Preis der Staffel 1').pressSequentially('1,5')
  await expect(page.getByLabel('Preis der Staffel 1')).toHaveValue('1,5')
  await expect(page.getByLabel('Mengenstaffeln (JSON)')).toHaveValue('[{"quantity":1000,"price":1.5}]')
  const drafts = () => get<Draft[]>(`${product.url}/api/drafts`, bearer(staff.staff))
  await expect
    .poll(async () => (await drafts()).map(({ content }) => content))
    .toMatchObject([{ price: '1200.50', stock: '1200', bulkTiers: '[{"quantity":1000,"price":1.5}]' }])

  // Other tests use this account in English and expect no drafts.
  await page.close()
  const headers = bearer(staff.staff)
  for (const { id } of await drafts())
    await fetch(`${product.url}/api/drafts/${id}`, { method: 'DELETE', headers })
  await fetch(`${product.url}/auth/v1/user`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { language: 'en' } }),
  })
})

test('the wizard stores a draft one second after a change, so that another computer can open it', async ({
  sellingShop,
  openAs,
}) => {
  const { product, staff } = sellingShop
  const page = await openAs(sellingShop, 'staff')
  await page.clock.install()
  await page.goto('/wizard')
  await expect(field(page, 'Name')).toBeVisible()
  // From here on, only the test moves the page's clock, however slow the machine is.
  await page.clock.pauseAt(Date.now() + 10_000)
  await field(page, 'Name').fill('Half a hook')
  // The autosave starts its delay of one second when the slug changes.
  await expect(field(page, 'Slug')).toHaveValue('half-a-hook')
  await page.clock.runFor(900)
  expect(await localDraft(page)).toBeNull()
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect
    .poll(async () => JSON.parse((await localDraft(page)) ?? '{}') as unknown)
    .toMatchObject({ content: { name: 'Half a hook', slug: 'half-a-hook' } })
  const drafts = () => get<Draft[]>(`${product.url}/api/drafts`, bearer(staff.staff))
  await expect.poll(async () => (await drafts()).map(({ title }) => title)).toEqual(['Half a hook'])

  // Another person continues a shared draft. Both people learn that the other one edits it.
  await page.getByRole('button', { name: /^Drafts/ }).click()
  await page.getByRole('switch', { name: 'Share Half a hook' }).click()
  await expect.poll(async () => (await drafts())[0]?.is_shared).toBe(true)
  await button(page, 'Close').click()
  const admin = await openAs(sellingShop, 'admin')
  await admin.goto('/wizard')
  await button(admin, 'Continue Half a hook').click()
  await expect(field(admin, 'Name')).toHaveValue('Half a hook')
  await field(admin, 'Name').fill('A whole hook')
  await expect.poll(async () => (await drafts())[0]?.title).toBe('A whole hook')
  await field(page, 'Price').fill('3')
  await page.clock.runFor(1100)
  await expect(page.getByText('This draft was changed elsewhere in the meantime.')).toBeVisible()
  await button(page, 'Take theirs').click()
  await expect(field(page, 'Name')).toHaveValue('A whole hook')

  // A new draft leaves the first draft as it is.
  await page.getByRole('button', { name: /^Drafts/ }).click()
  await button(page, 'New draft').click()
  await expect(field(page, 'Name')).toHaveValue('')
  await page.getByRole('button', { name: /^Drafts/ }).click()
  await button(page, 'Delete A whole hook').click()
  await expect.poll(drafts).toEqual([])
  await button(page, 'Undo').click()
  await expect.poll(async () => (await drafts()).map(({ title }) => title)).toEqual(['A whole hook'])
})

test('the wizard shows why a publication failed, keeps the draft, and sends nothing twice', async ({
  sellingShop,
  openAs,
}) => {
  test.setTimeout(90_000)
  const page = await openAs(sellingShop, 'staff')
  await page.goto('/wizard')
  await fillBasics(page)
  await next(page)
  await next(page)
  const json = page.getByLabel('Bulk tiers (JSON)')
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to create product' })
  for (const [typed, sentence] of [
    ['[{"quantity": 10', 'Invalid JSON format for bulk tiers'],
    ['{"quantity": 10}', 'Bulk tiers must be an array'],
    ['[{"quantity": 10, "price": 9}, {"quantity": 20}]', 'Tier 2 must have quantity and price'],
  ] as const) {
    await json.fill(typed)
    await json.blur()
    await expect(page.getByText(sentence).first()).toBeVisible()
    await next(page)
    await button(page, 'Publish Product').click()
    await expect(alert).toHaveText(`Failed to create product: ${sentence}`)
    await page.getByRole('button', { name: `Edit: ${sentence}` }).click()
    await expect(json).toBeFocused()
  }
  await json.fill('')
  await field(page, 'Designer URL').fill('not a url')
  await next(page)
  await button(page, 'Publish Product').click()
  await expect(alert).toHaveText('Failed to create product: Designer URL must be a valid URL')
  await button(page, 'Edit: Designer URL must be a valid URL').click()
  await field(page, 'Designer URL').fill('')
  await next(page)

  // The message of the main site is shown, and the person can go on.
  const refusal = {
    status: 502,
    json: { detail: 'HTTP 500: Internal Server Error', code: 'main_site_failed' },
  }
  await whileAnswered(
    page,
    PUBLISH,
    (route) => route.fulfill(refusal),
    async () => {
      await button(page, 'Publish Product').click()
      await expect(alert).toHaveText('Failed to create product: HTTP 500: Internal Server Error')
    },
  )
  const steps = page.getByRole('list', { name: 'Steps' })
  const held = await holdBack(page, PUBLISH)
  await button(page, 'Publish Product').dblclick()
  await expectBusy(page, 'Publishing...')
  await page.keyboard.press('Enter')
  expect(held.count).toBe(1)
  // While the product is being published, neither mouse nor keyboard can open another step.
  const canHold = (control: HTMLElement) => {
    control.focus()
    return document.activeElement === control
  }
  expect(await steps.getByRole('button').first().evaluate(canHold)).toBe(false)
  held.letGo()
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(held.count).toBe(1)

  // If a draft at the last step is invalid, the wizard leads back to the first step.
  await page.goto('/wizard')
  await fillBasics(page, { ...BASICS, Name: 'Second hook' })
  await goToReview(page)
  await expect.poll(() => localDraft(page)).toContain('"step":4')
  // Wait for the autosave, which would overwrite the change that the test makes to the draft.
  await expect.poll(() => localDraft(page)).toContain('"isOnServer":true')
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.includes('product-draft')) ?? ''
    const draft = JSON.parse(localStorage.getItem(key) ?? '{}') as {
      content: { name: string }
      isOnServer: boolean
    }
    draft.content.name = ' '
    draft.isOnServer = false
    localStorage.setItem(key, JSON.stringify(draft))
  })
  await page.reload()
  await button(page, 'Publish Product').click()
  await expect(step(page, 1)).toBeVisible()
  await expect(noteOf(page, 'Name')).toHaveText('Product name is required')
})

test('staff cannot publish a product whose license forbids the sale, but an admin who gives a reason can', async ({
  sellingShop,
  openAs,
}) => {
  for (const role of ['staff', 'admin'] as const) {
    const page = await openAs(sellingShop, role)
    await page.goto('/wizard')
    await fillBasics(page, { ...BASICS, Name: `Skull of ${role}` })
    await next(page)
    await next(page)
    await page.getByLabel('License').selectOption('cc-by-nc')
    await next(page)
    await expect(page.getByText('The license does not allow selling this.')).toBeVisible()
    const reason = page.getByLabel('Why this may be sold')
    await expect(reason).toHaveCount(role === 'admin' ? 1 : 0)
    await button(page, 'Publish Product').click()
    await expect(page.getByRole('alert').filter({ hasText: /^Failed to create product: / })).toBeVisible()
    if (role === 'staff') continue
    await reason.fill('The author has written to us on the second of May.')
    await button(page, 'Publish Product').click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await page.goto('/?tab=products')
    await page.getByRole('link', { name: /^Skull of admin/ }).click()
    await expect(page.getByText('The author has written to us on the second of May.')).toBeVisible()
  }
})

test('the whole wizard works with the keyboard alone', async ({ sellingShop, openAs }) => {
  const page = await openAs(sellingShop, 'staff')
  const { keyboard } = page
  const tabTo = async (found: ReturnType<typeof field>) => {
    const isThere = () => found.evaluate((element) => element === document.activeElement)
    for (let presses = 0; presses < 60 && !(await isThere()); presses += 1) await keyboard.press('Tab')
    await expect(found).toBeFocused()
  }
  await page.goto('/wizard')
  await expect(field(page, 'Name')).toBeVisible()
  await tabTo(field(page, 'Name'))
  await keyboard.type('Keyboard hook')
  await tabTo(field(page, 'Category'))
  await keyboard.press('t')
  for (const [label, text] of [
    ['Price', '4.5'],
    ['Stock', '7'],
    ['Description', 'Typed.'],
    ['Tags', 'typed'],
  ] as const) {
    await tabTo(field(page, label))
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await expect(step(page, 2)).toBeFocused()
  await tabTo(button(page, 'Next'))
  await keyboard.press('Enter')
  await expect(step(page, 3)).toBeFocused()
  await tabTo(button(page, 'Next'))
  await keyboard.press('Enter')
  await expect(step(page, 4)).toBeFocused()
  await tabTo(button(page, 'Publish Product'))
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByText('“Keyboard hook” is in the shop').first()).toBeVisible()
})
