import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { OrderStock } from '@pegasus/contracts/orders/orders'
import type { OrderStatus } from '@pegasus/contracts/statuses'
import type { Insert, Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type ChangedRows, type Moment, changedSince } from '../../platform/database/row-changes.ts'
import { type Fragment, wireTime } from '../../platform/database/search-patterns.ts'
import { type SearchWord, matchesWords } from '../../platform/search/search-words.queries.ts'
import { insertInto } from '../../platform/database/write-rows.ts'
import { hasRows, newestFirst, upToCap } from '../../platform/database/list-queries.ts'
import type { PageRequest } from '../../platform/http/paging.ts'
import { readyToPack, withAccount } from './account/line-account.queries.ts'
import { isOfCustomer } from './customers/customers.queries.ts'
import type { DueCursor } from './due-cursor.ts'
import { type TrackingInShop, trackingInShop, wasReturnedSince } from './handling/shipments.queries.ts'

/** The columns that count the pieces of a line by their state, and that link a part to its set. */
export type LineAccountColumn =
  | 'shipped_quantity'
  | 'reserved_quantity'
  | 'returned_quantity'
  | 'refunded_quantity'
  | 'is_set'
  | 'set_line_id'
  | 'pieces_per_set'

/** A line or a part of a set, with its item and its account. A deleted item has no available pieces. */
export interface OrderLineRow
  extends Row<'order_lines', 'id' | 'sku' | 'name' | 'quantity' | 'unit_price_minor' | LineAccountColumn> {
  inventory_item_id: string | null
  is_ignored: boolean
  available_quantity: number | null
  allocated_quantity: number
  queued_quantity: number
  /**
   * Ordered pieces that are neither shipped, reserved nor covered by free stock. 0 for a set, because its parts have
   * the figure.
   */
  short_by: number
  /** `short_by` minus the queued pieces, at least 0. */
  missing_quantity: number
  /** Ordered pieces that were not shipped when the order was completed or cancelled. 0 for a set. */
  not_shipped_quantity: number
  /** The item's color as `#RRGGBB`. */
  color_hex: string | null
  stl_file_id: string | null
  has_picture: boolean
}

/** A shipment that was not undone, with the pieces of each line. */
export interface ShipmentRow
  extends Row<
      'shipments',
      | 'id'
      | 'number'
      | 'carrier'
      | 'tracking_number'
      | 'tracking_url'
      | 'postage_minor'
      | 'created_at'
      | 'told_at'
      | 'tell_problem'
    >,
    TrackingInShop {
  is_partly_told: boolean
  has_returned_pieces: boolean
  items: { line_id: string; quantity: number }[]
}

/** The columns of an order that its sender may change. Amounts are in minor units of `currency`. */
export type SentColumn =
  | 'customer_name'
  | 'customer_email'
  | 'shipping_address'
  | 'status'
  | 'total_minor'
  | 'shipping_minor'
  | 'surcharge_minor'
  | 'kept_minor'
  | 'tax_minor'
  | 'discount_minor'
  | 'fee_minor'
  | 'placed_at'
  | 'due_at'
  | 'external_id'
  | 'notes'

/** An order with its lines and shipments. */
export interface OrderRow
  extends Row<
    'orders',
    | SentColumn
    | 'id'
    | 'order_number'
    | 'currency'
    | 'source'
    | 'is_history'
    | 'shop_problem'
    | 'revision'
    | 'created_at'
    | 'updated_at'
  > {
  lines: OrderLineRow[]
  shipments: ShipmentRow[]
  /** The status that the sender of the order sent last. Null if it sent none, or a person entered the order. */
  told_status: string | null
  /** When the planner expects the prints of the order's unfinished jobs to start and end. */
  expected_start: string | null
  expected_end: string | null
  /** Ids of the unfinished jobs of a finished order, without those that are being printed. Empty for other orders. */
  proposed_cancellations: string[]
}

