import { declareEndpoints } from '../endpoint.ts'

/**
 * Calls that the hosted auth protocol's client can make and that we refuse, each with the protocol's own error. The
 * client can then report that a feature is not offered, instead of reporting a failure.
 */
const { post } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

export const hostedSso = post('/auth/v1/sso', 'public', {
  summary: 'Refused: SAML is not offered',
  // The body is never read, so any body is accepted.
  isRawBody: true,
  errors: ['SAML_DISABLED'],
})
