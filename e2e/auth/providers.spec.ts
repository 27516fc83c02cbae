import { createServer, type RequestListener, type Server } from 'node:http'
import type { Page } from '@playwright/test'
import {
  anOidcServer,
  CLIENT_ID,
  CLIENT_SECRET,
  type OidcServer,
} from '../../apps/server/test/support/accounts/providers/oidc-server.ts'
import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { expectAccessibleInBothThemes, expectSignedIn, openProfile } from '../support/sign-in.ts'
import { findFreePort, type Product, startProduct } from '../support/harness.ts'

interface Provided {
  provider: OidcServer
  ops: Product
}

/** A product whose users sign in with a real OpenID Connect provider. */
const test = base.extend<object, { provided: Provided }>({
  provided: [
    async ({}, use) => {
      const servers: Server[] = []
      const listen = async (handle: RequestListener): Promise<string> => {
        const server = createServer(handle)
        servers.push(server)
        const port = await findFreePort()
        await new Promise<void>((resolve) => {
          server.listen(port, '127.0.0.1', resolve)
        })
        return `http://127.0.0.1:${port}`
      }
      const port = await findFreePort()
      const provider = await anOidcServer(`http://127.0.0.1:${port}/auth/v1/callback`, listen)
      const ops = await startProduct({
        PORT: String(port),
        SIGN_IN_PROVIDER_ALLOW: provider.host,
        GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
        GOTRUE_EXTERNAL_ACME_ENABLED: 'true',
        GOTRUE_EXTERNAL_ACME_LABEL: 'Acme ID',
        GOTRUE_EXTERNAL_ACME_URL: provider.issuer,
        GOTRUE_EXTERNAL_ACME_CLIENT_ID: CLIENT_ID,
        GOTRUE_EXTERNAL_ACME_SECRET: CLIENT_SECRET,
      })
      await use({ provider, ops })
      await ops.stop()
      for (const server of servers) server.close()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ provided }, use) => {
    await use(provided.ops.url)
  },
})

const through = (page: Page) => page.getByRole('link', { name: 'Continue with Acme ID' })
const alert = (page: Page) => page.getByRole('alert').first()
const ways = (page: Page) => page.getByRole('list', { name: 'Ways to sign in' })

async function signInAsOwner(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
}

test('a person can link and unlink a provider in the profile, and can sign in with it to the same account', async ({
  page,
  provided,
}) => {
  provided.provider.person = { sub: 'owner-at-acme', email: 'someone@acme.example', email_verified: true }
  await signInAsOwner(page)
  await openProfile(page, 'Security')
  await expect(ways(page).getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Link Acme ID' }).click()
  // After the sign-in, the provider sends the browser back to the app.
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await openProfile(page, 'Security')
  await expect(ways(page).getByRole('listitem')).toHaveCount(2)
  await expect(ways(page)).toContainText('someone@acme.example')
  expect(page.url()).not.toContain('access_token')
  await expectAccessibleInBothThemes(page)

  await page.evaluate(() => localStorage.clear())
  await page.goto('/login?next=%2F%3Ftab%3Dinventory')
  await through(page).click()
  await expect(page.getByRole('heading', { name: 'Inventory', level: 1 })).toBeVisible()

  await openProfile(page, 'Security')
  await page.getByRole('button', { name: 'Unlink Acme ID' }).click()
  await expect(page.getByRole('dialog', { name: 'Unlink Acme ID?' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect(page.getByText('Acme ID unlinked', { exact: true })).toBeVisible()
  await expect(ways(page).getByRole('listitem')).toHaveCount(1)
})

test('the sign-in page offers the configured provider, and explains why a sign-in through it failed', async ({
  page,
  provided,
}) => {
  await page.goto('/login')
  await expect(through(page)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  provided.provider.person = null
  await through(page).click()
  await expect(alert(page)).toHaveText('The provider did not let you sign in.')
  expect(new URL(page.url()).hash + new URL(page.url()).search).toBe('')
  await expectAccessibleInBothThemes(page)

  const name = `new-${test.info().project.name}-${test.info().repeatEachIndex}`
  provided.provider.person = { sub: name, email: `${name}@example.com`, email_verified: true }
  await through(page).click()
  await expect(alert(page)).toHaveText('An administrator must approve your account before you can sign in.')
  // The form for a forgotten password offers no other sign-in method.
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(through(page)).toHaveCount(0)
})

test.describe(() => {
  test.use({ allowedProblem: /issued over 120s ago|The link of a mail opened no session/ })

  test('a session in a URL signs a visitor in, an old one shows a warning, and an incomplete one is refused', async ({
    page,
    provided,
  }) => {
    await page.goto('/login#access_token=a.b.c')
    await expect(alert(page)).toHaveText('No session defined in URL')
    expect(page.url()).not.toContain('access_token')

    const { username, password } = OWNER
    const answer = await page.request.post(`${provided.ops.url}/auth/login`, { data: { username, password } })
    const { access_token, refresh_token, expires_at, expires_in, token_type } = await answer.json()
    const old = String(expires_at - 121)
    const session = new URLSearchParams({
      access_token,
      refresh_token,
      expires_at: old,
      expires_in,
      token_type,
    })
    const warning = page.waitForEvent('console', (message) => message.text().includes('issued over 120s ago'))
    await page.goto('/healthz')
    await page.goto(`/login#${session}`)
    expect((await warning).type()).toBe('warning')
    await expectSignedIn(page)
    expect(page.url()).not.toContain('access_token')
  })
})

test('a person without an email address can still change the name in the profile', async ({
  page,
  provided,
}) => {
  await signInAsOwner(page)
  // Simulate the account of a wallet, because only a browser with a wallet could create one.
  await page.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), email: '' } })
  })
  await page.goto('/')
  await openProfile(page)
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByLabel('Email')).toHaveValue('')
  await expectAccessibleInBothThemes(page)
  const sent = page.waitForRequest((request) => request.url() === `${provided.ops.url}/api/auth/profile`)
  await panel.getByLabel('Full Name').fill('Olga Owner')
  await panel.getByRole('button', { name: 'Update Profile' }).click()
  expect((await sent).postDataJSON()).toEqual({ full_name: 'Olga Owner' })
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible()
})
