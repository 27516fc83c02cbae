import type { Page } from '@playwright/test'
import { SYSTEM_ACTOR } from '../../apps/server/src/platform/actor.ts'
import { createTestItem } from '../../apps/server/test/support/create-test-item.ts'
import { holdBack } from '../support/faults.ts'
import { expect, signIn, test } from '../support/sign-in.ts'

const ADDRESS = '/?tab=inventory'
const CONTENT = 'No inventory items found'
const VIEW = 'pegasus-ops-last-view'
const SESSION = 'pegasus-ops-auth'

/** Returns the storage key of the view of an address in a window of the current width. */
const keyOf = (page: Page, address = ADDRESS) => `${VIEW} ${page.viewportSize()?.width} ${address}`

const keptView = (page: Page, address = ADDRESS) =>
  page.evaluate((key) => localStorage.getItem(key), keyOf(page, address))

const viewKeys = (page: Page) =>
  page.evaluate((key) => Object.keys(localStorage).filter((each) => each.includes(key)), VIEW)

/** Opens the list and stores its view, as if the page were left as soon as it is complete. */
async function leaveView(page: Page, address = ADDRESS, content = CONTENT): Promise<void> {
  await page.goto(address)
  await expect(page.getByText(content)).toBeVisible()
  const leave = async () => {
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    return keptView(page, address)
  }
  await expect.poll(leave).toContain(content)
}

test('the page shows the last view before the scripts have loaded, but does not respond to clicks yet', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  await leaveView(page)
  const scripts = await holdBack(page, '**/assets/*.js')
  await page.goto(ADDRESS, { waitUntil: 'commit' })
  await expect(page.getByText(CONTENT)).toBeVisible()
  await expect(page.locator('#root')).toHaveJSProperty('inert', true)
  scripts.letGo()
  await expect(page.locator('#root')).toHaveJSProperty('inert', false)
  await expect(page.getByRole('heading', { name: 'Inventory', level: 1 })).toBeAttached()
  await expect(page.getByText(CONTENT)).toHaveCount(1)
})

test('the dashboard and each list have a last view of their own, for each width of the window', async ({
  page,
  makeAccount,
}) => {
  test.slow()
  await signIn(page, await makeAccount('Ada Lovelace'))
  const views = [
    ['/', 'No orders yet'],
    ['/?tab=dashboard', 'No orders yet'],
    ['/?tab=stl-library', 'No STL files found'],
    ['/?tab=inventory', 'No inventory items found'],
    ['/?tab=orders', 'No orders yet'],
    ['/?tab=print-queue', 'The print queue is empty'],
    ['/?tab=filament', 'No filament found'],
  ] as const
  await page.setViewportSize({ width: 412, height: 823 })
  for (const [address, content] of views) await leaveView(page, address, content)
  const narrow = (await viewKeys(page)).filter((key) => key.includes(' 412 '))
  expect(narrow.length).toBe(views.length)
  // In another width, leaving a page adds a view and replaces no view of the first width.
  await page.setViewportSize({ width: 1200, height: 823 })
  await leaveView(page)
  expect(await viewKeys(page)).toEqual(expect.arrayContaining([...narrow, keyOf(page)]))
  await page.setViewportSize({ width: 412, height: 823 })
  // Remove the app's scripts, so that everything on the page comes from the stored views.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  for (const [address, content] of views) {
    await page.goto(address, { waitUntil: 'load' })
    await expect(page.getByText(content)).toBeVisible()
  }
})

test('the oldest last views are removed if there are too many of them, or if together they are too long', async ({
  page,
  makeAccount,
}) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  await leaveView(page)
  const fill = (count: number, length: number) =>
    page.evaluate(
      ([key, own, many, long]) => {
        const [header = '{}'] = (localStorage.getItem(own) ?? '').split('\n')
        for (let age = 1; age <= many; age += 1) {
          const old = { ...(JSON.parse(header) as { keptAt: number }), keptAt: Date.now() - age * 1000 }
          localStorage.setItem(`${key} ${age} /`, `${JSON.stringify(old)}\n${'x'.repeat(long)}`)
        }
      },
      [VIEW, keyOf(page), count, length] as const,
    )
  await fill(20, 10)
  await page.reload()
  await expect(page.getByText(CONTENT)).toBeVisible()
  await expect.poll(async () => (await viewKeys(page)).length).toBe(14)
  expect(await viewKeys(page)).toContain(keyOf(page))
  expect(await viewKeys(page)).not.toContain(`${VIEW} 20 /`)
  await fill(4, 500_000)
  await page.reload()
  await expect(page.getByText(CONTENT)).toBeVisible()
  await expect
    .poll(async () => (await viewKeys(page)).filter((key) => / [1-4] \/$/.test(key)).toSorted())
    .toEqual([`${VIEW} 1 /`, `${VIEW} 2 /`])
})

