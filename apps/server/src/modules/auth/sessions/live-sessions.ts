import { createBatchedLookUp } from '../../../platform/batching/batched-look-up.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type LiveSessionRow, listLiveSessions, readState } from './sessions.queries.ts'

/**
 * After this many reads in a row without a commit in between, a read first asks only for the database state. Before
 * that, a read asks for the state and the sessions together. Asking for the state first would cost a second round trip
 * whenever something was committed. A single read is not enough: people often load a list and then change something.
 * There is no commit between these two requests, but there is one before the next request.
 */
const CALM_READS = 2
/** The maximum number of cached sessions. A cache with more sessions is emptied. */
const MAX_KNOWN = 5000

export interface LiveSession {
  row: LiveSessionRow
  /**
   * Identifies the committed state of the database in which the session was valid. Two requests with the same value
   * have seen the same rows.
   */
  databaseState: string
}

interface Found {
  databaseState: string
  rows: readonly LiveSessionRow[]
}

/**
 * Creates the function that looks up a valid session with its account. The function returns null for any other session.
 * It asks the database on every call, so a sign-out or a new role takes effect with the next request on every replica.
 * If nothing was committed since the session was cached, a query only confirms this, which takes a third of the time.
 */
export function createLiveSessionLookUp(deps: {
  database: Pick<Database, 'sql' | 'lostConnections'>
  clock: Clock
}): (sessionId: string) => Promise<LiveSession | null> {
  const { database, clock } = deps
  let cached: { databaseState: string; sessions: Map<string, LiveSessionRow> } | null = null
  /** The number of reads in a row that found no commit since the read before. */
  let calmReads = 0

  /**
   * Returns the cached sessions with these ids, if all are cached and nothing was committed since they were read.
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
