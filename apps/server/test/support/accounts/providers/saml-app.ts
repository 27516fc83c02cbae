import { type TestApp, buildTestApp } from '../../build-test-app.ts'
import { aServiceKey } from '../service-keys.ts'
import { SITE, fragmentIn } from './provider-app.ts'
import { type AskedSignIn, SamlIdp, type ResponseFields, formOf, readRequest } from './saml-idp.ts'

export const ACME = 'acme.example'
export const ACS = '/auth/v1/sso/saml/acs'

/** An app with single sign-on and a service key that manages its providers. */
export interface SamlApp {
  app: TestApp
  /** Sends a request to the admin endpoints of the auth protocol with the service key. */
  byKey(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: Record<string, unknown>,
  ): Promise<Answer>
}

interface Answer {
  status: number
  body: Record<string, unknown>
}

export async function aSamlApp(
  variables: Record<string, string> = {},
  options: Parameters<typeof buildTestApp>[0] = {},
): Promise<SamlApp> {
  const app = await buildTestApp({
    ...options,
    variables: { PUBLIC_URL: SITE, SIGNUPS: 'open', GOTRUE_SAML_ENABLED: 'true', ...variables },
  })
  const { key } = await aServiceKey(app)
  return {
    app,
    async byKey(method, path, payload) {
      const answer = await app.http.inject({
        method,
        url: `/auth/v1/admin/sso/providers${path}`,
        headers: { apikey: key, authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      })
      return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
    },
  }
}

/** Adds a provider for a domain and returns its id. */
export async function addProvider(
  { byKey }: SamlApp,
  idp: SamlIdp,
  fields: Record<string, unknown> = { domains: [ACME] },
): Promise<string> {
  const { status, body } = await byKey('POST', '', { type: 'saml', metadata_xml: idp.metadata(), ...fields })
  if (status !== 201) throw new Error(`addProvider: ${status} ${JSON.stringify(body)}`)
  return String(body['id'])
}

/** Builds an app with the provider of Acme. */
export async function anAppOfAcme(variables: Record<string, string> = {}) {
  const saml = await aSamlApp(variables)
  const idp = new SamlIdp()
  const providerId = await addProvider(saml, idp)
  return { ...saml, idp, providerId }
}

/** A sign-in that a browser has started: the provider's request, and the cookie of the browser. */
export interface Begun {
  asked: AskedSignIn
  cookie: string
}

/** Starts a sign-in as a page of the app does. */
export async function begin(app: TestApp, fields: Record<string, unknown> = {}): Promise<Begun> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/auth/v1/sso',
    payload: { domain: ACME, skip_http_redirect: true, ...fields },
  })
  if (answer.statusCode !== 200) throw new Error(`begin: ${answer.statusCode} ${answer.body}`)
  const [cookie = ''] = String(answer.headers['set-cookie'] ?? '').split(';', 1)
  return { asked: readRequest(answer.json<{ url: string }>().url), cookie }
}

/**
 * Posts a SAML response, as the provider's page does in the browser. Returns the address to which the server redirects.
 */
export async function post(app: TestApp, { asked, cookie }: Begun, xml: string): Promise<URL> {
  const answer = await app.http.inject({
    method: 'POST',
    url: ACS,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    payload: formOf(xml, asked.relayState),
  })
  if (answer.statusCode !== 303) throw new Error(`post: ${answer.statusCode} ${answer.body}`)
  return new URL(answer.headers.location ?? '', SITE)
}

/**
 * Signs in through a provider whose response has the given fields. Returns the fields in the fragment of the redirect.
 */
export async function signInAs(
  app: TestApp,
  idp: SamlIdp,
  changes: Partial<ResponseFields> = {},
  fields: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const begun = await begin(app, fields)
  return fragmentIn(await post(app, begun, idp.respond(begun.asked, app.clock.now(), changes)))
}

/** Returns the account id in the access token that a redirect contains. */
export function subjectIn({ access_token: token = '' }: Record<string, string>): string {
  const [, payload = ''] = token.split('.')
  return String((JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub?: unknown }).sub)
}
