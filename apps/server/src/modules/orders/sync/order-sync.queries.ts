import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { MainSite, ShopShipment, StoredLines } from '../../products/index.ts'
import { SENT_PIECES } from '../intake/sent-pieces.ts'
import {
  REFUSED_CHANGE,
  type ShopOrderName,
  isMeantOrder,
  saveRefusedChange,
} from '../intake/order-intake.queries.ts'
import { REPORTED_WITHIN_MS } from './reports/completions.queries.ts'
import { isReported } from './reports/reported-orders.ts'

/**
 * Version of the code that reads orders from shops. Increase it if an order that was read before would now be read
 * differently, for example with its refunds. The next comparison then covers the last 90 days again. While replicas of
 * two versions run, each version keeps its own position in the list of changes. Orders that the earlier version reads
 * are therefore read again by this version.
 */
const READER = 12

/**
 * Returns the times up to which this version (`own`) and earlier versions (`earlier`) have read the shop's changes. A
 * time is null if no such version has asked the shop yet.
 */
export async function findKnownUntil(
  sql: Queryable,
  url: string,
): Promise<{ own: Date | null; earlier: Date | null }> {
  const [row] = await sql<[{ own: string | null; earlier: string | null }]>`
    select max(known_until) filter (where reader = ${READER}) as own,
           max(known_until) filter (where reader < ${READER}) as earlier
    from (
      select reader, known_until from shop_readings where url = ${url}
      union all
      select 1, known_until from shop_syncs where url = ${url}
    ) positions`
  return { own: row.own ? new Date(row.own) : null, earlier: row.earlier ? new Date(row.earlier) : null }
}

/** Saves when the first comparison with a shop began. Does nothing for later comparisons. */
export async function writeFirstComparison(sql: Queryable, url: string, begunAt: Date): Promise<void> {
  await sql`
    insert into shop_first_comparisons (url, begun_at) values (${url}, ${begunAt}) on conflict (url) do nothing`
}

/** Returns when the first comparison with a shop began, or null if there was none. */
export async function findFirstComparison(sql: Queryable, url: string): Promise<Date | null> {
  const [row] = await sql<{ begun_at: string }[]>`
    select begun_at from shop_first_comparisons where url = ${url}`
  return row ? new Date(row.begun_at) : null
}

/** Saves the end of a comparison with a shop. `problem` is the reason for a failure, or null after a success. */
export async function writeComparison(
  sql: Queryable,
  url: string,
  { now, problem }: { now: Date; problem: string | null },
): Promise<void> {
  await (problem === null
    ? sql`
        insert into shop_comparisons (url, compared_at) values (${url}, ${now})
        on conflict (url) do update set compared_at = excluded.compared_at`
    : sql`
        insert into shop_comparisons (url, failed_at, problem) values (${url}, ${now}, ${problem})
        on conflict (url) do update set failed_at = excluded.failed_at, problem = excluded.problem`)
}

/**
 * Saves that a shop no longer lists its orders. If no comparison with the shop ever succeeded, deletes its failures
 * instead, because such a shop does not have to list its orders.
 */
export async function writeLostComparison(
  sql: Queryable,
  url: string,
  { now, problem }: { now: Date; problem: string },
): Promise<void> {
  await sql`delete from shop_comparisons where url = ${url} and compared_at is null`
  await sql`update shop_comparisons set failed_at = ${now}, problem = ${problem} where url = ${url}`
}

/**
 * Saves a position in the list of changes, for this version or, with `isEarlier`, for the version before it. A position
 * never moves back.
 */
export async function writeKnownUntil(
  sql: Queryable,
  url: string,
  { moment, isEarlier }: { moment: Date; isEarlier: boolean },
): Promise<void> {
  const reader = isEarlier ? READER - 1 : READER
  await sql`
    insert into shop_readings (url, reader, known_until) values (${url}, ${reader}, ${moment})
    on conflict (url, reader) do update
    set known_until = greatest(shop_readings.known_until, excluded.known_until)`
}

/** Saves that an order could be read only in part. A later comparison reads it again by its id. */
export async function saveOrderToRead(
  sql: Queryable,
  { url, externalId, now }: { url: string; externalId: string; now: Date },
): Promise<void> {
  await sql`
    insert into shop_orders_to_read (url, external_id, tried_at) values (${url}, ${externalId}, ${now})
    on conflict (url, external_id) do update set tried_at = excluded.tried_at`
}

