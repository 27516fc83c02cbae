import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../platform/clock.ts'
import { createOidcProvider } from './oidc-provider.ts'
import { readAddress } from './providers.ts'

const SETTINGS = {
  name: 'acme',
  label: 'Acme',
  clientIds: ['our-id'],
  secret: 'our secret',
  redirectUri: null,
  scopes: ['openid'],
} as const
const TRIP = { state: 's', redirectUri: 'https://ops.example.com/back', verifier: 'v', nonce: 'n' }

/** Returns the address to which a provider with this configuration sends browsers. */
async function authorizeAt(issuer: string, published: Record<string, string> = {}): Promise<string> {
  const body = JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize?policy=1`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/me`,
    ...published,
  })
  const call = async () => ({ status: 200, headers: {}, body })
  const settings = { ...SETTINGS, protocol: { kind: 'oidc', issuer } as const }
  const provider = createOidcProvider(settings, issuer, { clock: systemClock, call, readAddress })
  return provider.authorizeUrl(TRIP, { scopes: [], passed: {} })
}

describe('the addresses in the configuration of a provider', () => {
  it.each(['https://id.acme.example', 'http://id.acme.example'])(
    'an OpenID Connect provider can publish its endpoints at %s',
    async (issuer) => {
      expect(await authorizeAt(issuer)).toContain(`${issuer}/authorize?policy=1&client_id=our-id`)
    },
  )

  it.each([
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'http://id.acme.example/authorize'],
    ['token_endpoint', 'http://id.acme.example/token'],
    ['jwks_uri', 'http://id.acme.example/keys'],
    ['userinfo_endpoint', 'file:///etc/passwd'],
    ['jwks_uri', 'nothing'],
  ])('a published address, %s, is refused if it is %s', async (name, address) => {
    await expect(authorizeAt('https://id.acme.example', { [name]: address })).rejects.toThrow(
      `https://id.acme.example publishes ${address}`,
    )
  })
})
