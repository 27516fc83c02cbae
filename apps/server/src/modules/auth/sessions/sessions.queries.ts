import { v7 as uuidv7 } from 'uuid'
import { addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { stateNow } from '../../../platform/database/list-queries.ts'
import { wireTime } from '../../../platform/database/search-patterns.ts'
import { type CurrentUserRow, demandsFactor, hasPassword, needsSecondStep } from '../../users/index.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { ABSOLUTE_MS, IDLE_MS } from './session-life.ts'

export interface SessionRow
  extends Row<
    'sessions',
    | 'id'
    | 'account_id'
    | 'aal'
    | 'amr'
    | 'created_at'
    | 'refreshed_at'
    | 'refresh_counter'
    | 'ends_at'
    | 'authenticated_at'
  > {
  /** The factor with which the session has reached aal2. */
  factor_id: Row<'sessions'>['factor_id']
  /** The counter at the second step. Refresh tokens with lower counters were issued before it. */
  raised_from_counter: Row<'sessions'>['raised_from_counter']
}

/**
 * Inserts a session and returns it with its account. Also stores the time of this sign-in with the account and the
 * identity.
 */
export async function insertSession(
  tx: Queryable,
  opened: {
    accountId: string
    method: string
    /** The identity with which the person signed in. Null for the account's own email address. */
    identityId: string | null
    /** The SAML provider through which the person signed in. */
    ssoProviderId?: string | undefined
    /** When the provider ends the session. Null if only the usual limits apply. */
    endsAt?: Date | null | undefined
    userAgent: string | null
    ip: string
    now: Date
  },
): Promise<{ session: SessionRow; account: AccountRow }> {
  const { accountId, method, identityId, userAgent, ip, now } = opened
  const isUsed = identityId === null ? tx`provider = 'email'` : tx`id = ${identityId}`
  const id = uuidv7()
  const provider = opened.ssoProviderId === undefined ? {} : { provider: opened.ssoProviderId }
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000), ...provider }]
  // Send the statements together, because the round trip takes most of their time. They run in this order.
  const [[session], , [account]] = await Promise.all([
    tx<[SessionRow]>`
      insert into sessions (id, account_id, amr, user_agent, ip, created_at, refreshed_at, authenticated_at,
                            ends_at)
      values (${id}, ${accountId}, ${tx.json(amr)}, ${userAgent}, ${ip}, ${now}, ${now}, ${now},
              ${opened.endsAt ?? null})
      returning *`,
    tx`insert into refresh_tokens (session_id, counter, issued_at) values (${id}, 0, ${now})`,
    tx<[AccountRow]>`update accounts set last_sign_in_at = ${now} where id = ${accountId} returning *`,
    tx`update identities set last_sign_in_at = ${now} where account_id = ${accountId} and ${isUsed}`,
  ])
  return { session, account }
}

export interface LiveSessionRow
  extends CurrentUserRow,
    Pick<SessionRow, 'account_id' | 'authenticated_at' | 'aal'> {
  session_id: string
  is_anonymous: boolean
  /** When the session ends unless it is refreshed again, in milliseconds since 1970. */
  ends_at_ms: number
}

/** The valid sessions that one statement has found, and the state of the database. */
export interface LiveSessions {
  /** The database state, as `stateNow` selects it. Null if none of the sessions is valid. */
  state: string | null
  rows: LiveSessionRow[]
}

export async function readState(sql: Queryable): Promise<string> {
  const [row] = await sql<[{ state: string }]>`select ${stateNow(sql)} as state`
  return row.state
}

/**
 * Returns the valid sessions among those with these ids, each with its account. Sessions of deactivated accounts are
 * not valid. Each row is one JSON value, because the driver would otherwise process twenty columns and their
 * descriptions for every request. A single id gets its own condition, which is a little faster than a list.
 */
