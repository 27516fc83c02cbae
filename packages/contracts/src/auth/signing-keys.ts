import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'

const { get, post } = declareEndpoints('signing-keys')

/**
 * A key that signs or verifies access tokens. `waits`: published and not used yet. `signs`: the one that signs now.
 * `verifies`: signs no more, and stays in the key set until its last token has ended.
 */
const signingKey = z.object({
  kid: z.string(),
  state: z.enum(['waits', 'signs', 'verifies']),
  signs_from: timestamp,
  signs_until: nullable.timestamp,
  /** When it leaves the key set. */
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
