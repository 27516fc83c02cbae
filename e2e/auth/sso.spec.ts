import { createServer, type Server } from 'node:http'
import type { Page } from '@playwright/test'
import { AuthClient } from '../../apps/server/test/support/accounts/official-client.ts'
import {
  ADA_AT_WORK,
  SamlIdp,
  type ResponseFields,
  readRequest,
} from '../../apps/server/test/support/accounts/providers/saml-idp.ts'
import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { findFreePort, type Product, startProduct } from '../support/harness.ts'
import { expectAccessibleInBothThemes, openProfile } from '../support/sign-in.ts'

interface Company {
  idp: SamlIdp
  /** Fields that replace those of the provider's responses. A test may change them at any time. */
  changes: Partial<ResponseFields>
  metadataUrl: string
}

interface WithSso {
  company: Company
  ops: Product
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Starts a SAML provider that asks for no password: it responds with a form that submits itself. */
async function aCompany(servers: Server[]): Promise<Company & { host: string }> {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const company: Company = {
    idp: new SamlIdp(`${base}/metadata`),
    changes: {},
    metadataUrl: `${base}/metadata`,
  }
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/metadata')) {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(company.idp.metadata())
      return
    }
    const asked = readRequest(new URL(request.url ?? '', base).href)
    const xml = company.idp.respond(asked, new Date(), company.changes)
    const field = (name: string, value: string) =>
      `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>Acme</title><form method="post" action="${escapeHtml(asked.acsUrl)}">${field('SAMLResponse', Buffer.from(xml).toString('base64'))}${field('RelayState', asked.relayState)}</form><script>document.forms[0].submit()</script>`,
      )
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  // The server reads `company` at each request, so return this object and not a copy.
  return Object.assign(company, { host: `127.0.0.1:${port}` })
}

/** Starts a product with single sign-on, and a company's SAML provider. */
const test = base.extend<object, { withSso: WithSso }>({
  withSso: [
    async ({}, use) => {
      const servers: Server[] = []
      const company = await aCompany(servers)
      const ops = await startProduct({
        SIGNUPS: 'open',
        GOTRUE_SAML_ENABLED: 'true',
        SIGN_IN_PROVIDER_ALLOW: company.host,
      })
      await use({ company, ops })
      await ops.stop()
      for (const server of servers) server.close()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ withSso }, use) => {
    await use(withSso.ops.url)
  },
})

// The test provokes refusals: of providers, and of addresses.
test.use({ allowedProblem: /the server responded with a status of (?:404|422) / })

async function signInAsOwner(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
}

const providers = (page: Page) => page.getByRole('list', { name: 'SAML providers' }).getByRole('listitem')
const toast = (page: Page, text: string) => page.getByText(text, { exact: true })

test('an administrator can add, test and remove a SAML provider, and people can sign in through it with their work address', async ({
  page,
  withSso: { company, ops },
}) => {
  const domain = `${test.info().project.name}.acme.example`
  await signInAsOwner(page)
  await page.goto('/?tab=people&view=sso')
  await expect(page.getByText(`${ops.url}/auth/v1/sso/saml/acs`)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Add provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add SAML provider' })
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await expect(dialog.getByText('Enter the address of the metadata, or choose the file.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Address of the metadata').fill(company.metadataUrl)
  await dialog.getByLabel('Domains').fill(`@${domain}`)
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await expect(toast(page, 'SAML provider added')).toBeVisible()
  await expect(providers(page)).toHaveCount(1)
  await expect(providers(page)).toContainText(domain)

  company.changes = { audience: 'https://elsewhere.example' }
  await page.getByRole('button', { name: /^Test / }).click()
  await expect(providers(page)).toContainText('Set the audience at the provider to our entity id.')
  company.changes = {}
  await page.getByRole('button', { name: /^Test / }).click()
  await expect(providers(page)).toContainText(
    `The test succeeded: ${ADA_AT_WORK.fullName}, ${ADA_AT_WORK.email}`,
  )
  await expectAccessibleInBothThemes(page)

  const client = new AuthClient({
    url: `${ops.url}/auth/v1`,
    headers: { apikey: 'any' },
    persistSession: false,
    autoRefreshToken: false,
  })
  const { data } = await client.signInWithSSO({ domain, options: { skipBrowserRedirect: true } })
  expect(new URL(data?.url ?? '').origin).toBe(new URL(company.metadataUrl).origin)

  await page.evaluate(() => localStorage.clear())
  await page.goto('/login?next=%2F%3Ftab%3Dinventory')
  await page.getByRole('button', { name: 'Sign in with SSO' }).click()
  await page.getByLabel('Work email or domain').fill('ada@nobody.example')
  await page.getByRole('button', { name: 'Continue with SSO' }).click()
  await expect(page.getByText('No company with this address signs in here.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Work email or domain').fill(`ada@${domain}`)
  await page.getByRole('button', { name: 'Continue with SSO' }).click()
  await expect(page.getByRole('heading', { name: 'Inventory', level: 1 })).toBeVisible()
  expect(page.url()).not.toContain('access_token')

  await openProfile(page, 'Security')
  const ways = page.getByRole('list', { name: 'Ways to sign in' })
  await expect(ways).toContainText('Single sign-on')
  await expect(ways).toContainText(ADA_AT_WORK.email)
  await expect(page.getByRole('tab', { name: 'Password' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  company.changes = { signs: 'nothing' }
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with SSO' }).click()
  await page.getByLabel('Work email or domain').fill(domain)
  await page.getByRole('button', { name: 'Continue with SSO' }).click()
  await expect(page.getByRole('alert').first()).toHaveText(
    'The response of your company was not accepted. Ask an administrator.',
  )
  company.changes = {}

  await signInAsOwner(page)
  await page.goto('/?tab=people&view=sso')
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click()
  await expect(toast(page, 'SAML provider removed')).toBeVisible()
  await expect(providers(page)).toHaveCount(0)
})
