import type { ProviderTokens } from '../sessions/sessions.service.ts'
import type { ProviderProfile } from './provider-profile.ts'

/** One round trip of a browser through a provider. */
export interface RoundTrip {
  state: string
  redirectUri: string
  /** Proves to the provider that whoever exchanges the code has begun the round trip (PKCE). */
  verifier: string
  nonce: string
}

/** An ID token from elsewhere: a program on a phone, or a button of the provider on a page. */
export interface ForeignIdToken {
  idToken: string
  accessToken: string | null
  /** The text whose SHA-256 the token carries; null without one. */
  nonce: string | null
}

/** A provider that vouches for people. What fails at the provider is thrown as `ProviderFault`. */
export interface Provider {
  readonly name: string
  readonly label: string
  readonly clientIds: readonly string[]
  /** Names the provider in its ID tokens; for plain OAuth 2, its address. */
  readonly issuer: string
  /** Null for the address below PUBLIC_URL. */
  readonly redirectUri: string | null
  /** The provider's address that the browser goes to. `passed` are parameters of the caller. */
  authorizeUrl(
    trip: RoundTrip,
    extra: { scopes: readonly string[]; passed: Readonly<Record<string, string>> },
  ): Promise<string>
  /** Exchanges the code that the browser brought back. */
  exchange(code: string, trip: RoundTrip): Promise<{ profile: ProviderProfile; tokens: ProviderTokens }>
  /** Verifies a token from elsewhere. Null if the provider has no ID tokens. Throws ID_TOKEN_INVALID or NONCE_MISMATCH. */
  readonly verifyIdToken: ((token: ForeignIdToken) => Promise<ProviderProfile>) | null
}

/** A provider did not answer, or not with what its protocol says. For the log; people learn only that it failed. */
export class ProviderFault extends Error {
  override name = 'ProviderFault'
  readonly code = 'PROVIDER_FAULT'
}

/** Parameters of the address that belong to the protocol. A caller cannot set them. */
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
