import type { Role } from '@pegasus/contracts/roles'
import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, test as base } from './fixtures.ts'
import { OWNER } from './harness.ts'
import { openShop, type Shop } from './shop.ts'

export interface Account {
  id: string
  email: string
  username: string
  fullName: string
  password: string
  role: Role
}

interface PerWorker {
  /** A shop whose tests create their own accounts. */
  shop: Shop
}

interface PerTest {
  /** Creates an account that no other test uses. */
  makeAccount: (fullName: string, role?: Role) => Promise<Account>
  /** Opens another browser, for the same person or another. */
  openBrowser: () => Promise<Page>
}

export const test = base.extend<PerTest, PerWorker>({
  shop: [
    async ({}, use) => {
      const shop = await openShop()
      await use(shop)
      await shop.close()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ shop }, use) => {
    await use(shop.product.url)
  },
  makeAccount: async ({ shop }, use) => {
    await use((fullName, role = 'staff') => createAccount(shop, fullName, role))
  },
  openBrowser: async ({ browser, shop, watch }, use) => {
    const pages: Page[] = []
    await use(async () => {
      const page = await openPage(browser, shop)
      pages.push(page)
      await watch(page.context())
      return page
    })
    for (const page of pages) await page.context().close()
  },
})

const openPage = async (browser: Browser, shop: Shop): Promise<Page> => {
  const { viewport = null, hasTouch = false, isMobile = false } = test.info().project.use
  return (await browser.newContext({ baseURL: shop.product.url, viewport, hasTouch, isMobile })).newPage()
}

let made = 0

async function createAccount({ product }: Shop, fullName: string, role: Role): Promise<Account> {
  made += 1
  const username = `${fullName.split(' ')[0]?.toLowerCase()}.${made}`
  const password = 'seven grey pelicans'
  const email = `${username}@example.com`
  const response = await fetch(`${product.url}/api/auth/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await ownerToken(product.url)}` },
    body: JSON.stringify({ email, username, full_name: fullName, role, password }),
  })
  if (!response.ok) throw new Error(`${fullName}: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  return { id, email, username, fullName, password, role }
}

async function ownerToken(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: OWNER.username, password: OWNER.password }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

type Credentials = Pick<Account, 'username' | 'password'>

/** Types the name and the password on the username screen, and submits them. */
export async function enter(page: Page, { username, password }: Credentials): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function signIn(page: Page, credentials: Credentials): Promise<void> {
  await page.goto('/legacy-login')
  await enter(page, credentials)
  await expectSignedIn(page)
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
}

/** Removes the session from the browser without signing out. Opens a page that sends no requests first. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('/healthz')
  await page.evaluate(() => localStorage.clear())
}

/** Opens the profile. Its button is in the header, or on phones in the account menu. */
export async function openProfile(page: Page, tab = 'Profile'): Promise<void> {
  await expectSignedIn(page)
  const profile = page.getByRole('button', { name: 'Profile', exact: true })
  if (await profile.isVisible()) await profile.click()
  else {
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
  }
  await page.getByRole('tab', { name: tab, exact: true }).click()
  await expect(page.getByRole('tabpanel', { name: tab, exact: true })).toBeVisible()
}

/** Makes all sessions of an account an hour old, so that a sensitive change asks for a confirmation. */
export async function ageSignIns({ database }: Shop, { id }: Pick<Account, 'id'>): Promise<void> {
  const aged = await database.sql`
    update sessions set authenticated_at = authenticated_at - interval '1 hour' where account_id = ${id}
    returning id`
  expect(aged.length).toBeGreaterThan(0)
}

/** Returns the newest email to an address. */
async function mailTo(page: Page, address: string): Promise<{ links: string[]; text: string }> {
  const authorization = `Bearer ${await ownerToken(new URL(page.url()).origin)}`
  const answer = await page.request.get('/api/outbox-mails', { headers: { authorization } })
  const mails: { to: string; links: string[]; text: string }[] = await answer.json()
  const mail = mails.find(({ to }) => to === address)
  if (!mail) throw new Error(`No mail to ${address} among ${mails.length}`)
  return mail
}

/** Returns the newest link that was mailed to an address. */
export async function linkTo(page: Page, address: string): Promise<string> {
  const [link] = (await mailTo(page, address)).links
  if (!link) throw new Error(`The newest mail to ${address} has no link`)
  return link
}

/** Returns the newest code that was mailed to an address. */
export async function codeTo(page: Page, address: string): Promise<string> {
  const code = /\b\d{8}\b/.exec((await mailTo(page, address)).text)?.[0]
  if (!code) throw new Error(`The newest mail to ${address} has no code`)
  return code
}

export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const isDark = colorScheme === 'dark'
    await expect(page.locator('html')).toHaveClass(isDark ? /\bdark\b/ : /^(?!.*\bdark\b)/)
    await expectAccessible(page)
  }
}

export { expect, OWNER }