export interface OrderFilter {
  words: readonly SearchWord[]
  status?: OrderStatus | undefined
  /** Only orders of this customer. The whole name must match; case is ignored. */
  customer?: string | undefined
  /** Only orders with a line of this item. */
  itemId?: string | undefined
  stock?: OrderStock | undefined
  /** Only open orders that are due before this time. */
  dueBefore?: string | undefined
}

/**
 * Selects the ids of an order's unfinished jobs that wait: those that have not started, and those between two plates.
 * Leaves out jobs that were put on hold after their start.
 */
const waitingJobs = (sql: Queryable) => sql`
  select coalesce(json_agg(j.id order by j.id), '[]') from order_jobs j
  where j.order_id = o.id and (j.started_at is null or j.status = 'pending')`

/** Returns the ids of an order's unfinished jobs that wait, in any status of the order. */
export async function listWaitingJobs(sql: Queryable, orderId: string): Promise<string[]> {
  const [row] = await sql<
    { ids: string[] }[]
  >`select (${waitingJobs(sql)}) as ids from orders o where o.id = ${orderId}`
  return row?.ids ?? []
}

/**
 * Selects the orders of `page`, newest first. The lines of an order come as one JSON value, and so do its shipments, so
 * that one query is enough for a page.
 */
const selectOrders = (sql: Queryable, page: Fragment) => sql`
  ${withAccount(sql, page)},
  lines as materialized (
    select l.order_id, json_agg(json_build_object(
        'id', l.id, 'sku', l.sku, 'name', l.name, 'quantity', l.quantity,
        'unit_price_minor', l.unit_price_minor, 'inventory_item_id', l.item_id,
        'is_ignored', l.ignored_at is not null, 'is_set', l.is_set, 'set_line_id', l.set_line_id,
        'pieces_per_set', l.pieces_per_set, 'available_quantity', l.available_quantity,
        'shipped_quantity', l.shipped_quantity, 'reserved_quantity', l.reserved_quantity,
        'returned_quantity', l.returned_quantity, 'refunded_quantity', l.refunded_quantity, 'allocated_quantity', l.allocated_quantity,
        'queued_quantity', l.queued_quantity, 'short_by', l.short_by,
        'missing_quantity', l.missing_quantity, 'not_shipped_quantity', l.not_shipped_quantity, 'color_hex', '#' || l.color_hex, 'stl_file_id', l.stl_file_id,
        'has_picture', coalesce(m.has_picture, false)) order by l.position, l.part_number) as rows
    from account l left join library_models m on m.id = l.stl_file_id group by l.order_id
  )
  select o.*, e.expected_start, e.expected_end, coalesce(lines.rows, '[]') as lines,
         coalesce((
           select json_agg(json_build_object(
             'id', s.id, 'number', s.number, 'carrier', s.carrier, 'tracking_number', s.tracking_number,
             'tracking_url', s.tracking_url, 'postage_minor', s.postage_minor, 'tell_problem', s.tell_problem, 'is_partly_told', s.partly_told and s.told_at is null,
             ${trackingInShop(sql)}, 'told_at', to_char(s.told_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'created_at', to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'items', (
               select json_agg(json_build_object('line_id', p.order_line_id, 'quantity', p.quantity) order by l.position, l.part_number)
               from shipment_lines p join order_lines l on l.id = p.order_line_id where p.shipment_id = s.id
             ), 'has_returned_pieces', exists (
               select from shipment_lines p join order_lines l on l.id = p.order_line_id
               where p.shipment_id = s.id and (l.returned_quantity > l.shipped_quantity - p.quantity or ${wasReturnedSince(sql)})
             )) order by s.number)
           from shipments s where s.order_id = o.id and s.undone_at is null
         ), '[]') as shipments,
         case when o.status in ('cancelled', 'completed') then (${waitingJobs(sql)}) else '[]' end as proposed_cancellations
  from page o left join lines on lines.order_id = o.id
  -- In a subquery of its own, so that only the jobs of these orders are read.
  left join lateral (select * from expected_orders where order_id = o.id) e on true
  order by o.placed_at desc, o.id desc`

