import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { DAY_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { IdentityWay } from '../sessions/sessions.service.ts'
import { ssoProviderIdOf } from '../accounts/sso-identity.ts'

/**
 * The lifetime of an authorization code. It begins when the code is issued, not when the email is sent, because people
 * open emails late.
 */
export const CODE_LIFETIME_MS = 5 * MINUTE_MS
/** How long the state of a sign-in flow is stored. This is longer than any mailed link is valid. */
export const FLOW_KEPT_MS = 8 * DAY_MS
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/

/** The code challenge of a client (PKCE). Only this client can exchange the code of the sign-in for a session. */
export interface CodeChallenge {
  challenge: string
  method: 's256' | 'plain'
}

interface ChallengeFields {
  code_challenge?: string | null | undefined
  code_challenge_method?: string | null | undefined
}

/**
 * Reads the code challenge of a request. Returns null if there is none. Throws REQUEST_INCOMPLETE if it is incomplete
 * or invalid.
 */
export function readCodeChallenge(fields: ChallengeFields): CodeChallenge | null {
  const challenge = fields.code_challenge ?? ''
  const method = fields.code_challenge_method?.toLowerCase() ?? ''
  if (challenge === '' && method === '') return null
  if (challenge === '' || method === '')
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'PKCE flow requires code_challenge_method and code_challenge',
    })
  if (!CHALLENGE.test(challenge))
    throw new AppError('REQUEST_INCOMPLETE', {
      text: 'code challenge has to be between 43 and 128 characters',
    })
  if (method !== 's256' && method !== 'plain')
    throw new AppError('REQUEST_INCOMPLETE', { text: 'Invalid code challenge method' })
  return { challenge, method }
}

/** Returns the code challenge of a stored sign-in, or null if it has none. */
export const challengeIn = (row: {
  code_challenge: string | null
  code_challenge_method: string | null
}): CodeChallenge | null =>
  row.code_challenge === null
    ? null
    : { challenge: row.code_challenge, method: row.code_challenge_method === 'plain' ? 'plain' : 's256' }

const hashCode = (code: string): string => createHash('sha256').update(code).digest('base64url')

export async function insertFlowState(
  tx: Queryable,
  flow: {
    accountId: string
    method: string
    challenge: CodeChallenge
    now: Date
    /** Set if the person has signed in through a provider. */
    identityId?: string
    providerTokensSealed?: string
    /** Set if the exchange of the code links an identity. */
    linkSealed?: string
    /** The latest time at which the session that the code opens can end. */
    sessionEndsAt?: Date | null
  },
): Promise<string> {
  const id = uuidv7()
  const { challenge, now } = flow
  await clearSome(tx, 'flow_states', tx`id`, tx`created_at < ${addMs(now, -FLOW_KEPT_MS)}`)
  await tx`
    insert into flow_states (id, account_id, code_challenge, code_challenge_method, method, identity_id,
                             provider_tokens_sealed, link_sealed, session_ends_at, created_at)
    values (${id}, ${flow.accountId}, ${challenge.challenge}, ${challenge.method}, ${flow.method},
            ${flow.identityId ?? null}, ${flow.providerTokensSealed ?? null}, ${flow.linkSealed ?? null},
            ${flow.sessionEndsAt ?? null}, ${now})`
  return id
}

/** Creates the authorization code, which the browser passes to the client. */
export async function issueAuthCode(tx: Queryable, flowStateId: string, now: Date): Promise<string> {
  const code = randomUUID()
  await tx`
    update flow_states set auth_code_hash = ${hashCode(code)}, code_issued_at = ${now} where id = ${flowStateId}`
  return code
}

interface FlowStateRow
  extends Row<
    'flow_states',
    | 'id'
    | 'account_id'
    | 'code_challenge'
    | 'code_challenge_method'
    | 'method'
    | 'identity_id'
    | 'provider_tokens_sealed'
    | 'link_sealed'
    | 'session_ends_at'
  > {
  code_issued_at: string
  /** The provider of the identity with which the person signed in. */
  provider: string | null
}

const isVerifierOf = (row: FlowStateRow, verifier: string): boolean => {
  const given =
    row.code_challenge_method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url')
  const [expected, actual] = [Buffer.from(row.code_challenge), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** A sign-in that is completed by exchanging a code. */
export interface Flow {
  accountId: string
  way: string | IdentityWay
  providerTokensSealed: string | null
  /** The identity to link before the session is opened. */
  linkSealed: string | null
}

/** Consumes a code and returns its sign-in. Throws FLOW_STATE_NOT_FOUND, FLOW_STATE_EXPIRED or BAD_CODE_VERIFIER. */
export async function takeAuthCode(
  tx: Queryable,
  { code, verifier }: { code: string; verifier: string },
  now: Date,
): Promise<Flow> {
  const [row] = await tx<FlowStateRow[]>`
    select f.*, (select i.provider from identities i where i.id = f.identity_id) as provider
    from flow_states f where auth_code_hash = ${hashCode(code)} for update`
  if (!row) throw new AppError('FLOW_STATE_NOT_FOUND')
  if (addMs(new Date(row.code_issued_at), CODE_LIFETIME_MS) <= now) throw new AppError('FLOW_STATE_EXPIRED')
  if (!isVerifierOf(row, verifier)) throw new AppError('BAD_CODE_VERIFIER')
  await tx`delete from flow_states where id = ${row.id}`
  const endsAt = row.session_ends_at === null ? null : new Date(row.session_ends_at)
  if (endsAt !== null && endsAt <= now) throw new AppError('FLOW_STATE_EXPIRED')
  const ssoProviderId = ssoProviderIdOf(row.provider)
  const way =
    row.identity_id === null
      ? row.method
      : { method: row.method, identityId: row.identity_id, endsAt, ...(ssoProviderId && { ssoProviderId }) }
  const { account_id: accountId, provider_tokens_sealed: providerTokensSealed, link_sealed: linkSealed } = row
  return { accountId, way, providerTokensSealed, linkSealed }
}
