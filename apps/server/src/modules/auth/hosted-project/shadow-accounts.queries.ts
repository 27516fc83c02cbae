import type { Queryable } from '../../../platform/database/database.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import type { ProjectClaims } from './project-tokens.ts'

/** Stores an email address from the project, or a placeholder. */
export async function saveShadowEmail(
  tx: Queryable,
  account: Pick<AccountRow, 'id'>,
  { email, hasEmail, now }: { email: string; hasEmail: boolean; now: Date },
): Promise<void> {
  await tx`
    update accounts
    set email = ${email}, has_email = ${hasEmail}, new_email = null, email_confirmed_at = ${now},
        email_proved_at = ${hasEmail ? now : null}, revision = revision + 1, updated_at = ${now}
    where id = ${account.id}`
}

/**
 * Lists the accounts of people of the project whose role gives access to the system, each with the person's id in the
 * project.
 */
export const listShadowsWithAccess = (sql: Queryable) =>
  sql<{ id: string; subject: string }[]>`
    select a.id, i.provider_subject as subject
    from identities i join accounts a on a.id = i.account_id join profiles p on p.account_id = a.id
    where i.provider = 'hosted-project' and a.is_active and p.system_access
    order by a.id`

/** Enables and approves an account, because the project has admitted the person. */
export async function admitShadow(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set is_active = true, banned_until = null, must_change_password = false,
        approved_at = coalesce(approved_at, ${now}), revision = revision + 1, updated_at = ${now}
    where id = ${accountId} and (not is_active or approved_at is null or must_change_password)`
}

/**
 * Stores a session of the project under the project's id for it. The session ends with its token. Returns whether the
 * session is new. A session of another account stays as it is.
 */
export async function saveShadowSession(
  tx: Queryable,
  claims: ProjectClaims,
  {
    accountId,
    isRaised,
    userAgent,
    ip,
    now,
  }: {
    accountId: string
    /** Whether the session has passed all sign-in steps that the project requires. */
    isRaised: boolean
    userAgent: string | null
    ip: string
    now: Date
  },
): Promise<boolean> {
  const aal = isRaised ? 'aal2' : 'aal1'
  const [row] = await tx<{ is_new: boolean }[]>`
    insert into sessions (id, account_id, aal, amr, user_agent, ip, created_at, refreshed_at, authenticated_at, ends_at)
    values (${claims.sessionId}, ${accountId}, ${aal}, ${tx.json(claims.amr)}, ${userAgent}, ${ip}, ${now}, ${now},
            ${claims.authenticatedAt}, ${claims.endsAt})
    on conflict (id) do update
    set refreshed_at = excluded.refreshed_at, aal = excluded.aal, amr = excluded.amr,
        authenticated_at = greatest(sessions.authenticated_at, excluded.authenticated_at),
        ends_at = greatest(sessions.ends_at, excluded.ends_at)
    where sessions.account_id = excluded.account_id
    returning xmax = 0 as is_new`
  if (row?.is_new) await tx`update accounts set last_sign_in_at = ${now} where id = ${accountId}`
  return row?.is_new === true
}

/** Ends a session that has ended at the project. */
export async function endShadowSession(sql: Queryable, sessionId: string): Promise<void> {
  await sql`delete from sessions where id = ${sessionId}`
}
