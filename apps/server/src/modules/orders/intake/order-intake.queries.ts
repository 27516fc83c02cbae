import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import type { Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'
import type { LineAccountColumn, SentColumn } from '../orders.queries.ts'

/** Locks an order number, even if no order has it yet, so that two callers cannot import the same order at once. */
export async function lockOrderNumber(tx: Queryable, orderNumber: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-number:${orderNumber}`}, 0))`
}

/** Locks the id that a shop gave an order, even if no order has it yet. Lock the number first. */
export async function lockExternalId(tx: Queryable, externalId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-of-shop:${externalId}`}, 0))`
}

export type KnownLine = Row<
  'order_lines',
  'external_line_id' | 'position' | 'sku' | 'name' | 'quantity' | 'unit_price_minor'
>

/** An existing line with its shipped, reserved and queued pieces. */
export interface StoredLine extends KnownLine, Row<'order_lines', 'id' | 'item_id' | LineAccountColumn> {
  is_ignored: boolean
  /** The ordered SKU. For a part of a set, it is the SKU of the set. */
  ordered_sku: string
}

/** An existing order with the columns that a sender may change. */
export interface KnownOrder
  extends Row<
    'orders',
    | SentColumn
    | 'id'
    | 'order_number'
    | 'currency'
    | 'revision'
    | 'source_told'
    | 'source_changed_at'
    | 'is_history'
  > {
  /** Whether the order has reserved pieces, shipped pieces or print jobs. */
  is_begun: boolean
  lines: StoredLine[]
}

/** A change of an order. Fields that are omitted or undefined keep their values. */
export type OrderChange = Pick<Update<'orders'>, SentColumn | 'order_number' | 'is_history'>

/** Finds the order with a number and locks it until the transaction ends. Returns null if there is none. */
export async function lockOrderByNumber(tx: Queryable, orderNumber: string): Promise<KnownOrder | null> {
  const [found] = await tx<{ id: string }[]>`
    select id from orders where order_number = ${orderNumber} and deleted_at is null`
  return found ? lockOrder(tx, found.id) : null
}

/** The id and the number by which a shop names an order. Either may be missing. */
export interface ShopOrderName {
  externalId: string | null
  orderNumber: string | null
}

/**
 * Returns the SQL condition for the orders that an id and a number of the main site can mean. Several orders can have
 * the same number, for example if one is from an earlier shop. So the number counts only if the order or the message
 * lacks the shop's id.
 */
export const isMeantOrder = (sql: Queryable, { externalId, orderNumber }: ShopOrderName) => sql`(
  (source = 'main_site' and external_id = ${externalId})
  or (order_number = ${orderNumber} and (source <> 'main_site' or external_id is null or ${externalId}::text is null))
)`

/**
 * Finds and locks an order of the main site: by the shop's id, otherwise by its number, which can change in the shop.
 * Returns null if there is none.
 */
export async function lockShopOrder(tx: Queryable, name: ShopOrderName): Promise<KnownOrder | null> {
  const [found] = await tx<{ id: string }[]>`
    select id from orders where deleted_at is null and ${isMeantOrder(tx, name)}
    order by source = 'main_site' and external_id is not distinct from ${name.externalId} desc limit 1`
  return found ? lockOrder(tx, found.id) : null
}

/**
 * Returns the id of an order of the main site that was deleted here, or null. Such an order stays deleted, even if the
 * shop sends it again. It is found by its number if the shop's id is missing.
 */
export async function findDeletedHere(
  tx: Queryable,
  { externalId, orderNumber }: ShopOrderName,
): Promise<string | null> {
  const [found] = await tx<{ id: string }[]>`
    (select id from orders
     where deleted_at is not null and source = 'main_site' and external_id = ${externalId} limit 1)
    union all
    (select id from orders
     where deleted_at is not null and source = 'main_site' and order_number = ${orderNumber}
       and (external_id is null or ${externalId}::text is null)
     limit 1)`
  return found?.id ?? null
}

/**
 * Locks an order until the transaction ends. Returns null if it does not exist or is in the trash. Other transactions
 * can still add rows that refer to the order, such as print jobs. If they had to wait, one that has locked a job could
 * wait for the order while this transaction waits for the job.
 */
export async function lockOrder(tx: Queryable, id: string): Promise<KnownOrder | null> {
  const [order] = await tx<Omit<KnownOrder, 'lines'>[]>`
    select id, order_number, customer_name, customer_email, shipping_address, status, total_minor, shipping_minor, surcharge_minor, kept_minor, tax_minor,
           discount_minor, fee_minor, currency, placed_at, due_at, external_id, notes, revision, source_told, source_changed_at, is_history, (
             exists (select from order_lines l where l.order_id = orders.id and l.shipped_quantity + l.reserved_quantity > 0)
             or exists (select from order_jobs j where j.order_id = orders.id)
           ) as is_begun
    from orders where id = ${id} and deleted_at is null for no key update`
  if (!order) return null
  const lines = await tx<StoredLine[]>`
    select l.id, l.external_line_id, l.position, l.sku, l.name, l.quantity, l.unit_price_minor, l.item_id, l.shipped_quantity, l.reserved_quantity,
           l.returned_quantity, l.refunded_quantity, l.is_set, l.set_line_id, l.pieces_per_set, l.ignored_at is not null as is_ignored,
           coalesce(whole.sku, l.sku) as ordered_sku
    from order_lines l left join order_lines whole on whole.id = l.set_line_id
    where l.order_id = ${id} order by l.position, l.part_number`
  return { ...order, lines: [...lines] }
}

export async function updateOrder(tx: Queryable, id: string, change: OrderChange, now: Date): Promise<void> {
  // The stored refunds explain only the previous amounts.
  const forgotten = {
    ...(change.kept_minor !== undefined && { kept_after: null }),
    ...(change.discount_minor !== undefined && { discount_after: null }),
  }
  await tx`
    ${updateTable(tx, 'orders', { ...change, ...forgotten, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

export interface LinesToWrite {
  /** New and changed lines. An existing line keeps its id, because print jobs and shipments refer to it. */
  written: (KnownLine & Row<'order_lines', 'id' | 'item_id' | 'refunded_quantity'>)[]
  removed: readonly { id: string }[]
  /** Whether any existing line gets another position. */
  isMoved: boolean
}

/** An offset that is higher than the position of any line. It frees all positions before the lines get new ones. */
const OUT_OF_THE_WAY = 1_000_000

/**
 * Saves the lines of an order. A line that got its item from a mapping of its SKU keeps that item. The database throws
 * ORDER_INVALID if a set has more pieces than a line allows.
 */
export async function writeLines(
  tx: Queryable,
  orderId: string,
  { written, removed, isMoved }: LinesToWrite,
): Promise<void> {
  if (removed.length > 0)
    await tx`
      delete from order_lines
      where order_id = ${orderId} and id = any (${removed.map(({ id }) => id)}::uuid[])`
  if (isMoved)
    await tx`update order_lines set position = position + ${OUT_OF_THE_WAY} where order_id = ${orderId}`
  if (written.length === 0) return
  const ids = written.flatMap(({ external_line_id: id }) => id ?? [])
  // Two lines can exchange their ids, which must be unique at every moment. So the old ids are cleared first.
  if (ids.length > 0)
    await tx`
      update order_lines set external_line_id = null
      where order_id = ${orderId} and external_line_id = any (${ids}::text[])`
  const rows = written.map((line) => ({ order_id: orderId, ...line }))
  await tx`
    ${insertInto(tx, 'order_lines', rows)}
    on conflict (id) do update
    set external_line_id = excluded.external_line_id, position = excluded.position, sku = excluded.sku, name = excluded.name, quantity = excluded.quantity,
        unit_price_minor = excluded.unit_price_minor, refunded_quantity = excluded.refunded_quantity,
        item_id = case when order_lines.mapped_at is null then coalesce(order_lines.item_id, excluded.item_id)
                       else order_lines.item_id end`
  await tx`
    update order_lines part
    set position = whole.position,
        quantity = least(whole.quantity::bigint * part.pieces_per_set, ${MAX_ITEM_QUANTITY + 1})::integer
    from order_lines whole where whole.order_id = ${orderId} and part.set_line_id = whole.id`
}

/** The field of `source_told` with a status of the shop that cannot be applied yet. */
const REFUSED_STATUS = 'refused_status'

/** The field of `source_told` with the time of the last change that was refused. */
export const REFUSED_CHANGE = 'refused_change'

/** The field of `source_told` that is true once a report of the order's completion to the shop has begun. */
const COMPLETED_BY_REPORT = 'completed_by_report'

/**
 * Saves that a report of an order's completion to the shop begins. It may reach the shop although its response is lost.
 * Keeps the status that the shop sent last, because an earlier event of the shop may still be on its way.
 */
export async function markCompletedByReport(sql: Queryable, orderId: string): Promise<void> {
  await sql`
    update orders set source_told = coalesce(source_told, '{}') || ${sql.json({ [COMPLETED_BY_REPORT]: true })}
    where id = ${orderId} and not coalesce(source_told ? ${COMPLETED_BY_REPORT}, false)`
}

/**
 * Returns whether a report told the shop that the order is completed, so that the shop only repeats our report if it
 * says so.
 */
export const isCompletedByReport = ({ source_told: sourceFields }: KnownOrder): boolean =>
  sourceFields?.[COMPLETED_BY_REPORT] === true

/** Returns the time of the last change that was refused, or null if it is not known. */
export const refusedAt = ({ source_told: sourceFields }: KnownOrder): Date | null => {
  const at = sourceFields?.[REFUSED_CHANGE]
  return typeof at === 'string' ? new Date(at) : null
}

/**
 * Returns whether the shop has cancelled the order while the customer had shipped pieces, so that the cancellation
 * waits.
 */
export const isCancellationRefused = ({ source_told: sourceFields }: KnownOrder): boolean =>
  sourceFields?.[REFUSED_STATUS] === 'cancelled'

/** Saves that the shop has cancelled an order that stays as it is until its shipped pieces are returned. */
export async function saveRefusedCancellation(tx: Queryable, orderId: string): Promise<void> {
  await saveRefusedChange(tx, orderId, { [REFUSED_STATUS]: 'cancelled' })
}

/** Adds facts about a refused change to `source_told`. They stay until a later change of the order is applied. */
export async function saveRefusedChange(
  tx: Queryable,
  orderId: string,
  fields: { [REFUSED_STATUS]: 'cancelled' } | { [REFUSED_CHANGE]: Date | null },
): Promise<void> {
  await tx`update orders set source_told = coalesce(source_told, '{}') || ${tx.json(fields)} where id = ${orderId}`
}

/**
 * Saves the fields that the sender sent, merged with those of earlier calls, and the time of the change at the shop.
 * Replaces the shop problem of the order, and deletes the facts about refused changes.
 */
export async function saveSourceFields(
  tx: Queryable,
  orderId: string,
  {
    fields,
    changedAt,
    problem = null,
  }: { fields: Readonly<Record<string, unknown>>; changedAt: Date | null; problem?: string | null },
): Promise<void> {
  const status = typeof fields['status'] === 'string' ? fields['status'] : null
  // If the shop has reopened the order, a later completion is its own, and does not repeat our report.
  const forgotten = tx`
    case when source_told->>'status' = 'completed' and ${status}::text <> 'completed'
         then ${[REFUSED_STATUS, REFUSED_CHANGE, COMPLETED_BY_REPORT]}::text[]
         else ${[REFUSED_STATUS, REFUSED_CHANGE]}::text[] end`
  await tx`
    update orders
    set source_told = coalesce(source_told, '{}') - ${forgotten} || ${tx.json(fields)},
        source_changed_at = coalesce(${changedAt}::timestamptz, source_changed_at),
        shop_problem = ${problem},
        revision = revision + (${problem}::text is not null and shop_problem is distinct from ${problem})::int
    where id = ${orderId} and (
      source_told is null or source_told || ${tx.json(fields)} is distinct from source_told or shop_problem is distinct from ${problem}
      or source_told ?| ${[REFUSED_STATUS, REFUSED_CHANGE]}::text[]
      or source_changed_at is distinct from coalesce(${changedAt}::timestamptz, source_changed_at))`
}

/** The field of `source_told` that says that the shop's refund of the whole total is booked. */
const MONEY_RETURNED = 'money_returned'

/** Returns whether a refund of the whole total is booked. */
export const isMoneyReturned = ({ source_told: sourceFields }: Pick<KnownOrder, 'source_told'>): boolean =>
  sourceFields?.[MONEY_RETURNED] === true

/** Saves that a refund of the whole total is booked. */
export async function saveMoneyReturned(tx: Queryable, orderId: string): Promise<void> {
  await tx`
    update orders set source_told = coalesce(source_told, '{}') || ${tx.json({ [MONEY_RETURNED]: true })}
    where id = ${orderId}`
}

/** The field of `source_told` with the money that the shop keeps of refunded pieces. */
const KEPT_AMOUNT = 'kept_amount'

/** The received amounts that a refund of the whole total changes here. */
const RETURNED_AMOUNTS = [
  'total_amount',
  'discount_amount',
  'shipping_amount',
  'surcharge_amount',
  KEPT_AMOUNT,
  'tax_amount',
]

/**
 * Deletes the record of a refund of the whole total, and the amounts that the shop sent before. The next amounts are
 * then applied, even if they are the same as before. Returns the other fields that the shop has sent.
 */
export async function forgetMoneyReturned(
  tx: Queryable,
  orderId: string,
): Promise<KnownOrder['source_told']> {
  const [row] = await tx<Pick<KnownOrder, 'source_told'>[]>`
    update orders set source_told = source_told - ${[MONEY_RETURNED, ...RETURNED_AMOUNTS]}::text[]
    where id = ${orderId} returning source_told`
  return row?.source_told ?? null
}

/**
 * Saves the money that a shop keeps of refunded pieces. Deletes the amount that the shop sent before, so that its next
 * amount is applied, even if it is the same as before.
 */
export async function saveKeptMoney(
  tx: Queryable,
  orderId: string,
  keptMinor: number | null,
  now: Date,
): Promise<void> {
  await updateOrder(tx, orderId, { kept_minor: keptMinor }, now)
  await tx`update orders set source_told = source_told - ${KEPT_AMOUNT}::text where id = ${orderId}`
}

/** Replaces the shop problem of an order, unless the problem is a refused change. */
export async function replaceShopProblem(
  tx: Queryable,
  orderId: string,
  problem: string | null,
): Promise<void> {
  await tx`
    update orders set shop_problem = ${problem}, revision = revision + 1
    where id = ${orderId} and shop_problem is distinct from ${problem}
      and not coalesce(source_told ?| ${[REFUSED_STATUS, REFUSED_CHANGE]}::text[], false)`
}

/** Returns whether the shop problem of an order contains this text. */
export async function hasShopProblem(tx: Queryable, orderId: string, words: string): Promise<boolean> {
  const found = await tx`
    select from orders where id = ${orderId} and deleted_at is null and strpos(shop_problem, ${words}) > 0`
  return found.length > 0
}

/** Assigns an item to a line whose SKU was unknown when it arrived. */
export async function writeLineItem(tx: Queryable, lineId: string, itemId: string): Promise<void> {
  await tx`update order_lines set item_id = ${itemId} where id = ${lineId}`
}

/** Announces an order as new, because its shop no longer holds it or has opened it. */
export async function announceOrder(tx: Queryable, orderId: string, now: Date): Promise<void> {
  await tx`insert into order_news (order_id, kind, at) values (${orderId}, 'new_order', ${now})`
}
