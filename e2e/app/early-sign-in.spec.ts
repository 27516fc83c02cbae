import type { Page } from '@playwright/test'
import { holdBack } from '../support/faults.ts'
import { expect, OWNER, signIn, test } from '../support/sign-in.ts'

/** Returns the position and size of each visible title, label, field and button, rounded to pixels. */
const places = (page: Page) =>
  page.locator('#root').evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('h1, h2, label, input, button[type=submit], figure img')]
      .filter((element) => getComputedStyle(element).visibility === 'visible')
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [element.tagName, ...[x, y, width, height].map((length) => Math.round(length))].join(' ')
      }),
  )

/** Opens a page on which the app does not run. Returns whether the page shows a sign-in screen. */
async function openWithoutApp(page: Page, address: string): Promise<boolean> {
  await page.goto(address, { waitUntil: 'load' })
  return (await page.locator('#root form').count()) > 0
}

for (const { address, heading } of [
  { address: '/legacy-login', heading: 'Sign In' },
  { address: '/login', heading: 'Ops Login' },
  { address: '/?tab=orders', heading: 'Ops Login' },
]) {
  test(`${address} shows its sign-in screen before the scripts have loaded, and the app then replaces it without a shift`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const scripts = await holdBack(page, '**/assets/*.js')
    await page.goto(address, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: heading, level: 2, includeHidden: true })).toBeVisible()
    // The form cannot be filled in yet, because the app would lose the text.
    await expect(page.locator('#root')).toHaveJSProperty('inert', true)
    await page.screenshot({ path: test.info().outputPath('early.png') })
    const early = await places(page)
    scripts.letGo()
    await expect(page.locator('#root')).toHaveJSProperty('inert', false)
    await expect(page.getByRole('heading', { name: heading, level: 2 })).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('app.png') })
    expect(await places(page)).toEqual(early)
    expect(early.length).toBeGreaterThan(6)
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
  })
}

test('a narrow window does not load the picture of the early sign-in screen', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await openWithoutApp(page, '/legacy-login')).toBe(true)
  expect(asked.filter((path) => path.endsWith('.webp'))).toEqual([])
})

test('the early sign-in screen is not shown to people with a session, for mailed links, or in a language other than English', async ({
  page,
}) => {
  await signIn(page, OWNER)
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  const shown: string[] = []
  if (await openWithoutApp(page, '/legacy-login')) shown.push('a session')
  await page.evaluate(() => localStorage.removeItem('pegasus-ops-auth'))
  for (const address of [
    '/login#error=access_denied',
    '/login?code=1',
    '/login?view=sign-up',
    '/reset-password',
  ])
    if (await openWithoutApp(page, address)) shown.push(address)
  await page.evaluate(() => localStorage.setItem('pegasus-ops-language', 'de'))
  if (await openWithoutApp(page, '/login')) shown.push('German')
  expect(shown).toEqual([])
  // Without a session and in English, the screen is shown.
  await page.evaluate(() => localStorage.removeItem('pegasus-ops-language'))
  expect(await openWithoutApp(page, '/login?next=%2F%3Ftab%3Dorders')).toBe(true)
})
