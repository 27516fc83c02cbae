import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { FLOW_KEPT_MS } from './flow-states.ts'
import { MAIL_INTERVAL_MS } from './mail-limits.ts'
import { deleteEnded } from './purge.queries.ts'
import { ABSOLUTE_MS, IDLE_MS } from './session-life.ts'
import { WINDOW_MS } from './sign-in-limits.ts'

/** For a day more a client that comes back late is told that its session has expired, and not that there was none. */
const KEPT_MS = DAY_MS

/** Clears away what has ended and is asked for no more. Harmless at any time, in any number of processes. */
export function createPurge({ database, clock }: { database: Database; clock: Clock }): () => Promise<void> {
  return async () => {
    const now = clock.now()
    const ago = (durationMs: number): Date => addMs(now, -durationMs)
    await deleteEnded(database.sql, {
      now,
      sessionsMadeUntil: ago(ABSOLUTE_MS + KEPT_MS),
      sessionsRefreshedUntil: ago(IDLE_MS + KEPT_MS),
      sessionsEndedUntil: ago(KEPT_MS),
      refreshTokensReplacedUntil: ago(KEPT_MS),
      attemptsUntil: ago(WINDOW_MS),
      flowsUntil: ago(FLOW_KEPT_MS),
      mailRequestsUntil: ago(MAIL_INTERVAL_MS),
    })
  }
}
