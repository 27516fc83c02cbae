import { hostedGetUser, hostedJwks, hostedLogout, hostedToken } from '@pegasus/contracts/auth/hosted-auth'
import { hostedHealth, hostedSettings } from '@pegasus/contracts/auth/hosted-state'
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '@pegasus/contracts/client-config'
import { phoneDigits } from '@pegasus/contracts/auth/phone-number'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Verification } from '../mail-links/verification.service.ts'
import { bearerOf } from '../sessions/guard.ts'
import type { IssuedSession, LogoutScope, Sessions } from '../sessions/sessions.service.ts'
import { KEY_SET_MAX_AGE_SECONDS, type SigningKeys } from '../sessions/signing-keys.ts'
import type { SignIn } from '../sign-in/sign-in.service.ts'
import type { SignUpMode } from '../sign-in/sign-up.service.ts'
import { type Device, deviceOf } from '../audit/device.ts'
import type { IdTokenCredentials, IdTokenSignIn } from '../oauth/id-token-sign-in.service.ts'
import { assertPhonesEnabled } from '../phone/assert-phones-enabled.ts'
import type { PhoneSettings } from '../phone/phone-settings.ts'
import type { PendingLinks } from '../oauth/pending-links.ts'
import type { Provider } from '../oauth/providers/provider.ts'
import { PREPARED_PROVIDERS } from '../oauth/providers/provider-settings.ts'
import { WEB3_CHAINS } from '../web3/sign-in-message.ts'
import type { SamlSignIn } from '../saml/saml-sign-in.service.ts'
import type { Web3Credentials, Web3SignIn } from '../web3/web3-sign-in.service.ts'
import type { SignedInUsers } from './hosted-user.service.ts'

const LOGOUT_SCOPES: readonly string[] = ['global', 'local', 'others'] satisfies LogoutScope[]

interface TokenFields {
  email?: string | null | undefined
  phone?: string | null | undefined
  password?: string | null | undefined
  refresh_token?: string | null | undefined
  auth_code?: string | null | undefined
  code_verifier?: string | null | undefined
  provider?: string | null | undefined
  client_id?: string | null | undefined
  issuer?: string | null | undefined
  id_token?: string | null | undefined
  access_token?: string | null | undefined
  nonce?: string | null | undefined
  link_identity?: boolean | null | undefined
  chain?: string | null | undefined
  message?: string | null | undefined
  signature?: string | Record<string, number> | null | undefined
}

const idTokenCredentialsIn = (fields: TokenFields): IdTokenCredentials => ({
  provider: fields.provider ?? '',
  clientId: fields.client_id ?? '',
  issuer: fields.issuer ?? '',
  idToken: fields.id_token ?? '',
  accessToken: fields.access_token || null,
  nonce: fields.nonce || null,
})

const web3CredentialsIn = ({ chain, message, signature }: TokenFields): Web3Credentials => ({
  chain: chain ?? '',
  message: message ?? '',
  signature: typeof signature === 'string' ? signature : '',
})

/**
 * Returns, for each blockchain, whether people can sign in with its wallets. The keys are the names in the protocol.
 */
const walletsOf = ({ chains }: Web3SignIn): Record<string, boolean> =>
  Object.fromEntries(WEB3_CHAINS.map((chain) => [`web3_${chain}`, chains.includes(chain)]))

/**
 * Returns, for each built-in provider and each of the operator's own providers, whether it is enabled. The keys are the
 * names in the protocol.
 */
const providersOf = (providers: readonly Provider[]): Record<string, boolean> =>
  Object.fromEntries([
    ...PREPARED_PROVIDERS.map((name) => [name, false] as const),
    ...providers.map(({ name }) => [name, true] as const),
  ])

/**
 * Adds the sign-in endpoints in the protocol of the hosted auth service, so that its official client works unchanged.
 */