test('the last view leaves out rows below the window, because they would delay the visible rows', async ({
  page,
  shop,
  makeAccount,
}) => {
  const by = { actor: SYSTEM_ACTOR, now: new Date() }
  await shop.database.transaction(async (tx) => {
    for (let row = 10; row < 50; row += 1)
      await createTestItem(tx, { name: `Row ${row}`, sku: `ROW-${row}` }, by)
  })
  await signIn(page, await makeAccount('Ada Lovelace'))
  await page.goto(ADDRESS)
  const rows = page.locator('main [data-index]')
  await expect(rows.first()).toBeVisible()
  const isKept = async () => (await keptView(page))?.includes('Row 49') ?? false
  await expect.poll(isKept).toBe(true)
  const kept = await page.evaluate((key) => {
    const html = (localStorage.getItem(key) ?? '').split('\n').slice(1).join('\n')
    return new DOMParser().parseFromString(html, 'text/html').querySelectorAll('[data-index]').length
  }, keyOf(page))
  const inWindow = await rows.evaluateAll(
    (all) => all.filter((row) => row.getBoundingClientRect().top <= innerHeight).length,
  )
  expect(kept).toBe(inWindow)
  // To make scrolling possible, there must be rows below the window.
  await expect.poll(() => rows.count()).toBeGreaterThan(inWindow)
  await shop.database.sql`update items set deleted_at = now()`
})

test('T22 a sign-out removes all last views, also those of the demo', async ({ page, makeAccount }) => {
  await signIn(page, await makeAccount('Ada Lovelace'))
  await leaveView(page, '/?tab=stl-library', 'No STL files found')
  await leaveView(page)
  await page.evaluate((key) => localStorage.setItem(`demo/${key} 1200 /`, '{}\n<main></main>'), VIEW)
  // There may also be a view of the dashboard, which was open after the sign-in.
  expect((await viewKeys(page)).length).toBeGreaterThanOrEqual(3)
  const other = await page.context().newPage()
  // Wait for this response. If it arrived after the sign-out, it would be a refusal, which the browser would log.
  const identity = other.waitForResponse('**/api/auth/me')
  await other.goto(ADDRESS)
  await identity
  const direct = other.getByRole('button', { name: 'Sign out', exact: true })
  if (!(await direct.isVisible())) {
    await other.getByRole('button', { name: 'Account', exact: true }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
  } else await direct.click()
  // The first page has shown the list until now. Its reload must not store a view again.
  await expect(other.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  expect(await viewKeys(page)).toEqual([])
})

test('T27 the last view is never shown to another account, to another session, or without a session', async ({
  page,
  shop,
  makeAccount,
}) => {
  const [ada, bob] = [await makeAccount('Ada Lovelace'), await makeAccount('Bob Byte')]
  await signIn(page, ada)
  await leaveView(page)
  const [view, key] = [(await keptView(page)) ?? '', keyOf(page)]
  const own = (await page.evaluate((key) => localStorage.getItem(key), SESSION)) ?? ''
  const sessionOf = async ({ email, password }: typeof ada) =>
    (
      await page.request.post(`${shop.product.url}/auth/v1/token?grant_type=password`, {
        data: { email, password },
      })
    ).text()
  const others: Record<string, { session: string | null; hasEntered: boolean }> = {
    'another account': { session: await sessionOf(bob), hasEntered: true },
    'another session of the same account': { session: await sessionOf(ada), hasEntered: true },
    'a session whose token has ended': {
      session: JSON.stringify({ ...JSON.parse(own), expires_at: 1 }),
      hasEntered: true,
    },
    'a session before its second step': { session: own, hasEntered: false },
    nobody: { session: null, hasEntered: true },
  }
  // No script of the app runs, so everything on the page comes from the stored view.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  const shown: string[] = []
  for (const [whom, { session, hasEntered }] of Object.entries(others)) {
    await page.goto('/theme.js')
    await page.evaluate(
      ([entries, removed]) => {
        for (const key of removed) localStorage.removeItem(key)
        for (const [key, value] of entries) localStorage.setItem(key, value)
      },
      [
        [
          [key, view],
          [`${VIEW} 1200 /`, view],
          [VIEW, '{"html":"<main>a view of an older version</main>"}'],
          ...(session ? [[SESSION, session] as const] : []),
          ...(hasEntered ? [['pegasus-ops-entered', '1'] as const] : []),
        ],
        [SESSION, 'pegasus-ops-entered'],
      ] as const,
    )
    await page.goto(ADDRESS, { waitUntil: 'load' })
    const markup = await page.locator('#root').innerHTML()
    // Without a session, the page shows the early sign-in screen. In all other cases, it stays empty.
    const isRight = session
      ? markup === ''
      : markup.includes('Ops Login') && !/No inventory|older version/.test(markup)
    if (!isRight || (await viewKeys(page)).length > 0) shown.push(whom)
  }
  expect(shown).toEqual([])
  // A view that is older than 12 hours is deleted.
  const [header = '', markup = ''] = view.split(/\n(.*)/s)
  const old = JSON.stringify({ ...JSON.parse(header), keptAt: Date.now() - 13 * 3_600_000 })
  // With the session to which the view belongs, the same steps show the view.
  await page.goto('/theme.js')
  await page.evaluate(
    (entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value)
    },
    [
      [key, view],
      [`${VIEW} 1200 /`, `${old}\n${markup}`],
      [SESSION, own],
      ['pegasus-ops-entered', '1'],
    ] as const,
  )
  await page.goto(ADDRESS, { waitUntil: 'load' })
  await expect(page.getByText(CONTENT)).toBeVisible()
  expect(await viewKeys(page)).toEqual([key])
})
