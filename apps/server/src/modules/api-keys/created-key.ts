import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type HttpResult, withIdempotency } from '../../platform/http/idempotency.ts'
import type { RootSecret } from '../../platform/root-secret.ts'

const SEAL_PURPOSE = 'issued-api-key'

/**
 * Issues a key once per Idempotency-Key. If the caller loses the response, a repeated request returns the same response
 * with the whole key for one day. The stored response is encrypted with the root secret.
 */
export async function issueOnce<Issued extends { key: string }>(
  tx: Queryable,
  deps: { secret: RootSecret; clock: Clock },
  request: { accountId: string; idempotencyKey: string | null; fingerprint: string },
  issue: () => Promise<HttpResult<Issued>>,
): Promise<HttpResult<Issued>> {
  const { secret, clock } = deps
  const { accountId, idempotencyKey: key, fingerprint } = request
  // The stored response contains the whole key in encrypted form.
  const { status, body } = await withIdempotency<Omit<Issued, 'key'> & { sealed: string }>(
    tx,
    { key, accountId, fingerprint, clock },
    async () => {
      const issued = await issue()
      const { key: whole, ...shown } = issued.body
      return { status: issued.status, body: { ...shown, sealed: secret.seal(SEAL_PURPOSE, whole) } }
    },
  )
  const { sealed, ...shown } = body
  const whole = secret.open(SEAL_PURPOSE, sealed).toString('utf8')
  return { status, body: { ...shown, key: whole } as unknown as Issued }
}
