import type { ClientConfig } from '@pegasus/contracts/client-config'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'

const read = async (variables: Record<string, string> = {}): Promise<ClientConfig> =>
  (await (await buildTestApp({ variables })).http.inject('/api/config')).json<ClientConfig>()

describe('GET /api/config', () => {
  it('GET /api/config returns the values that a client needs, and no others', async () => {
    expect(await read()).toEqual({
      product_name: 'Pegasus Ops',
      currency: 'USD',
      locale: null,
      signups: 'approval',
      mail_delivery: 'outbox',
      sign_in_providers: [],
      links_identities: false,
      sso: false,
      passkeys: true,
      phone_sign_in: false,
      phone_factors: false,
      webauthn_rp_id: 'localhost',
      main_site_url: null,
      main_site_orders_url: null,
      supabase_url: null,
      supabase_anon_key: expect.stringMatching(/^sb_publishable_[\w-]{22}$/),
      upload_limit_bytes: 2 ** 30,
    } satisfies ClientConfig)
  })

  it("GET /api/config returns the address of the shop's own order list, for every kind of shop", async () => {
    const MAIN_SITE_URL = 'https://shop.example.com/'
    const addresses = await Promise.all(
      [
        {},
        { MAIN_SITE_KIND: 'woocommerce', MAIN_SITE_ADMIN_KEY: 'ck_a:cs_b' },
        { MAIN_SITE_KIND: 'shopify', MAIN_SITE_ADMIN_KEY: 'shpat_a' },
      ].map(async (kind) => (await read({ MAIN_SITE_URL, ...kind })).main_site_orders_url),
    )
    expect(addresses).toEqual([
      'https://shop.example.com/admin/orders',
      'https://shop.example.com/wp-admin/edit.php?post_type=shop_order',
      'https://shop.example.com/admin/orders',
    ])
  })

  it('GET /api/config lists the names of the sign-in providers, but no other details of them', async () => {
    const config = await read({
      GOTRUE_EXTERNAL_GITHUB_ENABLED: 'true',
      GOTRUE_EXTERNAL_GITHUB_CLIENT_ID: 'our-id',
      GOTRUE_EXTERNAL_GITHUB_SECRET: 'our-secret',
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
    })
    expect(config).toMatchObject({
      sign_in_providers: [{ name: 'github', label: 'GitHub' }],
      links_identities: true,
    })
    expect(JSON.stringify(config)).not.toMatch(/our-id|our-secret/)
  })

  it('GET /api/config returns whether a mail server is configured, but not which one', async () => {
    const config = await read({ SMTP_URL: 'smtp://ops:secret@mail.internal:2525', SIGNUPS: 'open' })
    expect(config).toMatchObject({ mail_delivery: 'smtp', signups: 'open' })
    expect(JSON.stringify(config)).not.toMatch(/secret|mail\.internal/)
  })

  it('GET /api/config returns the address and the public key of a hosted project, and the page may connect to it', async () => {
    const app = await buildTestApp({
      variables: {
        SUPABASE_URL: 'https://project.example.com',
        SUPABASE_ANON_KEY: 'sb_publishable_abc',
        SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_def',
        GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
      },
      page: '<!doctype html><title>Pegasus Ops</title>',
    })
    const answer = await app.http.inject('/api/config')
    expect(answer.json<ClientConfig>()).toMatchObject({
      supabase_url: 'https://project.example.com',
      supabase_anon_key: 'sb_publishable_abc',
      passkeys: false,
      mail_delivery: 'smtp',
    })
    expect(answer.body).not.toContain('sb_secret')
    const page = await app.http.inject('/login')
    const policy = page.headers['content-security-policy']
    expect(policy).toContain("connect-src 'self' https://project.example.com;")
    expect(policy).toContain("img-src 'self' https://project.example.com data: blob:;")
    expect(policy).toContain("media-src 'self' https://project.example.com blob:;")
  })
})
