import { ALERT_KINDS, type Alert, type AlertKind } from '@pegasus/contracts/alerts/alerts'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type Cursor } from '../../platform/http/paging.ts'

type OfKind<Kind extends AlertKind> = Omit<Extract<Alert, { kind: Kind }>, 'read_at'>
/** An alert without the data about its recipients, such as who has read it. */
export type AlertRow = { [Kind in AlertKind]: OfKind<Kind> }[AlertKind]

const PURGED_AT_ONCE = 1000

/**
 * Returns the SQL condition for alerts `a` of the kinds that this version can show. During an update, a replica of the
 * next version can create alerts of new kinds.
 */
export const isKnownKind = (sql: Queryable) => sql`a.kind = any (${[...ALERT_KINDS]})`

export async function insertAlerts(tx: Queryable, alerts: readonly AlertRow[]): Promise<void> {
  await tx`
    insert into alerts (id, kind, entity_id, title, facts, created_at)
    select * from jsonb_to_recordset(${tx.json(alerts)})
      as a (id uuid, kind text, entity_id uuid, title text, facts jsonb, created_at timestamptz)`
}

/** A person who receives alerts of one kind, and the ways in which they are delivered. */
export interface Listener {
  account_id: string
  kind: AlertKind
  in_app: boolean
  by_mail: boolean
  by_push: boolean
}

export async function insertDeliveries(
  tx: Queryable,
  alerts: readonly AlertRow[],
  listeners: readonly Listener[],
): Promise<void> {
  await tx`
    insert into alert_deliveries (alert_id, account_id, created_at, in_app, is_mail_due)
    select a.id, l.account_id, a.created_at, l.in_app, l.by_mail
    from alerts a
    join jsonb_to_recordset(${tx.json(listeners)})
      as l (account_id uuid, kind text, in_app boolean, by_mail boolean) on l.kind = a.kind
    where a.id = any(${alerts.map(({ id }) => id)}::uuid[])`
}

/** Lists the inbox of a person, newest first. */
export function listInbox(
  sql: Queryable,
  accountId: string,
  { unreadOnly, cursor, limit }: { unreadOnly: boolean; cursor: Cursor | null; limit: number },
): Promise<Alert[]> {
  const after = cursor
    ? sql`and (d.created_at, d.alert_id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  return sql<Alert[]>`
    select a.id, a.kind, a.entity_id, a.title, a.facts, a.created_at, d.read_at
    from alert_deliveries d
    join alerts a on a.id = d.alert_id
    where d.account_id = ${accountId} and d.in_app ${unreadOnly ? sql`and d.read_at is null` : sql``} ${after}
      and ${isKnownKind(sql)}
    order by d.created_at desc, d.alert_id desc
    limit ${limit + 1}`
}

/** Counts the alerts in an inbox up to COUNT_CAP. Returns COUNT_CAP + 1 if there are more. */
export async function countInbox(sql: Queryable, accountId: string, unreadOnly: boolean): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (
      select from alert_deliveries d join alerts a on a.id = d.alert_id
      where d.account_id = ${accountId} and d.in_app ${unreadOnly ? sql`and d.read_at is null` : sql``}
        and ${isKnownKind(sql)}
      limit ${COUNT_CAP + 1}
    ) as counted`
  return row.total
}

/** Marks an alert as read. Returns false if the person's inbox does not contain the alert. */
export async function markRead(
  sql: Queryable,
  { accountId, alertId, now }: { accountId: string; alertId: string; now: Date },
): Promise<boolean> {
  const rows = await sql`
    update alert_deliveries set read_at = coalesce(read_at, ${now})
    where account_id = ${accountId} and alert_id = ${alertId} and in_app
    returning alert_id`
  return rows.length > 0
}

/** Marks an alert and all earlier ones as read. Returns false if the person's inbox does not contain the alert. */
export async function markReadUpTo(
  sql: Queryable,
  { accountId, alertId, now }: { accountId: string; alertId: string; now: Date },
): Promise<boolean> {
  const [row] = await sql<[{ is_there: boolean }]>`
    with last as (
      select created_at, alert_id from alert_deliveries
      where account_id = ${accountId} and alert_id = ${alertId} and in_app
    ),
    marked as (
      update alert_deliveries d set read_at = ${now}
      from last, alerts a
      where a.id = d.alert_id and ${isKnownKind(sql)} and d.account_id = ${accountId} and d.in_app and d.read_at is null
        and (d.created_at, d.alert_id) <= (last.created_at, last.alert_id)
    )
    select exists (select from last) as is_there`
  return row.is_there
}

/**
 * Deletes old alerts together with their deliveries, a limited number at a time. Returns whether more old alerts may
 * remain.
 */
export async function deleteAlertsBefore(sql: Queryable, before: Date): Promise<boolean> {
  const rows = await sql`
    delete from alerts where id in (
      select id from alerts where created_at < ${before} limit ${PURGED_AT_ONCE} for update skip locked
    ) returning id`
  return rows.length === PURGED_AT_ONCE
}
