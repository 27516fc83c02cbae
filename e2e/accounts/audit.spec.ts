import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  type Account,
  ageSignIns,
  expect,
  expectAccessibleInBothThemes,
  OWNER,
  signIn,
  test as base,
} from '../support/sign-in.ts'
import { overhangOf } from '../support/accessibility.ts'
import { applyFilters, searchFor } from '../support/controls.ts'
import { bearer, post } from '../support/accounts.ts'

const entries = (page: Page) => page.getByRole('list', { name: 'Audit entries' })
const entry = (page: Page, sentence: string | RegExp) =>
  entries(page).getByRole('button', { name: sentence }).first()
const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640

const test = base.extend<{
  /** Changes a person's role through the API, as the owner. */
  changeRole: (person: Account, role: string) => Promise<void>
}>({
  changeRole: async ({ shop }, use) => {
    await use(async ({ id }, role) => {
      const { url } = shop.product
      const { access_token: token } = await post<{ access_token: string }>(`${url}/auth/login`, OWNER)
      const headers = bearer({ token })
      const revision = (await fetch(`${url}/api/auth/users/${id}`, { headers })).headers.get('etag') ?? ''
      const response = await fetch(`${url}/api/auth/users/${id}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json', 'if-match': revision },
        body: JSON.stringify({ role }),
      })
      expect(response.status).toBe(200)
    })
  },
})

test('an audit entry describes the action of another person in a sentence, with the values before and after', async ({
  page,
  makeAccount,
  changeRole,
}) => {
  const maxi = await makeAccount('Maximiliane von Hohenberg', 'admin')
  const okonkwo = await makeAccount('Jo Okonkwo', 'staff')
  await signIn(page, maxi)
  await page.goto('/?tab=audit')
  await expect(page.getByRole('heading', { level: 2, name: 'Today' })).toBeVisible()
  await expect(entry(page, 'Maximiliane von Hohenberg signed in')).toBeVisible()

  // The entry for this change appears without a reload.
  await changeRole(okonkwo, 'admin')
  const change = entry(page, 'Owner changed the role of Jo Okonkwo from staff to admin')
  await expect(change).toBeVisible()
  await expectAccessibleInBothThemes(page)

  // The details can be opened with the keyboard, and the URL keeps them open.
  await change.focus()
  await page.keyboard.press('Enter')
  await expect(change).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('row', { name: 'Role staff admin' })).toBeVisible()
  await expect(page.getByText('account.updated', { exact: true })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^[0-9a-f-]{36}$/ })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^127\.0\.0\.1$/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.reload()
  await expect(page.getByRole('row', { name: 'Role staff admin' })).toBeVisible()

  // Go from one entry to all entries about its object, and back.
  await page.getByRole('button', { name: 'All about Jo Okonkwo' }).click()
  await expect(page).toHaveURL(new RegExp(`about=${okonkwo.id}`))
  await expect(page.getByText('2 entries', { exact: true })).toBeVisible()
  await expect(entry(page, 'Owner created an account for Jo Okonkwo as staff')).toBeVisible()
  await page.getByRole('button', { name: 'About Jo Okonkwo: show all entries' }).click()
  await expect(entry(page, 'Maximiliane von Hohenberg signed in')).toBeVisible()
  expect(await overhangOf(page)).toBe(0)
})

test('a person can filter the audit log by action, time, person and search text, with the filters in the URL', async ({
  page,
  shop,
  makeAccount,
}) => {
  const sam = await makeAccount('Samira Nasser', 'admin')
  await signIn(page, sam)
  await fetch(`${shop.product.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: sam.username, password: 'not hers' }),
  })
  await page.goto('/?tab=audit')
  await searchFor(page, sam.username)
  await expect(page).toHaveURL(/search=/)
  // Wait for the new list. When it appears, the filter bar is rendered again, which would reset an earlier choice.
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible()
  await applyFilters(page, async () => {
    await page.getByLabel('What', { exact: true }).selectOption('Refusals')
  })
  await expect(page).toHaveURL(
    new RegExp(`action=refusals.*search=${sam.username}|search=${sam.username}.*action=refusals`),
  )
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible()
  await expect(
    entry(page, `Somebody not signed in tried to sign in as ${sam.username}: wrong password`),
  ).toBeVisible()

  await page.goto('/?tab=audit')
  await applyFilters(page, async () => {
    await page.getByLabel('Who', { exact: true }).selectOption('Samira Nasser')
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
  })
  await expect(entry(page, 'Samira Nasser signed in')).toBeVisible()
  await expect(entry(page, /^(?!.*Samira)/)).toHaveCount(0)
  await page.reload()
  await applyFilters(page, async () => {
    await expect(page.getByLabel('Who', { exact: true })).toHaveValue(sam.id)
    await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-01-01')
    await page.getByLabel('To', { exact: true }).fill('2026-01-31')
  })
  await searchFor(page, 'no such thing')
  await expect(page.getByRole('heading', { name: 'No entries found' })).toBeVisible()
  await expect(page.getByText(/^Nothing matches/)).toHaveText(
    'Nothing matches “no such thing” with Samira Nasser with days from Jan 1 with days to Jan 31.',
  )
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Clear last day' }).click()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(entry(page, 'Samira Nasser signed in')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'No entries found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\?tab=audit$/)

  // The actor of the server's own actions is no person.
  await page.goto('/?tab=audit&actor=system')
  await expect(entry(page, 'Pegasus Ops created an account for Owner as owner')).toBeVisible()
})

