import { addMs } from '../../../platform/clock.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { type Page, toPage, type PageRequest } from '../../../platform/http/paging.ts'
import { ABSOLUTE_MS, IDLE_MS } from './session-life.ts'

export interface OwnSessionRow extends Row<'sessions', 'id' | 'amr' | 'user_agent' | 'ip' | 'created_at'> {
  last_used_at: string
}

/** The time and address of the last use of a session. */
export interface SessionUse {
  at: Date
  ip: string
}

/** Stores the latest uses of sessions. Skips sessions that have ended, and keeps a stored use that is later. */
export async function saveSessionUses(tx: Queryable, uses: ReadonlyMap<string, SessionUse>): Promise<void> {
  const rows = [...uses].map(([id, { at, ip }]) => ({ id, at, ip }))
  await tx`
    update sessions s set last_used_at = u.at, last_used_ip = u.ip
    from jsonb_to_recordset(${tx.json(rows)}) as u (id uuid, at timestamptz, ip text)
    where s.id = u.id and (s.last_used_at is null or s.last_used_at <= u.at)`
}

/** Returns the SQL condition for valid sessions, for statements that use only the table `sessions`. */
const isLiveAt = (sql: Queryable, now: Date): Fragment => sql`
  (ends_at is null or ends_at > ${now})
  and refreshed_at > ${addMs(now, -IDLE_MS)} and created_at > ${addMs(now, -ABSOLUTE_MS)}`

/** Returns an SQL statement that lists the ids of all valid sessions. */
export const liveSessions = (sql: Queryable, now: Date): Fragment =>
  sql`select id from sessions where ${isLiveAt(sql, now)}`

/** Returns the valid sessions of an account, newest first. */
export async function listSessionsOf(
  sql: Queryable,
  { accountId, now }: { accountId: string; now: Date },
  page: PageRequest,
): Promise<Page<OwnSessionRow>> {
  const isLive = sql`account_id = ${accountId} and ${isLiveAt(sql, now)}`
  const rows = await sql<OwnSessionRow[]>`
    select id, amr, user_agent, coalesce(last_used_ip, ip) as ip, created_at,
           greatest(last_used_at, refreshed_at) as last_used_at
    from sessions where ${isLive} ${newestFirst(sql, page, sql`created_at`, sql`id`)}`
  return toPage([...rows], page.limit, await countUpToCap(sql, sql`select 1 from sessions where ${isLive}`))
}
