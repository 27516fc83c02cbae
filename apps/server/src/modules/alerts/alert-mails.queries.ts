import type { Queryable } from '../../platform/database/database.ts'
import type { AlertRow } from './alerts.queries.ts'

/** Lists the people who have alerts to be mailed and got no alert email since `sentBefore`. */
export const listAccountsToMail = (
  tx: Queryable,
  sentBefore: Date,
  limit: number,
): Promise<{ id: string; email: string; is_active: boolean }[]> =>
  tx`
    select p.id, p.email, p.is_active from people p
    where p.has_email and p.id in (select account_id from alert_deliveries where is_mail_due)
      and not exists (select from alert_mail_turns t where t.account_id = p.id and t.sent_at > ${sentBefore})
    order by p.id limit ${limit}`

/**
 * Claims the alerts to be mailed to a person, newest first. Leaves out alerts that were read in the app in
 * the meantime.
 */
export const claimDueMails = (tx: Queryable, accountId: string): Promise<AlertRow[]> =>
  tx<AlertRow[]>`
    with due as (
      update alert_deliveries set is_mail_due = false where account_id = ${accountId} and is_mail_due
      returning alert_id, read_at
    )
    select a.id, a.kind, a.entity_id, a.title, a.facts, a.created_at
    from due join alerts a on a.id = due.alert_id
    where due.read_at is null
    order by a.created_at desc, a.id desc`

export async function noteMailed(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    insert into alert_mail_turns (account_id, sent_at) values (${accountId}, ${now})
    on conflict (account_id) do update set sent_at = excluded.sent_at`
}
