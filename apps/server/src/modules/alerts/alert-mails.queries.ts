import type { Queryable } from '../../platform/database/database.ts'
import { type AlertRow, isKnownKind } from './alerts.queries.ts'

/**
 * Lists the people who have alerts waiting to be emailed and whose last alert email, if any, was sent at or before
 * `sentBefore`.
 */
export const listAccountsToMail = (
  tx: Queryable,
  sentBefore: Date,
  limit: number,
): Promise<{ id: string; email: string; is_active: boolean; metadata: Record<string, unknown> }[]> =>
  tx`
    select p.id, p.email, p.is_active, p.metadata from people p
    where p.has_email and p.id in (
        select d.account_id from alert_deliveries d join alerts a on a.id = d.alert_id
        where d.is_mail_due and ${isKnownKind(tx)}
      )
      and not exists (select from alert_mail_turns t where t.account_id = p.id and t.sent_at > ${sentBefore})
    order by p.id limit ${limit}`

/**
 * Claims the alerts that are due to be emailed to a person, newest first. Leaves out alerts that the person has read in
 * the app in the meantime. Alerts of kinds that this version cannot show stay due.
 */
export const claimDueMails = (tx: Queryable, accountId: string): Promise<AlertRow[]> =>
  tx<AlertRow[]>`
    with due as (
      update alert_deliveries d set is_mail_due = false
      from alerts a
      where a.id = d.alert_id and d.account_id = ${accountId} and d.is_mail_due and ${isKnownKind(tx)}
      returning a.id, a.kind, a.entity_id, a.title, a.facts, a.created_at, d.read_at
    )
    select id, kind, entity_id, title, facts, created_at from due
    where read_at is null
    order by created_at desc, id desc`

export async function noteMailed(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    insert into alert_mail_turns (account_id, sent_at) values (${accountId}, ${now})
    on conflict (account_id) do update set sent_at = excluded.sent_at`
}
