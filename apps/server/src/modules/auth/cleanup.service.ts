import { type Clock, DAY_MS, MINUTE_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { LONGEST_WINDOW_MS } from './rate-limit/attempt-limits.ts'
import { CODE_LIFETIME_MS, FLOW_KEPT_MS } from './mail-links/flow-states.ts'
import { STATE_MS } from './oauth/oauth-states.queries.ts'
import { SAML_STATE_KEPT_MS } from './saml/saml-states.queries.ts'
import { deleteEnded } from './cleanup.queries.ts'
import { UNVERIFIED_MS } from './second-factor/factors.queries.ts'
import { ABSOLUTE_MS, IDLE_MS } from './sessions/session-life.ts'
import { KNOWN_MS } from './accounts/known-addresses.queries.ts'
import { REFUSAL_INTERVAL_MS } from './audit/refused-sign-ins.queries.ts'

/**
 * Ended sessions are kept for another day. A client that returns within that day learns that its session has expired.
 */
const KEPT_MS = DAY_MS

/**
 * Used messages are kept for another minute, because a process whose clock is behind might still accept them otherwise.
 */
const CLOCKS_APART_MS = MINUTE_MS

/**
 * Creates the function that deletes ended sessions, links and counters. Any number of processes can run it at any time.
 */
export function createPurge(deps: {
  database: Database
  clock: Clock
  /** The longest interval between two emails or messages of the same kind to one recipient. */
  longestIntervalMs: number
}): () => Promise<void> {
  const { database, clock, longestIntervalMs } = deps
  return async () => {
    const now = clock.now()
    const ago = (durationMs: number): Date => addMs(now, -durationMs)
    await deleteEnded(database.sql, {
      now,
      messagesExpiredUntil: ago(CLOCKS_APART_MS),
      sessionsMadeUntil: ago(ABSOLUTE_MS + KEPT_MS),
      sessionsRefreshedUntil: ago(IDLE_MS + KEPT_MS),
      sessionsEndedUntil: ago(KEPT_MS),
      refreshTokensReplacedUntil: ago(KEPT_MS),
      attemptsUntil: ago(LONGEST_WINDOW_MS),
      flowsUntil: ago(FLOW_KEPT_MS),
      codesIssuedUntil: ago(CODE_LIFETIME_MS),
      oauthStatesUntil: ago(STATE_MS),
      samlStatesUntil: ago(SAML_STATE_KEPT_MS),
      mailRequestsUntil: ago(longestIntervalMs),
      refusalsUntil: ago(REFUSAL_INTERVAL_MS),
      challengesExpiredUntil: ago(KEPT_MS),
      factorsMadeUntil: ago(UNVERIFIED_MS),
      addressesKnownUntil: ago(KNOWN_MS),
    })
  }
}
