import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'
import type { CodeChallenge } from '../mail-links/flow-states.ts'

/** How much time a person has to sign in at the provider. */
export const STATE_MS = 10 * MINUTE_MS

/**
 * The beginner of a visit to a provider: a browser that signs in, identified by its cookie, or a session that links an
 * identity to its account.
 */
export type Beginner =
  | { browserHash: string; link: null }
  | { browserHash: null; link: { accountId: string; sessionId: string } }

export interface BegunSignIn {
  stateHash: string
  provider: string
  redirectTo: string | null
  challenge: CodeChallenge | null
  by: Beginner
}

export type OAuthStateRow = Row<'oauth_states'>

export async function insertOAuthState(tx: Queryable, begun: BegunSignIn, now: Date): Promise<void> {
  const { challenge, by } = begun
  await clearSome(tx, 'oauth_states', tx`state_hash`, tx`created_at < ${addMs(now, -STATE_MS)}`)
  await tx`
    insert into oauth_states (state_hash, provider, redirect_to, code_challenge, code_challenge_method, browser_hash,
                              session_id, account_id, created_at)
    values (${begun.stateHash}, ${begun.provider}, ${begun.redirectTo}, ${challenge?.challenge ?? null},
            ${challenge?.method ?? null}, ${by.browserHash}, ${by.link?.sessionId ?? null},
            ${by.link?.accountId ?? null}, ${now})`
}

/** Marks a state as used and returns it, or returns null if the state is unknown, expired or already used. */
export async function takeOAuthState(
  sql: Queryable,
  stateHash: string,
  now: Date,
): Promise<OAuthStateRow | null> {
  const [row] = await sql<OAuthStateRow[]>`
    update oauth_states set used_at = ${now}
    where state_hash = ${stateHash} and used_at is null and created_at > ${addMs(now, -STATE_MS)} returning *`
  return row ?? null
}

export async function isStateUsed(sql: Queryable, stateHash: string): Promise<boolean> {
  const [row] = await sql`select 1 from oauth_states where state_hash = ${stateHash} and used_at is not null`
  return row !== undefined
}
