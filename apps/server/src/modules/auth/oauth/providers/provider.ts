import type { ProviderTokens } from '../../sessions/sessions.service.ts'
import type { ProviderProfile } from './provider-profile.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { CodedError } from '../../../../platform/errors/coded-error.ts'

/** A browser's visit to the sign-in page of a provider. */
export interface RoundTrip {
  state: string
  redirectUri: string
  /** Proves to the provider that the client that exchanges the code has also begun the sign-in (PKCE). */
  verifier: string
  nonce: string
}

/** An ID token that a client has obtained from the provider itself, for example an app on a phone. */
export interface ForeignIdToken {
  idToken: string
  accessToken: string | null
  /** The nonce that the client chose. The token contains its SHA-256 hash. Null if there is none. */
  nonce: string | null
}

/** Picks the settings of a provider that other parts of the server need. They do not include the secret. */
export const publicSettings = ({ name, label, clientIds, redirectUri }: ProviderSettings) => ({
  name,
  label,
  clientIds,
  redirectUri,
})

/** A provider that verifies who people are. Its functions throw `ProviderFault` if something fails at the provider. */
export interface Provider {
  readonly name: string
  readonly label: string
  readonly clientIds: readonly string[]
  /** The issuer in the provider's ID tokens. For plain OAuth 2, it is the origin of the provider's address. */
  readonly issuer: string
  /** The address to which the provider sends browsers back. Null to use the default address under PUBLIC_URL. */
  readonly redirectUri: string | null
  /** Returns the provider's address for the browser. `passed` contains additional parameters from the caller. */
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
 * A provider did not respond, or violated its protocol. Only the log contains the reason. People learn only that the
 * provider failed.
 */
export class ProviderFault extends CodedError {
  readonly code = 'PROVIDER_FAULT'
}

/** Parameters that the protocol itself uses. A caller cannot set them. */
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