/**
 * Claims orders that must be read again and have not been tried since a time, and marks them as tried at that time.
 * Orders that have waited longest come first. Returns the shop's ids.
 */
export async function claimOrdersToRead(
  sql: Queryable,
  { url, since, limit }: { url: string; since: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ external_id: string }[]>`
    update shop_orders_to_read set tried_at = ${since}
    where url = ${url} and external_id in (
      select external_id from shop_orders_to_read where url = ${url} and tried_at < ${since}
      order by tried_at, external_id limit ${limit} for update skip locked
    )
    returning external_id`
  return rows.map(({ external_id: id }) => id)
}

/**
 * Deletes the records of orders that no longer have to be read again, because they were read completely, or the shop no
 * longer lists them.
 */
export async function forgetOrdersToRead(
  sql: Queryable,
  url: string,
  externalIds: readonly string[],
): Promise<void> {
  await sql`
    delete from shop_orders_to_read where url = ${url} and external_id = any (${[...externalIds]})`
}

/** Returns the time when the server last asked the shop for deleted orders, or null if it never has. */
export async function findDeletionsCheckedAt(sql: Queryable, url: string): Promise<Date | null> {
  const [row] = await sql<{ deletions_checked_at: string | null }[]>`
    select deletions_checked_at from shop_readings where url = ${url} and reader = ${READER}`
  return row?.deletions_checked_at ? new Date(row.deletions_checked_at) : null
}

export async function writeDeletionsCheckedAt(sql: Queryable, url: string, moment: Date): Promise<void> {
  await sql`
    update shop_readings set deletions_checked_at = ${moment} where url = ${url} and reader = ${READER}`
}

/**
 * Number of finished orders about which the shop is also asked. They show whether the shop's response can be trusted.
 */
const WITNESSES = 5

/**
 * Lists the main site's unfinished orders that arrived before a time, and a few of its newest finished orders. If the
 * shop has none of these orders, it is probably another shop. `placed_at` is the time that the shop sent, because
 * people can change the time of an order here.
 */
export const listOrdersToCheck = (
  sql: Queryable,
  before: Date,
): Promise<{ external_id: string; placed_at: string; is_unfinished: boolean }[]> =>
  sql<{ external_id: string; placed_at: string; is_unfinished: boolean }[]>`
    (select external_id, coalesce((source_told->>'placed_at')::timestamptz, placed_at) as placed_at, true as is_unfinished
     from orders
     where deleted_at is null and status in ('pending', 'in_progress', 'on_hold') and source = 'main_site'
       and external_id is not null and created_at < ${before})
    union all
    (select external_id, coalesce((source_told->>'placed_at')::timestamptz, placed_at), false from orders
     where deleted_at is null and status = 'completed' and source = 'main_site' and external_id is not null
     order by orders.placed_at desc, id desc limit ${WITNESSES})`

/** An order as its shop sent it last. */
export interface SentOrder extends Row<'orders', 'order_number' | 'source_told'> {
  source_changed_at: string | null
}

/**
 * Returns these orders as their shop sent them last. Leaves out all orders that change if they are received again,
 * although the shop has not changed them: orders with a shop problem, orders with a line whose SKU is unknown, and
 * unfinished orders whose sent pieces were never read.
 */
export const listSentOrders = (sql: Queryable, orderNumbers: readonly string[]): Promise<SentOrder[]> =>
  sql<SentOrder[]>`
    select o.order_number, o.source_told, o.source_changed_at from orders o
    where o.order_number = any (${[...orderNumbers]}) and o.deleted_at is null and o.shop_problem is null
      and (o.status in ('completed', 'cancelled') or o.source_told ? ${SENT_PIECES}) and not exists (
      select from order_lines l where l.order_id = o.id and l.item_id is null and l.ignored_at is null and not l.is_set
    )`

/**
 * Saves the reason why a change from the shop was refused, which the order's page shows. Returns the order's id,
 * whether the reason is new, and whether the change is later than the change that was refused before. Returns null if
 * there is no such order.
 */
