import { v7 as uuidv7 } from 'uuid'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** How long a challenge is valid: five minutes, as in the protocol. */
const GOOD_FOR_MS = 5 * MINUTE_MS
/**
 * The maximum number of challenges that a session keeps. Each tab of a browser may request one. No person needs more
 * than this.
 */
const KEPT_PER_SESSION = 10

export interface ChallengeRow
  extends Row<
    'challenges',
    'id' | 'factor_id' | 'session_id' | 'expires_at' | 'used_at' | 'code_hash' | 'wrong_codes'
  > {
  /** The IP address that requested the challenge, in the form that `addressKey` returns. */
  address: Row<'challenges'>['address']
}

export async function insertChallenge(
  tx: Queryable,
  challenge: { factorId: string; sessionId: string; address: string; now: Date },
): Promise<{ id: string; expiresAt: Date }> {
  const { factorId, sessionId, address, now } = challenge
  const id = uuidv7()
  const expiresAt = addMs(now, GOOD_FOR_MS)
  await tx`
    insert into challenges (id, factor_id, session_id, address, created_at, expires_at)
    values (${id}, ${factorId}, ${sessionId}, ${address}, ${now}, ${expiresAt})`
  await tx`
    delete from challenges where id in (
      select id from challenges where session_id = ${sessionId}
      order by created_at desc, id desc offset ${KEPT_PER_SESSION})`
  return { id, expiresAt }
}

/**
 * Finds a challenge of a session and factor. Call this under the account's lock, so that the second of two parallel
 * uses finds the challenge already used.
 */
export const findChallenge = (
  tx: Queryable,
  { id, factorId, sessionId }: { id: string; factorId: string; sessionId: string },
) =>
  firstRow(tx<ChallengeRow[]>`
    select * from challenges where id = ${id} and factor_id = ${factorId} and session_id = ${sessionId}`)

/** Stores the hash of the code that is sent to a phone. */
export async function setChallengeCode(tx: Queryable, id: string, codeHash: string): Promise<void> {
  await tx`update challenges set code_hash = ${codeHash} where id = ${id}`
}

export async function noteWrongCode(tx: Queryable, id: string): Promise<void> {
  await tx`update challenges set wrong_codes = wrong_codes + 1 where id = ${id}`
}

export async function markChallengeUsed(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update challenges set used_at = ${now} where id = ${id}`
}
