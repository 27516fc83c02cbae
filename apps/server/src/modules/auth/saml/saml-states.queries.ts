import { HOUR_MS, addMs } from '../../../platform/clock.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'
import type { CodeChallenge } from '../mail-links/flow-states.ts'

/**
 * How long states are stored. This is longer than they are valid, so that a browser that returns late learns that its
 * state has expired.
 */
export const SAML_STATE_KEPT_MS = 2 * HOUR_MS

export type SamlStateRow = Row<'saml_states'>

export async function insertSamlState(
  tx: Queryable,
  begun: {
    stateHash: string
    providerId: string
    redirectTo: string | null
    challenge: CodeChallenge | null
    browserHash: string | null
    isTest: boolean
  },
  now: Date,
): Promise<void> {
  const { challenge } = begun
  await clearSome(tx, 'saml_states', tx`state_hash`, tx`created_at < ${addMs(now, -SAML_STATE_KEPT_MS)}`)
  await tx`
    insert into saml_states (state_hash, provider_id, redirect_to, code_challenge, code_challenge_method, browser_hash,
                             is_test, created_at)
    values (${begun.stateHash}, ${begun.providerId}, ${begun.redirectTo}, ${challenge?.challenge ?? null},
            ${challenge?.method ?? null}, ${begun.browserHash}, ${begun.isTest}, ${now})`
}

/** Marks a state as used and returns it, or returns null if it is unknown or already used. */
export async function takeSamlState(
  sql: Queryable,
  stateHash: string,
  now: Date,
): Promise<SamlStateRow | null> {
  const [row] = await sql<SamlStateRow[]>`
    update saml_states set used_at = ${now} where state_hash = ${stateHash} and used_at is null returning *`
  return row ?? null
}
