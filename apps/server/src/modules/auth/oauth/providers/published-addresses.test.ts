import { type Server, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../../../test/support/accounts/providers/listen.ts'
import { systemClock } from '../../../../platform/clock.ts'
import { parseAllowRule } from '../../../../platform/outbound/outbound-policy.ts'
import { type CallFor, type SafeCall, createCallFor } from '../../../../platform/outbound/safe-call.ts'
import { ProviderFault } from './provider.ts'
import { createProviders } from './providers.ts'

const TRIP = { state: 's', redirectUri: 'https://ops.example.com/back', verifier: 'v', nonce: 'n' }
const PUBLIC_ISSUER = 'https://login.example.org'

const settingsOf = (name: string, issuer: string) =>
  ({
    name,
    label: name,
    clientIds: ['our-id'],
    secret: 'our secret',
    redirectUri: null,
    scopes: ['openid'],
    protocol: { kind: 'oidc', issuer },
  }) as const

/** Counts the connections to a free port of this machine until the test ends. */
async function aCountedPort(): Promise<{ host: string; connections: () => number }> {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  onTestFinished(() => {
    server.close()
  })
  return {
    host: `127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
  }
}

describe('the addresses that a provider publishes', () => {
  it('a public provider cannot make us call an address that the operator allowed for another provider', async () => {
    const inside = await aCountedPort()
    const issuer: string = await listen((_request, response) => response.end(published(issuer)))
    const published = (itself: string) =>
      JSON.stringify({
        issuer: itself,
        authorization_endpoint: `${itself}/authorize`,
        token_endpoint: `https://${inside.host}/token`,
        jwks_uri: `https://${inside.host}/keys`,
      })
    const allow = [inside.host, new URL(issuer).host].map(parseAllowRule).filter((rule) => rule !== null)
    const callFor = createCallFor({ allow })
    // Simulates the internet, where the public provider publishes its configuration.
    const callInternet =
      (service: string | null): SafeCall =>
      async (address, request) =>
        address.startsWith(PUBLIC_ISSUER)
          ? { status: 200, headers: {}, body: published(PUBLIC_ISSUER) }
          : callFor(service)(address, request)
    const withInternet: CallFor = Object.assign(callInternet, { isListed: callFor.isListed })
    const settings = [settingsOf('listed', issuer), settingsOf('public', PUBLIC_ISSUER)]
    const [listed, foreign] = createProviders(settings, { clock: systemClock, callFor: withInternet })
    await expect(foreign?.exchange('code', TRIP)).rejects.toThrow(ProviderFault)
    expect(inside.connections()).toBe(0)
    await expect(listed?.exchange('code', TRIP)).rejects.toThrow(ProviderFault)
    expect(inside.connections()).toBe(1)
  })
})
