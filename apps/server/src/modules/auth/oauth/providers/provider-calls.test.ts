import { expect, it } from 'vitest'
import { codeRequestUrl } from './provider-calls.ts'

const SETTINGS = {
  name: 'acme',
  label: 'Acme',
  clientIds: ['client'],
  secret: 'secret',
  redirectUri: null,
  scopes: ['openid'],
  protocol: { kind: 'oidc', issuer: 'https://id.example.com' },
} as const
const TRIP = {
  state: 's',
  redirectUri: 'https://ops.example.com/auth/v1/callback',
  verifier: 'v',
  nonce: 'n',
}

it("a caller can add parameters to a provider's address, but cannot override ours or the operator's", () => {
  const passed = {
    login_hint: 'ada@example.com',
    hd: 'evil.example',
    client_id: 'other',
    Redirect_URI: 'https://evil.example',
    state: 'other',
    scope: 'admin',
    request_uri: 'https://evil.example/request',
  }
  const url = new URL(
    codeRequestUrl('https://id.example.com/authorize?hd=example.com', SETTINGS, TRIP, { scopes: [], passed }),
  )
  expect(Object.fromEntries(url.searchParams)).toEqual({
    hd: 'example.com',
    login_hint: 'ada@example.com',
    client_id: 'client',
    redirect_uri: TRIP.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    code_challenge: expect.any(String),
    code_challenge_method: 'S256',
  })
})