/** Placeholder for the number of a parcel in a message. The statement replaces it. */
const PARCEL = '{parcel}'

/** Selects a message if the shop still shows an undone shipment as sent, and nothing has been shipped since. */
const parcelInShopOnly = (sql: Queryable) => sql`
  select replace(${SHOP_NOTES.takenBack(PARCEL)}::text, ${PARCEL}::text, max(s.number)::text)
  from shipments s
  where s.order_id = o.id and s.undone_at is not null and s.told_at is not null and not exists (
    select from shipments again where again.order_id = o.id and again.undone_at is null and again.number > s.number
  ) and exists (select from shipment_lines p where p.shipment_id = s.id and p.quantity > p.withdrawn_quantity)
  having count(*) > 0`

/**
 * Selects a message if only some pieces of undone shipments were shipped again, and their lines still have pieces left
 * to ship: the message of `parcelInShopOnly`, or that of `partInShopOnly` if `reach` is `part`. Ended orders have none,
 * because no pieces are left to ship. The pieces of a set are counted in sets. A set counts as shipped again as soon as
 * any of its parts is.
 */
const piecesInShopOnly = (sql: Queryable, reach: 'whole' | 'part') => sql`
  select replace(${(reach === 'whole' ? SHOP_NOTES.takenBack : SHOP_NOTES.partlyTakenBack)(PARCEL)}::text, ${PARCEL}::text, max(lines.parcel)::text)
  from (
    select max(s.number) as parcel
    from shipments s
    join shipment_lines p on p.shipment_id = s.id
    join order_lines l on l.id = p.order_line_id and exists (
      select from order_lines part
      where (part.id = l.id or part.set_line_id = l.id) and not part.is_set and part.quantity > part.shipped_quantity
    )
    where s.order_id = o.id and s.undone_at is not null and o.status not in ('completed', 'cancelled')
      and ${reach === 'whole' ? sql`s.told_at is not null and not s.added_nothing_in_shop` : sql`s.told_at is null and s.partly_told`}
    group by l.id
    having sum(p.quantity - p.withdrawn_quantity) > (
      select coalesce(max(pieces), 0) from (
        select ceil(sum(again.quantity)::numeric / case when part.id = l.id then 1 else part.pieces_per_set end) as pieces
        from order_lines part
        join shipment_lines again on again.order_line_id = part.id join shipments later on later.id = again.shipment_id
        where (part.id = l.id or part.set_line_id = l.id) and later.undone_at is null and later.created_at >= min(s.undone_at)
        group by part.id
      ) shipped_again
    )
  ) lines
  having count(*) > 0`

/** Returns whether the shop still shows an undone shipment of the order as sent, and nothing has been shipped since. */
export async function isSentOnlyInShop(sql: Queryable, orderId: string): Promise<boolean> {
  const [row] = await sql<{ is_sent: boolean }[]>`
    select (${parcelInShopOnly(sql)}) is not null as is_sent from orders o where o.id = ${orderId}`
  return row?.is_sent === true
}

/**
 * Selects a message if the report of an undone shipment reached the shop only in part, and nothing was shipped since.
 */
const partInShopOnly = (sql: Queryable) => sql`
  select replace(${SHOP_NOTES.partlyTakenBack(PARCEL)}::text, ${PARCEL}::text, max(s.number)::text)
  from shipments s
  where s.order_id = o.id and s.undone_at is not null and s.told_at is null and s.partly_told and not exists (
    select from shipments again where again.order_id = o.id and again.undone_at is null and again.number > s.number
  ) and exists (select from shipment_lines p where p.shipment_id = s.id and p.quantity > p.withdrawn_quantity)
  having count(*) > 0`

