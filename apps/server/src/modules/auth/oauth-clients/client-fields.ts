import {
  OAUTH_AUTH_METHODS,
  OAUTH_CLIENT_TYPES,
  OAUTH_GRANT_TYPES,
  type OAuthClientBody,
} from '@pegasus/contracts/auth/hosted-oauth-clients'
import { hasUserInfo, isWebAddress } from '@pegasus/contracts/web-address'
import { AppError } from '../../../platform/errors/app-error.ts'
import { isLoopback } from '../../../platform/outbound/web-address.ts'
import type { OAuthClientRow, OAuthClientValues } from './oauth-clients.queries.ts'

const MAX_REDIRECTS = 10
const MAX_NAME_LENGTH = 1024
const MAX_ADDRESS_LENGTH = 2048
/** Schemes of addresses whose content a browser would run or show. */
const CONTENT_SCHEMES = new Set(['javascript:', 'data:', 'blob:', 'vbscript:', 'file:', 'about:'])

const invalid = (message: string): AppError => new AppError('REQUEST_INCOMPLETE', { text: message })

/** Reads a field that allows only certain values. Returns null if the field is missing or empty. */
function readOneOf<T extends string>(
  name: string,
  values: readonly T[],
  text: string | null | undefined,
): T | null {
  if (!text) return null
  const value = values.find((each) => each === text)
  if (value === undefined) throw invalid(`${name} must be ${values.join(' or ')}`)
  return value
}

/** The database can store neither NUL characters nor half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Reads a short text, or returns null if it is missing or empty. */
function readText(name: string, text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null
  if (text.length > maxLength) throw invalid(`${name} cannot exceed ${maxLength} characters`)
  if (!isStorable(text)) throw invalid(`${name} contains characters that cannot be stored`)
  return text
}

/** Reads the address of a page or picture that may be shown to people. */
function readWebAddress(name: string, text: string | null | undefined): string | null {
  const address = readText(name, text, MAX_ADDRESS_LENGTH)
  if (address !== null && !isWebAddress(address))
    throw invalid(`${name} must ${hasUserInfo(address) ? 'not contain credentials' : 'be a valid URL'}`)
  return address
}

/** Returns why browsers must not be sent to an address. Returns null if they may be sent there. */
function redirectFault(text: string): string | null {
  if (text.length > MAX_ADDRESS_LENGTH) return 'too long'
  if (!isStorable(text) || !URL.canParse(text)) return 'invalid URL format'
  const { protocol, host, hostname, username, password } = new URL(text)
  if (CONTENT_SCHEMES.has(protocol)) return `scheme '${protocol.slice(0, -1)}' is not allowed`
  if (host === '') return 'must have scheme and host'
  if (username !== '' || password !== '') return 'must not contain credentials'
  if (protocol === 'http:' && !isLoopback(hostname)) return 'HTTP scheme only allowed for localhost'
  return text.includes('#') ? 'fragment not allowed' : null
}

function readRedirects(uris: readonly string[]): readonly string[] {
  if (uris.length === 0) throw invalid('redirect_uris is required')
  if (uris.length > MAX_REDIRECTS) throw invalid(`redirect_uris cannot exceed ${MAX_REDIRECTS} items`)
  for (const uri of uris) {
    const fault = redirectFault(uri)
    if (fault !== null) throw invalid(`invalid redirect_uri: ${fault}`)
  }
  return uris
}

function readGrantTypes(types: readonly string[] | null | undefined): readonly string[] {
  if (types?.length === 0) throw invalid('grant_types cannot be empty')
  for (const type of types ?? []) readOneOf('grant_types', OAUTH_GRANT_TYPES, type || ' ')
  return [...new Set(types ?? OAUTH_GRANT_TYPES)]
}

/** Reads how a client proves its identity. A client of the type `public` cannot keep a secret, so it has no secret. */
function readAuthMethod(
  body: OAuthClientBody,
  before: OAuthClientRow | null,
): Pick<OAuthClientValues, 'clientType' | 'authMethod'> {
  const type = readOneOf('client_type', OAUTH_CLIENT_TYPES, body.client_type)
  const method = readOneOf('token_endpoint_auth_method', OAUTH_AUTH_METHODS, body.token_endpoint_auth_method)
  const clientType = before?.client_type ?? type ?? (method === 'none' ? 'public' : 'confidential')
  if (type !== null && type !== clientType) throw invalid('client_type cannot be changed')
  const ownMethod = clientType === 'public' ? 'none' : 'client_secret_basic'
  const authMethod = method ?? before?.auth_method ?? ownMethod
  if ((authMethod === 'none') !== (clientType === 'public'))
    throw invalid(`token_endpoint_auth_method ${authMethod} does not fit a ${clientType} client`)
  return { clientType, authMethod }
}

/** Returns a field of the body. If the body lacks the field, returns the earlier value. */
const orBefore = <T>(given: T | undefined, before: T | undefined): T | undefined =>
  given === undefined ? before : given

/**
 * Reads the fields of a new client, or the changed fields of an existing one. Throws REQUEST_INCOMPLETE with the name
 * of the invalid field.
 */
export function readClientValues(body: OAuthClientBody, before: OAuthClientRow | null): OAuthClientValues {
  if (before && Object.values(body).every((value) => value === undefined))
    throw invalid('No fields provided for update')
  if (body.response_types?.some((type) => type !== 'code') || body.response_types?.length === 0)
    throw invalid('response_types must be code')
  const name = readText('client_name', orBefore(body.client_name, before?.name), MAX_NAME_LENGTH)
  if (name === null || name.trim() === '') throw invalid('client_name is required')
  return {
    name,
    ...readAuthMethod(body, before),
    redirectUris: readRedirects(body.redirect_uris ?? before?.redirect_uris ?? []),
    grantTypes: readGrantTypes(body.grant_types ?? before?.grant_types),
    clientUri: readWebAddress('client_uri', orBefore(body.client_uri, before?.client_uri)),
    logoUri: readWebAddress('logo_uri', orBefore(body.logo_uri, before?.logo_uri)),
    scope: readText('scope', orBefore(body.scope, before?.scope), MAX_NAME_LENGTH),
  }
}
