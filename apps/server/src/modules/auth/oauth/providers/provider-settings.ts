import { isBaseAddress } from '@pegasus/contracts/web-address'
import { StartupError } from '../../../../platform/startup-error.ts'

/** The addresses of a provider that uses plain OAuth 2. */
export interface OAuth2Addresses {
  authorize: string
  token: string
  user: string
  /**
   * The endpoint that lists the person's email addresses, for providers whose profile does not show which
   * address is verified.
   */
  emails: string | null
}

export interface ProviderSettings {
  /** The name of the provider in our addresses, such as `google`. */
  name: string
  /** The name by which people know the provider. */
  label: string
  /** The client ids for which ID tokens may be issued. This program itself uses the first one. */
  clientIds: readonly [string, ...string[]]
  secret: string
  /** The address to which the provider sends browsers back. Null to use the default address under PUBLIC_URL. */
  redirectUri: string | null
  scopes: readonly string[]
  protocol: { kind: 'oidc'; issuer: string } | ({ kind: 'oauth2' } & OAuth2Addresses)
}

interface Prepared {
  label: string
  scopes: readonly string[]
  /** Returns the protocol and its addresses. `base` is the provider's address, or null for the built-in one. */
  protocol(base: string | null): ProviderSettings['protocol']
}

const OIDC_SCOPES = ['openid', 'email', 'profile']

/** Providers whose addresses are built in, so that the operator need not set them. */
const PREPARED: Readonly<Record<string, Prepared>> = {
  google: {
    label: 'Google',
    scopes: OIDC_SCOPES,
    protocol: (base) => ({ kind: 'oidc', issuer: base ?? 'https://accounts.google.com' }),
  },
  azure: {
    label: 'Microsoft',
    scopes: OIDC_SCOPES,
    protocol: (base) => ({
      kind: 'oidc',
      issuer: `${base ?? 'https://login.microsoftonline.com/common'}/v2.0`,
    }),
  },
  github: {
    label: 'GitHub',
    scopes: ['user:email'],
    protocol: (base) => {
      const site = base ?? 'https://github.com'
      const api = base === null ? 'https://api.github.com' : `${base}/api/v3`
      return {
        kind: 'oauth2',
        authorize: `${site}/login/oauth/authorize`,
        token: `${site}/login/oauth/access_token`,
        user: `${api}/user`,
        emails: `${api}/user/emails`,
      }
    },
  },
  discord: {
    label: 'Discord',
    scopes: ['identify', 'email'],
    protocol: (base) => {
      const api = `${base ?? 'https://discord.com'}/api`
      return {
        kind: 'oauth2',
        authorize: `${api}/oauth2/authorize`,
        token: `${api}/oauth2/token`,
        user: `${api}/users/@me`,
        emails: null,
      }
    },
  },
}

export const PREPARED_PROVIDERS: readonly string[] = Object.keys(PREPARED)

const FIELDS = [
  'ENABLED',
  'CLIENT_ID',
  'SECRET',
  'REDIRECT_URI',
  'URL',
  'LABEL',
  'SCOPES',
  'AUTHORIZE_URL',
  'TOKEN_URL',
  'USERINFO_URL',
] as const
type Field = (typeof FIELDS)[number]
type Fields = Partial<Record<Field, string>>

const VARIABLE = new RegExp(`^GOTRUE_EXTERNAL_([A-Z0-9]{1,40})_(${FIELDS.join('|')})$`)
/** Names of sign-in methods whose settings look like those of a provider. */
const NO_PROVIDERS: ReadonlySet<string> = new Set(['EMAIL', 'PHONE'])
const ADDRESSES: readonly Field[] = ['REDIRECT_URI', 'URL', 'AUTHORIZE_URL', 'TOKEN_URL', 'USERINFO_URL']

/** Returns whether a setting belongs to a sign-in provider. */
export const isProviderVariable = (name: string): boolean =>
  VARIABLE.test(name) && !NO_PROVIDERS.has(VARIABLE.exec(name)?.[1] ?? '')

function findFields(given: Readonly<Record<string, string>>): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>()
  for (const [variable, value] of Object.entries(given)) {
    const [, name = '', field] = VARIABLE.exec(variable) ?? []
    if (field === undefined || NO_PROVIDERS.has(name)) continue
    const fields = found.get(name) ?? {}
    fields[field as Field] = value.trim()
    found.set(name, fields)
  }
  return found
}

const lack = (name: string, field: Field, should: string): never => {
  throw new StartupError(`GOTRUE_EXTERNAL_${name}_${field} should hold ${should}.`)
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

function protocolOf(name: string, fields: Fields): ProviderSettings['protocol'] {
  const base = fields.URL === undefined ? null : withoutSlash(fields.URL)
  const prepared = PREPARED[name.toLowerCase()]
  if (prepared) return prepared.protocol(base)
  if (base !== null) return { kind: 'oidc', issuer: base }
  const { AUTHORIZE_URL: authorize, TOKEN_URL: token, USERINFO_URL: user } = fields
  if (authorize && token && user) return { kind: 'oauth2', authorize, token, user, emails: null }
  return lack(
    name,
    'URL',
    'the issuer of an OpenID Connect provider, unless AUTHORIZE_URL, TOKEN_URL and USERINFO_URL are set',
  )
}

function settingsOf(name: string, fields: Fields): ProviderSettings {
  for (const field of ADDRESSES)
    if (!isBaseAddress(fields[field] ?? 'https://unset'))
      lack(name, field, 'a web address without a user name and a password, such as https://id.example.com')
  const [clientId, ...others] = (fields.CLIENT_ID ?? '').split(',').map((part) => part.trim())
  if (!clientId || others.includes('')) lack(name, 'CLIENT_ID', 'the id that the provider gave this instance')
  const prepared = PREPARED[name.toLowerCase()]
  const protocol = protocolOf(name, fields)
  const scopes = prepared?.scopes ?? (protocol.kind === 'oidc' ? OIDC_SCOPES : [])
  return {
    name: name.toLowerCase(),
    label: fields.LABEL ?? prepared?.label ?? name.charAt(0) + name.slice(1).toLowerCase(),
    clientIds: [clientId ?? '', ...others],
    secret: fields.SECRET ?? lack(name, 'SECRET', 'the secret that the provider gave this instance'),
    redirectUri: fields.REDIRECT_URI ?? null,
    scopes: fields.SCOPES?.split(/[\s,]+/) ?? scopes,
    protocol,
  }
}

/**
 * Reads the providers that `GOTRUE_EXTERNAL_<NAME>_ENABLED=true` enables. Throws StartupError if a provider
 * lacks a setting. Its message contains no values.
 */
export function readProviderSettings(given: Readonly<Record<string, string>>): ProviderSettings[] {
  const settings: ProviderSettings[] = []
  for (const [name, fields] of findFields(given)) {
    const { ENABLED: enabled = 'false' } = fields
    if (enabled !== 'true' && enabled !== 'false') lack(name, 'ENABLED', 'true or false')
    if (enabled === 'true') settings.push(settingsOf(name, fields))
  }
  return settings.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}
