import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { type CryptoKey, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { createMemoryAdapter } from './memory-adapter.ts'

export const CLIENT_ID = 'pegasus'
export const CLIENT_SECRET = 'a secret of the provider: ~+/%&='
const KEY_ID = 'key-1'

export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** A real OpenID Connect provider. `person` signs in there and agrees to everything. */
export interface OidcServer {
  issuer: string
  /** The host with its port, such as `127.0.0.1:1234`, for the list of addresses that the server may reach. */
  host: string
  /** The person who signs in next. If it is null, the provider refuses the sign-in. */
  person: ProviderPerson | null
  /** Signs an ID token with the provider's key. `changes` replace claims of a valid token. */
  idToken(person: ProviderPerson, changes?: JWTPayload, key?: CryptoKey): Promise<string>
}

/** Starts the provider. `listen` listens on a free port and returns the address without a trailing slash. */
export async function anOidcServer(
  redirectUri: string,
  listen: (handle: RequestListener) => Promise<string>,
): Promise<OidcServer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }
  let handle: RequestListener = () => undefined
  const issuer = await listen((request, response) => handle(request, response))
  const people = new Map<string, ProviderPerson>()
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    adapter: createMemoryAdapter(),
    renderError: (context, error) => {
      context.body = JSON.stringify(error)
    },
    jwks: { keys: [key] },
    cookies: { keys: ['a key of cookies'] },
    features: { devInteractions: { enabled: false } },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ ...people.get(id), sub: id }) }),
  })
  const answer = provider.callback()
  const server: OidcServer = {
    issuer,
    host: new URL(issuer).host,
    person: null,
    idToken: (person, changes = {}, signingKey = privateKey) => {
      const now = Math.floor(Date.now() / 1000)
      const times = { iat: now, exp: now + 600, jti: randomUUID() }
      const claims = { iss: issuer, aud: CLIENT_ID, ...times, ...person, ...changes }
      const { typ = 'JWT', ...payload } = claims as typeof claims & { typ?: string }
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ }).sign(signingKey)
    },
  }

  const resultFor = async (details: Awaited<ReturnType<typeof provider.interactionDetails>>) => {
    const { person } = server
    if (person === null)
      return { error: 'access_denied', error_description: 'End-User aborted <interaction>' }
    if (details.prompt.name === 'login') {
      people.set(person.sub, person)
      return { login: { accountId: person.sub } }
    }
    const grant = new provider.Grant({ accountId: details.session?.accountId ?? '', clientId: CLIENT_ID })
    grant.addOIDCScope(String(details.params['scope']))
    return { consent: { grantId: await grant.save() } }
  }

  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      void answer(request, response)
      return
    }
    void provider
      .interactionDetails(request, response)
      .then(resultFor)
      .then((result) => provider.interactionFinished(request, response, result))
  }
  return server
}