test.describe('the audit log if the sign-in is old', () => {
  test.use({ allowedProblem: /status of 40[13]/ })

  test('an export of the audit log asks for the password and creates its own audit entry', async ({
    page,
    shop,
    makeAccount,
    changeRole,
  }) => {
    const ada = await makeAccount('Ada Lovelace', 'admin')
    const fred = await makeAccount('Fred Formula', 'viewer')
    await shop.database.sql`update profiles set full_name = '=1+1 Formula' where account_id = ${fred.id}`
    await changeRole(fred, 'staff')
    await signIn(page, ada)
    await ageSignIns(shop, ada)
    await page.goto('/?tab=audit&action=people&search=formula')
    await expect(page.getByText('2 entries', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Confirm' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^pegasus-ops-audit-20\d\d-\d\d-\d\d\.csv$/)
    const table = await readFile(await download.path(), 'utf8')
    const lines = table.trimEnd().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^\uFEFF"at","actor_kind","actor_id","actor_name","action"/)
    expect(lines[1]).toContain(`"account.updated","account","`)
    expect(lines[1]).toContain(`,"'=1+1 Formula",`)

    await page.goto('/?tab=audit')
    await entry(page, 'Ada Lovelace exported the audit').click()
    await expect(page.getByRole('row', { name: 'Search formula' })).toBeVisible()
  })
})

test('scrolling down the audit log loads older entries until the end', async ({
  page,
  shop,
  makeAccount,
}) => {
  const greta = await makeAccount('Greta Longlist', 'owner')
  await shop.database.sql`
    insert into audit_entries (id, at, actor_kind, actor_name, action, entity, entity_id, ip)
    select gen_random_uuid(), timestamptz '2025-06-01 12:00Z' - n * interval '1 hour', 'system', 'Night watch ' || n,
           'outbox.read', 'outbox', 'many', '203.0.113.9'
    from generate_series(1, 350) n`
  await signIn(page, greta)
  await page.goto('/?tab=audit&about=many')
  await expect(page.getByText('350 entries', { exact: true })).toBeVisible()
  await expect(entry(page, /Night watch 1 read/)).toBeVisible()
  const last = entry(page, /Night watch 350 read/)
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(last).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await entries(page).getByRole('listitem').count()).toBeLessThan(60)
  await expect(page.getByRole('heading', { level: 2 }).last()).toContainText('2025')
})

test.describe('the audit log if the server fails', () => {
  test.use({ allowedProblem: /status of 503/ })

  test('if the server fails, the audit log shows a message and loads again after Retry', async ({
    page,
    makeAccount,
  }) => {
    const ida = await makeAccount('Ida Outage', 'admin')
    await signIn(page, ida)
    const refusal = { status: 503, json: { detail: 'The database cannot be reached at the moment.' } }
    await page.route('**/api/audit?*', (route) => route.fulfill(refusal))
    await page.goto('/?tab=audit')
    await expect(page.getByRole('alert')).toContainText('The audit could not be loaded.')
    await expect(page.getByRole('alert')).toContainText('The database cannot be reached at the moment.')
    await expectAccessibleInBothThemes(page)
    await page.unroute('**/api/audit?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(entry(page, 'Ida Outage signed in')).toBeVisible()

    await page.route('**/api/audit/export*', (route) => route.fulfill(refusal))
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await expect(
      page.getByText('The database cannot be reached at the moment.', { exact: true }),
    ).toBeVisible()
    await page.unroute('**/api/audit/export*')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Retry' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('Ida Outage')
  })
})

test('only owners and admins can see the audit log, and it fits a small window', async ({
  page,
  shop,
  makeAccount,
}) => {
  const [olga, sven] = [await makeAccount('Olga Wide', 'owner'), await makeAccount('Sven Below', 'staff')]
  // In a busy shop, the tabs have large counts next to their names.
  const busy = {
    total_files: 12_480,
    total_inventory: 48_213,
    pending_orders: 1_204,
    print_queue_count: 1_018,
    total_filaments: 2_310,
  }
  await page.route('**/api/stats', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...busy } })
  })
  await signIn(page, olga)
  const sections = page.getByRole('navigation', { name: 'Sections' })
  if (isPhone(page)) {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Audit' }).click()
  } else {
    await page.setViewportSize({ width: 1024, height: 768 })
    await expect(sections.getByText('48,213')).toBeVisible()
    const overhang = await sections
      .filter({ visible: true })
      .evaluate((nav) => nav.scrollWidth - nav.clientWidth)
    expect(overhang).toBe(0)
    await sections.getByRole('link', { name: 'Audit' }).click()
  }
  await expect(entry(page, 'Olga Wide signed in')).toBeVisible()
  expect(await overhangOf(page)).toBe(0)

  await page.evaluate(() => localStorage.clear())
  await signIn(page, sven)
  await expect(sections.getByRole('link', { name: 'Audit' })).toHaveCount(0)
  await page.goto('/?tab=audit')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.get(`${shop.product.url}/api/audit`, { headers })).status()).toBe(403)
})