export async function writeShopProblem(
  sql: Queryable,
  { changedAt, ...name }: ShopOrderName & { changedAt: Date | null },
  problem: string,
): Promise<{ id: string; is_new: boolean; is_later: boolean } | null> {
  const found = await firstRow(
    sql<{ id: string; is_new: boolean; is_later: boolean }[]>`
      select id, shop_problem is distinct from ${problem} as is_new,
             ${changedAt}::timestamptz is not null and coalesce(
               (source_told->>${REFUSED_CHANGE})::timestamptz < ${changedAt}::timestamptz, true) as is_later
      from orders
      where deleted_at is null and ${isMeantOrder(sql, name)}
      order by source = 'main_site' and external_id is not distinct from ${name.externalId} desc limit 1 for no key update`,
  )
  if (found?.is_new)
    await sql`update orders set shop_problem = ${problem}, revision = revision + 1 where id = ${found.id}`
  if (found?.is_later) await saveRefusedChange(sql, found.id, { [REFUSED_CHANGE]: changedAt })
  return found
}

/** A parcel that has not been reported to the shop yet. */
export interface UnreportedShipment extends Omit<ShopShipment, keyof StoredLines> {
  order_id: string
  tell_attempts: number
}

/**
 * Lists the unreported parcels of the last 30 days for a shop of this kind, oldest first, with the parcels of an order
 * by number. A set is listed under the ordered SKU. If the report of a parcel has failed, later parcels of its order do
 * not wait: their `sent_so_far` leaves out its pieces, and their `unreported_earlier` names its SKUs, because the shop
 * may count them. `is_last` marks the parcel of its order that is reported last. A parcel and the later ones of its
 * order are held back until `shippedBefore` is later than its shipment. With `id`, lists only this parcel.
 */
export const listUnreportedShipments = (
  sql: Queryable,
  {
    now,
    shippedBefore,
    limit,
    kind,
    id = null,
  }: { now: Date; shippedBefore: Date; limit: number; kind: MainSite['kind']; id?: string | null },
): Promise<UnreportedShipment[]> => {
  const reportedSince = addMs(now, -REPORTED_WITHIN_MS)
  return sql<UnreportedShipment[]>`
    select s.id, s.number, s.order_id, o.order_number, o.external_id, s.carrier, s.tracking_number, s.tracking_url,
           to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at, s.tell_attempts,
           coalesce((
             select jsonb_agg(jsonb_build_object('sku', sku, 'name', name, 'quantity', quantity) order by position)
             from (
               select coalesce(whole.sku, l.sku) as sku, coalesce(whole.name, l.name) as name, l.position,
                      max(ceil(p.quantity::numeric / coalesce(l.pieces_per_set, 1)))::int as quantity
               from shipment_lines p join order_lines l on l.id = p.order_line_id
               left join order_lines whole on whole.id = l.set_line_id
               where p.shipment_id = s.id group by 1, 2, 3
             ) held
           ), '[]') as items,
           coalesce((
             select jsonb_agg(jsonb_build_object('sku', sku, 'quantity', quantity)) from (
               select sku, sum(quantity)::float8 as quantity from (
                 select coalesce(whole.sku, l.sku) as sku, coalesce(whole.id, l.id) as line_id,
                        max(ceil(sent.quantity / coalesce(l.pieces_per_set, 1))) as quantity
                 from (
                   select p.order_line_id, sum(p.quantity)::numeric as quantity
                   from shipments earlier join shipment_lines p on p.shipment_id = earlier.id
                   where earlier.order_id = o.id and earlier.undone_at is null and (
                     earlier.id = s.id or earlier.told_at is not null or earlier.made_at_shop
                     or (earlier.number < s.number and not (earlier.notify_shop and earlier.created_at > ${reportedSince}))
                   )
                   group by p.order_line_id
                 ) sent
                 join order_lines l on l.id = sent.order_line_id
                 left join order_lines whole on whole.id = l.set_line_id
                 group by 1, 2
               ) lines group by sku
             ) so_far
           ), '[]') as sent_so_far,
           array(
             select distinct coalesce(whole.sku, l.sku)
             from shipments earlier join shipment_lines p on p.shipment_id = earlier.id
             join order_lines l on l.id = p.order_line_id left join order_lines whole on whole.id = l.set_line_id
             where earlier.order_id = o.id and earlier.number < s.number and earlier.notify_shop
               and earlier.told_at is null and earlier.undone_at is null and earlier.created_at > ${reportedSince}
           ) as unreported_earlier,
           not exists (
             select from order_lines l
             where l.order_id = o.id and not l.is_set and l.ignored_at is null and l.shipped_quantity < l.quantity
           ) and not exists (
             select from shipments other
             where other.order_id = o.id and other.undone_at is null and other.told_at is null and (
               other.number > s.number
               or (other.number < s.number and other.notify_shop and other.created_at > ${reportedSince})
             )
           ) as is_last
    from shipments s join orders o on o.id = s.order_id
    where s.notify_shop and s.told_at is null and s.undone_at is null and s.created_at > ${reportedSince}
      and coalesce(s.tell_after, '-infinity') <= ${now} and o.deleted_at is null and ${isReported(sql, kind)} and s.id = coalesce(${id}::uuid, s.id)
      and not exists (
        select from shipments waiting
        where waiting.order_id = o.id and waiting.number <= s.number and waiting.created_at > ${shippedBefore}
          and waiting.notify_shop and waiting.told_at is null and waiting.undone_at is null
      )
    order by min(s.created_at) over (partition by o.id), o.id, s.number limit ${limit}`
}

