import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'

const { get, post } = declareEndpoints('signing-keys')

/**
 * A key that signs or verifies access tokens. The state `waits` means that the key is published but not used
 * yet. `signs` means that it currently signs tokens. `verifies` means that it no longer signs, but stays in
 * the key set until the last token that it signed has expired.
 */
const signingKey = z.object({
  kid: z.string(),
  state: z.enum(['waits', 'signs', 'verifies']),
  signs_from: timestamp,
  signs_until: nullable.timestamp,
  /** The time when the key is removed from the key set. */
  retires_at: nullable.timestamp,
})
export type SigningKey = z.output<typeof signingKey>

export const listSigningKeys = get('/api/signing-keys', 'owner', {
  summary: 'Keys of access tokens, newest first',
  returns: z.array(signingKey),
})

export const rotateSigningKey = post('/api/signing-keys/rotate', 'owner', {
  summary:
    'Publish a new signing key, which signs ten minutes later; tokens of the old one stay valid until they end',
  needsRecentSignIn: true,
  returns: z.array(signingKey),
  errors: ['SIGNING_KEY_WAITING'],
})