export async function listLiveSessions(
  sql: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<LiveSessions> {
  const [first, ...others] = sessionIds
  const isSought =
    first !== undefined && others.length === 0 ? sql`s.id = ${first}` : sql`s.id = any(${sessionIds}::uuid[])`
  const rows = await sql<{ session: LiveSessionRow; state: string }[]>`
    select row_to_json(live) as session, ${stateNow(sql)} as state from (
      select s.id as session_id, s.account_id, ${wireTime(sql, sql`s.authenticated_at`)} as authenticated_at, s.aal, p.id,
             p.email, p.username, p.full_name, p.role, p.permissions, p.metadata, p.is_active, p.system_access,
             ${wireTime(sql, sql`p.last_sign_in_at`)} as last_sign_in_at, p.must_change_password, ${needsSecondStep(sql, sql`p.id`)} as needs_second_step,
             ${demandsFactor(sql, sql`p.role`)} as is_factor_demanded,
             ${hasPassword(sql, sql`p.id`)} as has_password,
             p.new_email, p.revision, p.is_anonymous, p.has_email, p.is_sso_managed,
             (extract(epoch from least(s.ends_at, s.refreshed_at + ${IDLE_MS}::float8 * interval '1 millisecond',
               s.created_at + ${ABSOLUTE_MS}::float8 * interval '1 millisecond')) * 1000)::float8 as ends_at_ms
      from sessions s join people p on p.id = s.account_id
      where ${isSought} and p.is_active
        and (s.ends_at is null or s.ends_at > ${now})
        and s.refreshed_at > ${addMs(now, -IDLE_MS)} and s.created_at > ${addMs(now, -ABSOLUTE_MS)}
    ) live`
  return { state: rows[0]?.state ?? null, rows: rows.map(({ session }) => session) }
}

export const lockSession = (tx: Queryable, id: string) =>
  firstRow(tx<SessionRow[]>`select * from sessions where id = ${id} for update`)

export async function advanceSession(tx: Queryable, session: SessionRow, now: Date): Promise<number> {
  const next = session.refresh_counter + 1
  await tx`update refresh_tokens set replaced_at = ${now} where session_id = ${session.id} and counter = ${session.refresh_counter}`
  await tx`insert into refresh_tokens (session_id, counter, issued_at) values (${session.id}, ${next}, ${now})`
  await tx`update sessions set refresh_counter = ${next}, refreshed_at = ${now} where id = ${session.id}`
  return next
}

export async function findReplacedAt(
  tx: Queryable,
  sessionId: string,
  counter: number,
): Promise<string | null> {
  const [row] = await tx<{ replaced_at: string | null }[]>`
    select replaced_at from refresh_tokens where session_id = ${sessionId} and counter = ${counter}`
  return row?.replaced_at ?? null
}

/** Deletes a session. Returns whether it existed. */
export async function deleteSession(
  tx: Queryable,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const rows = await tx`delete from sessions where id = ${id} and account_id = ${accountId} returning id`
  return rows.length > 0
}

/** Deletes the sessions of an account, except one if given. Returns how many were deleted. */
async function deleteSessionsOf(
  tx: Queryable,
  accountId: string,
  except: string | null = null,
): Promise<number> {
  const rows = await tx`
    delete from sessions where account_id = ${accountId} and id is distinct from ${except} returning id`
  return rows.length
}

/**
 * Ends all sessions except one. Also ends all followed links that have not become sessions yet, except one.
 * Returns the number of ended sessions.
 */
export async function endSignIns(
  tx: Queryable,
  accountId: string,
  exceptSession: string | null = null,
  exceptFlow: string | null = null,
): Promise<number> {
  const ended = await deleteSessionsOf(tx, accountId, exceptSession)
  await tx`delete from flow_states where account_id = ${accountId} and id is distinct from ${exceptFlow}`
  return ended
}

export async function endSessionAt(tx: Queryable, id: string, endsAt: Date): Promise<void> {
  await tx`update sessions set ends_at = ${endsAt} where id = ${id}`
}

export async function getSession(sql: Queryable, id: string): Promise<SessionRow> {
  const [row] = await sql<SessionRow[]>`select * from sessions where id = ${id}`
  if (!row) throw new Error(`session ${id} is gone`)
  return row
}

export async function noteAuthentication(sql: Queryable, sessionId: string, now: Date): Promise<void> {
  await sql`update sessions set authenticated_at = ${now} where id = ${sessionId}`
}
