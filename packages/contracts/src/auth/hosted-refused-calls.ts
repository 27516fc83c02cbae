import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'

/**
 * Calls that the hosted auth protocol's client knows and we refuse, each with the protocol's own error. The client can
 * then say that something is not offered instead of that it is broken.
 */
const { get, post, del } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

export const hostedSso = post('/auth/v1/sso', 'public', {
  summary: 'Refused: SAML is not offered',
  // The body is never read, so any body will do.
  isRawBody: true,
  errors: ['SAML_DISABLED'],
})

export const hostedAuthorize = get('/auth/v1/authorize', 'public', {
  summary: 'Refused: there is no sign-in through other providers',
  errors: ['OAUTH_DISABLED'],
})

export const hostedLinkIdentity = get('/auth/v1/user/identities/authorize', 'signed-in', {
  summary: 'Refused: identities cannot be linked',
  errors: ['MANUAL_LINKING_DISABLED'],
})

export const hostedUnlinkIdentity = del('/auth/v1/user/identities/:id', 'signed-in', {
  summary: 'Refused: identities cannot be unlinked',
  params: z.object({ id: z.string() }),
  errors: ['MANUAL_LINKING_DISABLED'],
})
