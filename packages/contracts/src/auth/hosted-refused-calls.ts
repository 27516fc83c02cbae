import { declareEndpoints } from '../endpoint.ts'

/**
 * Calls that the hosted auth protocol's client knows and we refuse, each with the protocol's own error. The client can
 * then say that something is not offered instead of that it is broken.
 */
const { post } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

export const hostedSso = post('/auth/v1/sso', 'public', {
  summary: 'Refused: SAML is not offered',
  // The body is never read, so any body will do.
  isRawBody: true,
  errors: ['SAML_DISABLED'],
})