/** Placeholder for the reason in a message. The statement replaces it. */
const REASON = '{reason}'

/** Selects a message if the shop could not be told yet that an order is completed. */
const notCompletedInShop = (sql: Queryable) => sql`
  select replace(${SHOP_NOTES.notCompleted(REASON)}::text, ${REASON}::text, c.problem)
  from shop_completions c
  where c.order_id = o.id and c.reported_at is null and c.problem is not null and o.status = 'completed'
    and o.source_told->>'status' is distinct from 'completed'`

const selectColumns = (sql: Queryable) => sql`
  select o.id, o.order_number, o.customer_name, o.customer_email, o.shipping_address, o.status, o.total_minor,
         o.shipping_minor, o.surcharge_minor, o.kept_minor, o.tax_minor, o.discount_minor, o.fee_minor, o.currency, o.placed_at, o.due_at, o.source,
         o.external_id, o.is_history, o.notes, coalesce(o.shop_problem, (${parcelInShopOnly(sql)}), (${piecesInShopOnly(sql, 'whole')}), (${partInShopOnly(sql)}), (${piecesInShopOnly(sql, 'part')}), (${notCompletedInShop(sql)})) as shop_problem, o.source_told->>'status' as told_status, o.revision, o.created_at,
         o.updated_at
  from orders o`

const matching = (sql: Queryable, filter: OrderFilter) => sql`
  o.deleted_at is null
  ${matchesWords(sql, filter.words, (pattern) => sql`o.search_text like ${pattern}`)}
  ${filter.customer ? sql`and ${isOfCustomer(sql, filter.customer)}` : sql``}
  ${filter.stock === 'ready' ? sql`and o.id in (${readyToPack(sql)})` : sql``}
  ${filter.stock === 'short' ? sql`and o.status in ('pending', 'in_progress') and o.id not in (${readyToPack(sql)})` : sql``}
  ${filter.dueBefore ? sql`and o.due_at < ${filter.dueBefore}::timestamptz and o.status in ('pending', 'in_progress')` : sql``}
  ${filter.status ? sql`and o.status = ${filter.status}` : sql``}
  ${filter.itemId === undefined ? sql`` : sql`and o.id in (select order_id from order_lines where item_id = ${filter.itemId})`}`

/** The columns by which orders are sorted. */
type SortedOrder = Row<'orders', 'id' | 'placed_at' | 'order_number' | 'due_at'>

export interface FoundOrders extends ChangedRows {
  /** The ids of the orders of the page, in its order. */
  ids: readonly string[]
  /** The last order of the page if there is a next page. */
  last: SortedOrder | null
  total: number
}

/** The end of a statement that reads a page of due orders, most overdue first. */
const mostOverdueFirst = (sql: Queryable, { after, limit }: DuePage): Fragment => sql`
  ${after ? sql`and (o.due_at, o.placed_at, o.order_number, o.id) > (${after.due_at}::timestamptz, ${after.placed_at}::timestamptz, ${after.order_number}, ${after.id}::uuid)` : sql``}
  order by o.due_at, o.placed_at, o.order_number, o.id
  limit ${sql.literal(limit + 1)}`

/** A page of due orders: those after a position, or the first ones if `after` is null. */
export interface DuePage {
  after: DueCursor | null
  limit: number
}

/**
 * Finds a page of matching orders, latest placed first. Old orders that a comparison imports late are therefore sorted
 * by the time at which they were placed.
 */
export const findOrders = (
  sql: Queryable,
  filter: OrderFilter,
  page: PageRequest,
  since: Moment | null,
): Promise<FoundOrders> =>
  findSorted(sql, filter, { end: newestFirst(sql, page, sql`o.placed_at`, sql`o.id`), ...page }, since)

/**
 * Finds a page of the open orders that are due before `filter.dueBefore`, in the sequence in which orders get free
 * pieces: by due time, then by the time when they were placed, then by number.
 */
