import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { redirectQuery } from './hosted-auth.ts'

/** Sign-in through other providers, in the protocol of the hosted auth service. */
const { get, post, del } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

const MAX_LENGTH = 2048
const shortText = z.optional(z.string().check(z.maxLength(MAX_LENGTH, 'value is too long')))

/** Parameters that are not listed here are passed on to the provider. */
export const beginningQuery = z.catchall(
  z.extend(redirectQuery, {
    provider: shortText,
    /** Scopes separated by spaces. They are added to the scopes that the server always requests. */
    scopes: shortText,
    code_challenge: shortText,
    code_challenge_method: shortText,
    invite_token: shortText,
    skip_http_redirect: shortText,
  }),
  shortText,
)

export const hostedAuthorize = get('/auth/v1/authorize', 'public', {
  summary:
    'Begin a sign-in through a provider: redirects to it. Other parameters are passed on to the provider',
  query: beginningQuery,
  success: { status: 302, body: null },
  errors: ['OAUTH_DISABLED', 'REQUEST_INCOMPLETE', 'PROVIDER_FAILED'],
})

/** Maximum length of the code that a provider returns. It is high, because some providers have long codes. */
const CODE_MAX_LENGTH = 8192
const returned = {
  state: shortText,
  code: z.optional(z.string().check(z.maxLength(CODE_MAX_LENGTH, 'value is too long'))),
  error: shortText,
  error_description: shortText,
  iss: shortText,
}

export const hostedCallback = get('/auth/v1/callback', 'public', {
  summary: 'Callback of a provider: redirects to the client with tokens, a code or an error',
  query: z.object(returned),
  success: { status: 302, body: null },
  // The redirect if the provider reports an error.
  alternative: 303,
})

/** Maximum size of the form that a provider posts back. */
export const CALLBACK_FORM_MAX_BYTES = 64 * 1024
export const callbackForm = z.object(returned)

export const hostedCallbackForm = post('/auth/v1/callback', 'public', {
  summary: 'Callback of a provider that sends a form',
  isRawBody: true,
  success: { status: 302, body: null },
  alternative: 303,
  errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_INPUT', 'OAUTH_STATE_MISSING'],
})

export const hostedLinkIdentity = get('/auth/v1/user/identities/authorize', 'signed-in', {
  summary:
    'Start linking a provider to the caller’s own account: the response contains the address of the provider',
  isForAnonymous: true,
  query: beginningQuery,
  returns: z.object({ url: z.string() }),
  alternative: 302,
  errors: [
    'MANUAL_LINKING_DISABLED',
    'REAUTHENTICATION_REQUIRED',
    'OAUTH_DISABLED',
    'PROVIDER_FAILED',
    'REQUEST_INCOMPLETE',
  ],
})

export const hostedUnlinkIdentity = del('/auth/v1/user/identities/:id', 'signed-in', {
  summary: 'Remove a sign-in method from the caller’s own account; the last one cannot be removed',
  params: z.object({ id: z.string() }),
  success: { status: 200, body: z.object({}) },
  errors: [
    'MANUAL_LINKING_DISABLED',
    'REAUTHENTICATION_REQUIRED',
    'SSO_MANAGED',
    'IDENTITY_NOT_FOUND',
    'IDENTITY_IS_LAST',
    'IDENTITY_EMAIL_TAKEN',
  ],
})
