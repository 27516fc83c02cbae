import { expect, signIn, test, OWNER } from '../support/sign-in.ts'

/** Maximum number of scripts that a page may load. */
const MOST_SCRIPTS = 42

for (const { tab, list, heading, empty } of [
  { tab: 'dashboard', list: '/api/stats', heading: 'Dashboard', empty: 'No orders yet' },
  {
    tab: 'stl-library',
    list: '/api/stl-files?sort=newest&limit=60',
    heading: 'STL Library',
    empty: 'No STL files found',
  },
  {
    tab: 'inventory',
    list: '/api/inventory?limit=100&sort=newest',
    heading: 'Inventory',
    empty: 'No inventory items found',
  },
]) {
  test(`the first view of ${heading} requests the account and its first data once, before the scripts have loaded`, async ({
    page,
  }) => {
    await signIn(page, OWNER)
    const asked = new Map<string, number>()
    const wanted = ['/api/config', '/api/auth/me', list]
    const begun = Promise.withResolvers<void>()
    const scripts: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith('.js')) scripts.push(pathname)
      asked.set(pathname + search, (asked.get(pathname + search) ?? 0) + 1)
      if (wanted.every((path) => asked.has(path))) begun.resolve()
    })
    // Hold the app's scripts back until these requests have been sent, so that no script can have sent them.
    await page.route('**/assets/*.js', async (route) => {
      await begun.promise
      await route.continue()
    })
    await page.goto(`/?tab=${tab}`)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(page.getByText(empty)).toBeVisible()
    expect(wanted.map((path) => [path, asked.get(path)])).toEqual(wanted.map((path) => [path, 1]))
    // The first page of this list was requested only once. The dashboard also requests shorter pages of other lists.
    const { pathname, searchParams } = new URL(list, page.url())
    const ofList = [...asked.keys()].filter((path) => {
      const other = new URL(path, page.url())
      return other.pathname === pathname && other.searchParams.get('limit') === searchParams.get('limit')
    })
    expect(ofList).toEqual([list])
    expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS)
  })
}

test('an unknown tab shows the dashboard, even if its name is a property of every object', async ({
  page,
}) => {
  await signIn(page, OWNER)
  for (const tab of ['constructor', '__proto__', 'no-such-tab']) {
    await page.goto(`/?tab=${tab}`)
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeAttached()
  }
})

test('the app requests no account while nobody is signed in', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/?tab=stl-library')
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/config'])
})

test('a narrow window does not load the picture beside the sign-in form', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const visit = async (width: number) => {
    asked.length = 0
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
    return asked.includes('/sign-in-part.webp')
  }
  expect([await visit(390), await visit(1440)]).toEqual([false, true])
})

test('the sign-in page requests the scripts of its form before the app has loaded', async ({ page }) => {
  // Hold the app's first script back, so that the app cannot request anything.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('link[rel=modulepreload][href*="/assets/login-"]')).toHaveCount(1)
  release()
  await expect(page.getByRole('heading', { name: 'Ops Login' })).toBeVisible()
})