export const findDueOrders = (
  sql: Queryable,
  filter: OrderFilter & { dueBefore: string },
  page: DuePage,
  since: Moment | null,
): Promise<FoundOrders> => findSorted(sql, filter, { end: mostOverdueFirst(sql, page), ...page }, since)

/**
 * Finds a page. `end` sorts the orders, and reads one more than `limit`. PostgreSQL reads the orders of the page from
 * an index alone, and only the last order itself, whose sort values are needed for the cursor.
 */
async function findSorted(
  sql: Queryable,
  filter: OrderFilter,
  { end, limit }: { end: Fragment; limit: number },
  since: Moment | null,
): Promise<FoundOrders> {
  const [{ found, ...row }] = await sql<[Omit<FoundOrders, 'ids'> & { found: string[] }]>`
    with page as materialized (
      select array(select o.id from orders o where ${matching(sql, filter)} ${end}) as ids
    )
    select to_json(ids) as found,
           case when cardinality(ids) > ${sql.literal(limit)} then (
             select json_build_object('id', id, 'placed_at', ${wireTime(sql, sql`placed_at`)},
                                      'order_number', order_number, 'due_at', ${wireTime(sql, sql`due_at`)})
             from orders where id = ids[${sql.literal(limit)}]
           ) end as last,
           (${upToCap(sql, sql`select 1 from orders o where ${matching(sql, filter)}`)}) as total,
           ${changedSince(sql, since)}
    from page`
  return { ...row, ids: found.slice(0, limit) }
}

/** Returns whether any order matches the filter. */
export const hasOrders = (sql: Queryable, filter: OrderFilter): Promise<boolean> =>
  hasRows(sql, sql`select 1 from orders o where ${matching(sql, filter)}`)

/**
 * Returns these orders, latest placed first. Orders that do not exist are left out. The ids are in a subquery, which
 * hides their number from PostgreSQL. Otherwise, it would plan the statement again for each number of ids, which takes
 * several times as long as reading a few orders.
 */
export const readOrders = (sql: Queryable, ids: readonly string[]): Promise<OrderRow[]> =>
  sql<OrderRow[]>`${selectOrders(
    sql,
    sql`${selectColumns(sql)} where o.id = any ((select ${ids}::uuid[])::uuid[]) and o.deleted_at is null`,
  )}`

export const findOrder = (sql: Queryable, id: string) =>
  firstRow(
    sql<OrderRow[]>`${selectOrders(
      sql,
      sql`${selectColumns(sql)} where o.id = ${id} and o.deleted_at is null`,
    )}`,
  )

/** Moves an order to the trash or, if `deletedAt` is null, restores it. Returns false if there is no such order. */
export async function setOrderDeleted(
  tx: Queryable,
  id: string,
  { deletedAt, now, trashedAfter }: { deletedAt: Date | null; now: Date; trashedAfter: Date },
): Promise<boolean> {
  const rows = await tx`
    update orders set deleted_at = ${deletedAt}, updated_at = ${now}, revision = revision + 1
    where id = ${id} and ${deletedAt ? tx`deleted_at is null` : tx`deleted_at > ${trashedAfter}`}
    returning id`
  return rows.length > 0
}

export async function insertOrder(
  tx: Queryable,
  order: Insert<'orders'>,
  lines: readonly Insert<'order_lines'>[],
): Promise<void> {
  await insertInto(tx, 'orders', order)
  if (lines.length > 0) await insertInto(tx, 'order_lines', lines)
}

/** Returns the next free number for an order that has none, such as `PO-00042`. */
export async function makeOrderNumber(tx: Queryable): Promise<string> {
  for (;;) {
    const [row] = await tx<[{ number: string; is_taken: boolean }]>`
      with next as (select label_code('PO', nextval('order_numbers'), 5) as number)
      select number, exists (select from orders where order_number = next.number and deleted_at is null) as is_taken
      from next`
    if (!row.is_taken) return row.number
  }
}
