import { hash } from 'node:crypto'
import type { SafeCall } from '../../../../platform/outbound/safe-call.ts'
import { type RoundTrip, ProviderFault, RESERVED_PARAMETERS } from './provider.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { ProviderTokens } from '../../sessions/sessions.service.ts'

type Json = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads any JSON value from a provider. Throws ProviderFault. */
export async function readJson(
  call: SafeCall,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return parsed(
    call(address, { method: 'GET', headers: { accept: 'application/json', ...headers } }),
    address,
  )
}

/** Reads a JSON object from a provider. Throws ProviderFault. */
export async function readObject(...request: Parameters<typeof readJson>): Promise<Json> {
  const value = await readJson(...request)
  if (!isJsonObject(value)) throw new ProviderFault(`${request[1]} answered no object`)
  return value
}

async function parsed(answering: ReturnType<SafeCall>, address: string): Promise<unknown> {
  try {
    const { status, body } = await answering
    if (status !== 200) throw new Error(`answered ${status}`)
    return JSON.parse(body)
  } catch (cause) {
    throw new ProviderFault(`${address} failed`, { cause })
  }
}

/**
 * Returns the address at the provider to which the browser goes for a sign-in and from which it returns with a code.
 */
export function codeRequestUrl(
  address: string,
  { clientIds, scopes: ownScopes }: ProviderSettings,
  trip: RoundTrip,
  { scopes, passed }: { scopes: readonly string[]; passed: Readonly<Record<string, string>> },
): string {
  const url = new URL(address)
  // A caller cannot set a parameter that the operator's address already has, such as the domain of a company.
  const isFree = (name: string): boolean =>
    !RESERVED_PARAMETERS.has(name.toLowerCase()) && !url.searchParams.has(name)
  for (const [name, value] of Object.entries(passed).filter(([each]) => isFree(each)))
    url.searchParams.set(name, value)
  const fields = {
    client_id: clientIds[0],
    redirect_uri: trip.redirectUri,
    response_type: 'code',
    scope: [...new Set([...ownScopes, ...scopes])].join(' '),
    state: trip.state,
    code_challenge: hash('sha256', trip.verifier, 'base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** Encodes a text for Basic authentication, as RFC 6749 requires. */
const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

/**
 * Exchanges a code for tokens. Sends our client id and secret by Basic authentication if `usesBasic` is true, and in
 * the body otherwise. Throws ProviderFault.
 */
export async function requestTokens(
  call: SafeCall,
  address: string,
  { clientIds, secret }: ProviderSettings,
  { code, trip, usesBasic }: { code: string; trip: RoundTrip; usesBasic: boolean },
): Promise<ProviderTokens & { idToken: string | null }> {
  const clientId = clientIds[0]
  const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: trip.redirectUri,
    code_verifier: trip.verifier,
    ...(!usesBasic && { client_id: clientId, client_secret: secret }),
  }).toString()
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...(usesBasic && { authorization: `Basic ${credentials}` }),
  }
  const answer = await parsed(call(address, { method: 'POST', headers, body }), address)
  // Some providers send errors with the status 200.
  if (!isJsonObject(answer) || typeof answer['access_token'] !== 'string' || answer['access_token'] === '')
    throw new ProviderFault(`${address} responded without a token`)
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = answer
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
    idToken: typeof idToken === 'string' ? idToken : null,
  }
}