export function addHostedAuthRoutes(
  endpoints: Endpoints,
  deps: {
    signIn: SignIn
    sessions: Sessions
    verification: Verification
    web3: Web3SignIn
    idTokens: IdTokenSignIn
    pendingLinks: PendingLinks
    providers: readonly Provider[]
    saml: SamlSignIn | null
    keys: SigningKeys
    person: SignedInUsers
    signups: SignUpMode
    allowsAnonymous: boolean
    allowsPasskeys: boolean
    phone: PhoneSettings
    version: string
  },
): void {
  const { signIn, sessions, verification, web3, idTokens, pendingLinks, keys, person } = deps

  const grantByPassword = (fields: TokenFields, device: Device): Promise<IssuedSession> => {
    const { email, phone, password } = fields
    if (email && phone)
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'Only an email address or phone number should be provided on login.',
      })
    if (!email && !phone) throw new AppError('REQUEST_INCOMPLETE', { text: 'missing email or phone' })
    if (phone) assertPhonesEnabled(deps.phone, 'Phone logins are disabled')
    if (!password) throw new AppError('INVALID_CREDENTIALS')
    if (phone)
      return signIn.withPassword({ name: phoneDigits(phone) ?? phone, kind: 'phone', password }, device)
    if (!email) throw new AppError('INVALID_CREDENTIALS')
    return signIn.withPassword({ name: email, kind: 'email', password }, device)
  }

  const grantByCode = (fields: TokenFields, device: Device): Promise<IssuedSession> => {
    const { auth_code: code, code_verifier: verifier } = fields
    if (!code || !verifier)
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'invalid request: both auth code and code verifier should be non-empty',
      })
    return verification.exchange(code, verifier, device, pendingLinks)
  }

  /**
   * Issues a session for a grant type of the protocol, such as `password`. `bearer` is the access token of a person who
   * is linking an identity.
   */
  const grant = (
    type: string | undefined,
    fields: TokenFields,
    { bearer, device }: { bearer: string; device: Device },
  ): Promise<IssuedSession> => {
    if (type === 'password') return grantByPassword(fields, device)
    if (type === 'refresh_token') return sessions.refresh(fields.refresh_token ?? '', device)
    if (type === 'pkce') return grantByCode(fields, device)
    if (type === 'web3') return web3.signIn(web3CredentialsIn(fields), device)
    if (type === 'id_token' && fields.link_identity)
      return idTokens.link(idTokenCredentialsIn(fields), bearer, device)
    if (type === 'id_token') return idTokens.signIn(idTokenCredentialsIn(fields), device)
    throw new AppError('UNSUPPORTED_GRANT', { detail: `grant_type ${type}` })
  }

  endpoints.add(hostedToken, async ({ query, body, request }) => {
    const bearer = bearerOf(request.headers.authorization) ?? ''
    const session = await grant(query.grant_type, body ?? {}, { bearer, device: deviceOf(request) })
    return person.asHostedSession(session)
  })

  endpoints.add(hostedLogout, async ({ user, query, request, reply }) => {
    const scope = query.scope ?? 'global'
    if (!LOGOUT_SCOPES.includes(scope)) throw new AppError('UNKNOWN_LOGOUT_SCOPE', { detail: scope })
    await sessions.end(user, scope as LogoutScope, deviceOf(request))
    return reply.send()
  })

  endpoints.add(hostedGetUser, async ({ user }) => person.getHostedUser(user.accountId))

  endpoints.add(hostedJwks, async ({ reply }) => {
    reply.header('cache-control', `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`)
    return { keys: await keys.publicJwks() }
  })

  endpoints.add(hostedSettings, async () => ({
    external: {
      email: true,
      phone: deps.phone.isEnabled,
      anonymous_users: deps.allowsAnonymous,
      ...walletsOf(web3),
      ...providersOf(deps.providers),
    },
    disable_signup: deps.signups === 'closed',
    mailer_autoconfirm: deps.signups === 'open',
    phone_autoconfirm: deps.phone.autoConfirms,
    sms_provider: deps.phone.hook === null ? '' : 'hook',
    saml_enabled: deps.saml !== null,
    passkeys_enabled: deps.allowsPasskeys,
  }))

  endpoints.add(hostedHealth, async () => ({
    version: deps.version,
    name: PRODUCT_NAME,
    description: PRODUCT_SUBTITLE,
  }))
}
