import { hash, timingSafeEqual } from 'node:crypto'
import {
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  errors,
  jwtVerify,
} from 'jose'
import { isWebAddress } from '@pegasus/contracts/web-address'
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../platform/clock.ts'
import { AppError } from '../../../../platform/errors/app-error.ts'
import type { SafeCall } from '../../../../platform/outbound/safe-call.ts'
import { createCachedValue } from './cached-value.ts'
import { codeRequestUrl, isJsonObject, readObject, requestTokens } from './provider-calls.ts'
import { type Provider, ProviderFault, publicSettings } from './provider.ts'
import { type ProviderProfile, readProfile } from './provider-profile.ts'
import type { ProviderSettings } from './provider-settings.ts'

const CONFIGURATION_KEPT_MS = HOUR_MS
const KEYS_KEPT_MS = 10 * MINUTE_MS
/** The minimum time between two reads of the provider's keys for tokens with unknown keys. */
const KEYS_PAUSE_MS = 30 * SECOND_MS
const LEEWAY_SECONDS = 30
/**
 * Algorithms with which only the provider can sign. HS256 is not among them, because it would use our own client
 * secret.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** The `typ` values that the header of an ID token may have. The header may also have no `typ`. */
const ID_TOKEN_TYPES: ReadonlySet<string> = new Set(['', 'jwt'])
/**
 * The placeholder in the issuer of Microsoft's common directory. In a token, the id of the person's own directory
 * replaces it.
 */
const TENANT = '{tenantid}'
const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The pause after a failed request to the provider. */
const FAILURE_PAUSE_MS = 5 * SECOND_MS

interface Configuration {
  issuer: string
  authorize: string
  token: string
  keys: string
  user: string | null
  usesBasic: boolean
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Returns whether an address from the provider's configuration is a web address with https. If the issuer uses http,
 * the address may use http, too.
 */
function isAsSafeAs(issuer: string, address: string): boolean {
  const protocol = isWebAddress(address) ? new URL(address).protocol : null
  return protocol === 'https:' || (protocol === 'http:' && new URL(issuer).protocol === 'http:')
}

/**
 * Returns whether the `at_hash` claim of an ID token is the hash of the access token that came with it (OpenID Connect
 * Core 3.2.2.9).
 */
function isHashOf(accessToken: string, atHash: unknown, algorithm: string): boolean {
  const size = /(?:384|512)$/.exec(algorithm)?.[0] ?? (algorithm.startsWith('Ed') ? '512' : '256')
  const digest = hash(`sha${size}`, accessToken, 'buffer')
  const [expected, actual] = [digest.subarray(0, digest.length / 2).toString('base64url'), String(atHash)]
  return expected.length === actual.length && timingSafeEqual(Buffer.from(expected), Buffer.from(actual))
}

/** Creates a provider that uses OpenID Connect. Its configuration is read on first use. */
export function createOidcProvider(
  settings: ProviderSettings,
  issuer: string,
  deps: { clock: Clock; call: SafeCall; readAddress: (text: string) => string | null },
): Provider {
  const { clock, call, readAddress } = deps
  const { name, clientIds } = settings
  const readConfiguration = async (): Promise<Configuration> => {
    const found = await readObject(call, `${issuer}/.well-known/openid-configuration`)
    const {
      authorization_endpoint: authorize,
      token_endpoint: token,
      jwks_uri: keys,
      issuer: ownName,
    } = found
    if (!isText(authorize) || !isText(token) || !isText(keys) || !isText(ownName))
      throw new ProviderFault(`${issuer} publishes no complete configuration`)
    const isItself = ownName.replace(/\/$/, '') === issuer || (name === 'azure' && ownName.includes(TENANT))
    if (!isItself) throw new ProviderFault(`${issuer} calls itself ${ownName}`)
    const user = found['userinfo_endpoint']
    for (const address of [authorize, token, keys, ...(isText(user) ? [user] : [])])
      if (!isAsSafeAs(issuer, address)) throw new ProviderFault(`${issuer} publishes ${address}`)
    const methods = found['token_endpoint_auth_methods_supported']
    return {
      issuer: ownName,
      authorize,
      token,
      keys,
      user: isText(user) ? user : null,
      usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    }
  }
  const pauseMs = FAILURE_PAUSE_MS
  const configure = createCachedValue(readConfiguration, { clock, keptMs: CONFIGURATION_KEPT_MS, pauseMs })

  const readKeys = async (): Promise<JWTVerifyGetKey> => {
    const { keys: address } = await configure()
    const found = await readObject(call, address)
    if (!Array.isArray(found['keys']) || !found['keys'].every(isJsonObject))
      throw new ProviderFault(`${address} has no keys`)
    // `jose` checks the form of each key when it uses the key.
    return createLocalJWKSet(found as unknown as JSONWebKeySet)
  }
  const getKeys = createCachedValue(readKeys, { clock, keptMs: KEYS_KEPT_MS, pauseMs })

  const isIssuedHere = ({ iss, tid }: JWTPayload, ownName: string): boolean => {
    if (!ownName.includes(TENANT)) return iss === ownName
    return typeof tid === 'string' && TENANT_ID.test(tid) && iss === ownName.replace(TENANT, tid)
  }

  /**
   * Returns whether the token was issued for this program. If it was issued for several programs, `azp` must name ours.
   */
  const isMeantForUs = ({ aud, azp }: JWTPayload): boolean => {
    if (azp === undefined) return !Array.isArray(aud) || aud.length === 1
    return isText(azp) && clientIds.includes(azp)
  }

  const verifyWith = async (find: JWTVerifyGetKey, idToken: string, ownName: string) => {
    const { payload, protectedHeader } = await jwtVerify(idToken, find, {
      algorithms: ALGORITHMS,
      audience: [...clientIds],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: clock.now(),
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    })
    if (!isIssuedHere(payload, ownName) || !isMeantForUs(payload))
      throw new errors.JWTInvalid('It is meant for others.')
    // Providers sign other tokens with the same keys, such as access tokens (`at+jwt`) and notices of sign-outs.
    if (!ID_TOKEN_TYPES.has(protectedHeader.typ?.toLowerCase() ?? '') || payload['events'] !== undefined)
      throw new errors.JWTInvalid('This is not an ID token.')
    return { claims: payload, algorithm: protectedHeader.alg }
  }

  /** Checks the signature, issuer, audience and times of a token. Throws ID_TOKEN_INVALID. */
  const verify = async (idToken: string) => {
    const { issuer: ownName } = await configure()
    try {
      return await verifyWith(await getKeys(), idToken, ownName).catch(async (error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey)
          return verifyWith(await getKeys(KEYS_PAUSE_MS), idToken, ownName)
        throw error
      })
    } catch (cause) {
      if (cause instanceof ProviderFault) throw cause
      throw new AppError('ID_TOKEN_INVALID', { cause })
    }
  }

