import type { ProviderTokens } from '../../sessions/sessions.service.ts'
import type { ProviderProfile } from './provider-profile.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { CodedError } from '../../../../platform/errors/coded-error.ts'

/** A browser's visit to the sign-in page of a provider. */
export interface RoundTrip {
  state: string
  redirectUri: string
  /** Proves to the provider that the same client begins the sign-in and exchanges the code (PKCE). */
  verifier: string
  nonce: string
}

/**
 * An ID token that a client obtained from the provider, such as an app on a phone or the provider's button on
 * a page.
 */
export interface ForeignIdToken {
  idToken: string
  accessToken: string | null
  /** The nonce whose SHA-256 hash is in the token, or null if there is none. */
  nonce: string | null
}

/** Returns the settings of a provider that its callers may see, without the secret. */
export const publicSettings = ({ name, label, clientIds, redirectUri }: ProviderSettings) => ({
  name,
  label,
  clientIds,
  redirectUri,
})

/**
 * A provider that vouches for people. The functions throw `ProviderFault` if something fails at the provider.
 */
export interface Provider {
  readonly name: string
  readonly label: string
  readonly clientIds: readonly string[]
  /** The issuer in the provider's ID tokens. For plain OAuth 2, the origin of the provider's address. */
  readonly issuer: string
  /** Null to use the default address under PUBLIC_URL. */
  readonly redirectUri: string | null
  /** Returns the provider's address for the browser. `passed` are parameters from the caller. */
  authorizeUrl(
    trip: RoundTrip,
    extra: { scopes: readonly string[]; passed: Readonly<Record<string, string>> },
  ): Promise<string>
  /** Exchanges the code that the browser brought back for tokens. */
  exchange(code: string, trip: RoundTrip): Promise<{ profile: ProviderProfile; tokens: ProviderTokens }>
  /**
   * Verifies an ID token that a client obtained from the provider. Null if the provider has no ID tokens.
   * Throws ID_TOKEN_INVALID or NONCE_MISMATCH.
   */
  readonly verifyIdToken: ((token: ForeignIdToken) => Promise<ProviderProfile>) | null
}

/**
 * A provider did not respond, or violated its protocol. The log gives the reason. People only learn that the
 * provider failed.
 */
export class ProviderFault extends CodedError {
  readonly code = 'PROVIDER_FAULT'
}

/** Parameters of the address that the protocol uses, so a caller cannot set them. */
export const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'request',
  'request_uri',
  'state',
  'nonce',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
])