/**
 * Minimum pause before the next report of a failed parcel after a later parcel of its order was reported. During an
 * update, a replica of the previous version could report the failed parcel. It would then count its pieces as pieces of
 * the later parcel, and the parcel would not complete the order.
 */
const OVERTAKEN_PAUSE_MS = 10 * MINUTE_MS

type ReportedShipment = Pick<ShopShipment, 'id' | 'carrier' | 'tracking_number' | 'tracking_url'>

const trackingOf = (
  sql: Queryable,
  { carrier, tracking_number: number, tracking_url: url }: ReportedShipment,
) => sql`jsonb_build_array(${carrier}::text, ${number}::text, ${url}::text)`

/**
 * Saves the tracking before its first report. The report may reach the shop although its response is lost, and the shop
 * then ignores repeated reports. Returns whether this is the first attempt, also counting attempts whose server stopped
 * before it saved a result. Returns null for a parcel that was taken back.
 */
export const beginReport = (
  sql: Queryable,
  shipment: ReportedShipment,
): Promise<{ isFirst: boolean } | null> =>
  firstRow(
    sql<{ isFirst: boolean }[]>`
      update shipments s set told_tracking = coalesce(s.told_tracking, ${trackingOf(sql, shipment)})
      from (select id, told_tracking from shipments where id = ${shipment.id} for update) earlier
      where s.id = earlier.id and s.undone_at is null
      returning earlier.told_tracking is null as "isFirst"`,
  )

/**
 * Saves the result of a report. The stored tracking remains that of the first report, unless the shop has accepted the
 * tracking of this report (`isNew`). If somebody has changed the tracking since, the change is due to be sent. With
 * `addedNothing`, the shop already counted the pieces as sent before the first report. With `isPartlyAdded`, a part of
 * the failed report reached the shop. A success delays earlier parcels of the order whose report has failed
 * (`OVERTAKEN_PAUSE_MS`). `parcels` are the shop's ids of the parcels that the report has added.
 */
export async function saveReportResult(
  sql: Queryable,
  shipment: ReportedShipment,
  result:
    | { at: Date; isNew: boolean; addedNothing: boolean }
    | { after: Date; problem: string; isPartlyAdded: boolean },
  parcels: readonly string[] = [],
): Promise<void> {
  const { id } = shipment
  if (parcels.length > 0)
    await sql`update shipments set shop_parcel_ids = shop_parcel_ids || ${[...parcels]}::text[] where id = ${id}`
  if ('at' in result) {
    await sql`
      update shipments s
      set told_at = ${result.at}, tell_problem = null, added_nothing_in_shop = ${result.addedNothing},
          told_tracking = shown.tracking, tracking_changed_at = ${result.at},
          tracking_due = shown.tracking <> jsonb_build_array(s.carrier, s.tracking_number, s.tracking_url)
      from (
        select case when ${result.isNew} then ${trackingOf(sql, shipment)} else told_tracking end as tracking
        from shipments where id = ${id} for update
      ) shown
      where s.id = ${id}`
    await sql`
      update shipments earlier set tell_after = greatest(earlier.tell_after, ${addMs(result.at, OVERTAKEN_PAUSE_MS)})
      from shipments s
      where s.id = ${id} and earlier.order_id = s.order_id and earlier.number < s.number and earlier.tell_attempts > 0
        and earlier.notify_shop and earlier.told_at is null and earlier.undone_at is null`
  } else
    await sql`
      update shipments
      set tell_attempts = tell_attempts + 1, tell_after = ${result.after}, tell_problem = ${result.problem},
          partly_told = partly_told or ${result.isPartlyAdded}
      where id = ${id}`
}