  const profileOf = (claims: JWTPayload): ProviderProfile => {
    const profile = readProfile({ name, issuer: claims.iss ?? issuer }, claims, readAddress)
    if (profile === null) throw new AppError('ID_TOKEN_INVALID')
    return profile
  }

  /**
   * Adds the fields of the person's profile if the claims contain no address. Some providers send the address only in
   * the profile.
   */
  const withProfile = async (claims: JWTPayload, accessToken: string): Promise<JWTPayload> => {
    const { user } = await configure()
    if (claims['email'] !== undefined || user === null) return claims
    const profile = await readObject(call, user, { authorization: `Bearer ${accessToken}` })
    if (profile['sub'] !== claims.sub) throw new ProviderFault(`${user} describes another account`)
    return { ...profile, ...claims }
  }

  return {
    ...publicSettings(settings),
    issuer,

    async authorizeUrl(trip, extra) {
      const { authorize } = await configure()
      const url = new URL(codeRequestUrl(authorize, settings, trip, extra))
      url.searchParams.set('nonce', trip.nonce)
      return url.href
    },

    async exchange(code, trip) {
      const { token, usesBasic } = await configure()
      const { idToken, ...tokens } = await requestTokens(call, token, settings, { code, trip, usesBasic })
      if (idToken === null) throw new ProviderFault(`${token} responded without an ID token`)
      const { claims } = await verify(idToken)
      if (claims['nonce'] !== trip.nonce) throw new AppError('NONCE_MISMATCH')
      return { profile: profileOf(await withProfile(claims, tokens.accessToken)), tokens }
    },

    async verifyIdToken({ idToken, accessToken, nonce }) {
      const { claims, algorithm } = await verify(idToken)
      const expected = claims['nonce']
      if (isText(expected) !== (nonce !== null))
        throw new AppError('NONCE_MISMATCH', {
          text: 'Passed nonce and nonce in id_token should either both exist or not.',
        })
      if (nonce !== null && hash('sha256', nonce) !== expected) throw new AppError('NONCE_MISMATCH')
      if (
        accessToken !== null &&
        claims['at_hash'] !== undefined &&
        !isHashOf(accessToken, claims['at_hash'], algorithm)
      )
        throw new AppError('ID_TOKEN_INVALID')
      return profileOf(claims)
    },
  }
}
