import { createBatchedLookUp } from '../../../platform/batching/batched-look-up.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type LiveSessionRow, listLiveSessions, readState } from './sessions.queries.ts'

/**
 * After this many reads in a row without a commit in between, a read first asks for the state alone. Until then, it
 * reads the sessions at once, because a changed state would cost a second round trip. One read without a commit is not
 * enough: a read of a list and the next change by the same person have no commit in between, but the read after that
 * change does.
 */
const CALM_READS = 2
/** The maximum number of cached sessions. If it is exceeded, the cache is emptied. */
const MAX_KNOWN = 5000

export interface LiveSession {
  row: LiveSessionRow
  /**
   * Identifies the committed state in which the session was valid. Two requests with the same value see the
   * same rows.
   */
  databaseState: string
}

interface Found {
  databaseState: string
  rows: readonly LiveSessionRow[]
}

/**
 * Creates the look-up of valid sessions with their accounts. It returns null for any other session. Every
 * call asks the database. If nothing was committed since a session was read, the query only confirms that,
 * which takes a third of the time. A sign-out or a new role therefore takes effect with the next request on
 * every replica.
 */
export function createLiveSessionLookUp(deps: {
  database: Pick<Database, 'sql' | 'lostConnections'>
  clock: Clock
}): (sessionId: string) => Promise<LiveSession | null> {
  const { database, clock } = deps
  let cached: { databaseState: string; sessions: Map<string, LiveSessionRow> } | null = null
  /** The number of consecutive reads without a commit since the previous read. */
  let calmReads = 0

  /**
   * Returns the cached sessions if nothing was committed since they were read and all of them are cached.
   * Returns null otherwise.
   */
  const recall = async (ids: readonly string[]): Promise<Found | null> => {
    if (calmReads < CALM_READS || !ids.every((id) => cached?.sessions.has(id))) return null
    const losses = database.lostConnections()
    const databaseState = `${losses} ${await readState(database.sql)}`
    if (databaseState !== cached?.databaseState) {
      calmReads = 0
      return null
    }
    const { sessions } = cached
    const rows = ids.flatMap((id) => sessions.get(id) ?? [])
    return rows.length === ids.length ? { databaseState, rows } : null
  }

  const readAll = async (ids: readonly string[], now: Date): Promise<Found> => {
    const losses = database.lostConnections()
    const { state, rows } = await listLiveSessions(database.sql, ids, now)
    const databaseState = `${losses} ${state}`
    if (state === null) return { databaseState, rows }
    const isCalm = databaseState === cached?.databaseState
    calmReads = isCalm ? calmReads + 1 : 0
    if (!cached || !isCalm || cached.sessions.size > MAX_KNOWN)
      cached = { databaseState, sessions: new Map() }
    for (const row of rows) cached.sessions.set(row.session_id, row)
    return { databaseState, rows }
  }

  return createBatchedLookUp<string, LiveSession>({
    nameOf: (sessionId) => sessionId,
    async read(sessionIds) {
      const now = clock.now()
      const { databaseState, rows } = (await recall(sessionIds)) ?? (await readAll(sessionIds, now))
      const live = rows.filter((row) => row.ends_at_ms > now.getTime())
      return new Map(live.map((row) => [row.session_id, { row, databaseState }]))
    },
  })
}
