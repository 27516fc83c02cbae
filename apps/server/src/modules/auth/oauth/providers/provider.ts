import type { ProviderTokens } from '../../sessions/sessions.service.ts'
import type { ProviderProfile } from './provider-profile.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { CodedError } from '../../../../platform/errors/coded-error.ts'

/** A browser's round trip to a provider and back. */
export interface RoundTrip {
  state: string
  redirectUri: string
  /** Proves to the provider that the round trip and the exchange of the code have the same origin (PKCE). */
  verifier: string
  nonce: string
}

/** An ID token that a client got by itself: an app on a phone, or the provider's button on a page. */
export interface ForeignIdToken {
  idToken: string
  accessToken: string | null
  /** The nonce whose SHA-256 hash is in the token; null if there is none. */
  nonce: string | null
}

/** Returns the settings that a provider shows to its callers. The secret is left out. */
export const publicSettings = ({ name, label, clientIds, redirectUri }: ProviderSettings) => ({
  name,
  label,
  clientIds,
  redirectUri,
})

/** A provider that vouches for people. Its functions throw `ProviderFault` if something fails at the provider. */
export interface Provider {
  readonly name: string
  readonly label: string
  readonly clientIds: readonly string[]
  /** The issuer in the provider's ID tokens; for plain OAuth 2, the origin of its address. */
  readonly issuer: string
  /** Null for the default address below PUBLIC_URL. */
  readonly redirectUri: string | null
  /** Returns the provider's address for the browser. `passed` are parameters from the caller. */
  authorizeUrl(
    trip: RoundTrip,
    extra: { scopes: readonly string[]; passed: Readonly<Record<string, string>> },
  ): Promise<string>
  /** Exchanges the code that the browser brought back. */
  exchange(code: string, trip: RoundTrip): Promise<{ profile: ProviderProfile; tokens: ProviderTokens }>
  /**
   * Verifies an ID token that a client got by itself; null if the provider has no ID tokens. Throws ID_TOKEN_INVALID or
   * NONCE_MISMATCH.
   */
  readonly verifyIdToken: ((token: ForeignIdToken) => Promise<ProviderProfile>) | null
}

/**
 * A provider did not respond, or violated its protocol. The log shows the reason. People see only that the provider
 * failed.
 */
export class ProviderFault extends CodedError {
  readonly code = 'PROVIDER_FAULT'
}

/** Parameters of the address that the protocol uses. A caller cannot set them. */
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
