import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { v7 as uuidv7 } from 'uuid'
import type { ActorColumns } from '../../../platform/actor.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { countUpToCap } from '../../../platform/database/list-queries.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

/** An item in a mapping. `quantity` is the number of its pieces that one piece of the SKU contains. */
export interface MappedItem {
  item_id: string
  sku: string
  name: string
  quantity: number
}

interface SkuMapping {
  /** The SKU in capitals. */
  sku: string
  is_ignored: boolean
  items: MappedItem[]
}

/** Locks a SKU, even if it is not mapped yet, so that two callers cannot decide about it at the same time. */
export async function lockSku(tx: Queryable, sku: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-sku:${sku.toUpperCase()}`}, 0))`
}

/** Saves the mapping of a SKU, replacing an earlier one. */
export async function writeSkuMapping(
  tx: Queryable,
  mapping: { sku: string; isIgnored: boolean; items: readonly { item_id: string; quantity: number }[] },
  { by, now }: { by: ActorColumns; now: Date },
): Promise<void> {
  const sku = mapping.sku.toUpperCase()
  await deleteSkuMapping(tx, sku)
  await tx`${insertInto(tx, 'sku_mappings', { sku, is_ignored: mapping.isIgnored, ...by, updated_at: now })}`
  if (mapping.items.length === 0) return
  const rows = mapping.items.map((item, position) => ({ sku, position, ...item }))
  await tx`${insertInto(tx, 'sku_mapping_items', rows)}`
}

/** Deletes the mapping of a SKU. Returns whether there was one. */
export async function deleteSkuMapping(tx: Queryable, sku: string): Promise<boolean> {
  const rows = await tx`delete from sku_mappings where sku = ${sku.toUpperCase()} returning sku`
  return rows.length > 0
}

/** An item to which somebody wants to map a SKU. If it is in the trash, this is refused. */
export interface ItemToMap {
  id: string
  sku: string
  name: string
  is_in_trash: boolean
}

/** Returns those of the items that exist. Items that were deleted before `trashedAfter` count as gone. */
export const findItemsToMap = (
  sql: Queryable,
  ids: readonly string[],
  trashedAfter: Date,
): Promise<ItemToMap[]> =>
  sql<ItemToMap[]>`
    select id, sku, name, deleted_at is not null as is_in_trash from stock_items
    where id = any(${[...ids]}::uuid[]) and (deleted_at is null or deleted_at > ${trashedAfter})`

/** Returns the SQL condition that no item of the mapping `m` is in the trash. */
const isWhole = (sql: Queryable) => sql`not exists (
  select from sku_mapping_items p join stock_items i on i.id = p.item_id where p.sku = m.sku and i.deleted_at is not null)`

/** Returns the SQL condition that the line `l` has no item, although its SKU is not ignored. */
const isUnknown = (sql: Queryable) =>
  sql`l.item_id is null and l.ignored_at is null and not l.is_set and l.sku <> ''`

/**
 * Returns the SQL condition for orders to which a decision about a SKU applies: open orders, and orders that were
 * completed because a SKU was ignored.
 */
const canFollow = (sql: Queryable) => sql`
  o.deleted_at is null
  and (o.status in ('pending', 'in_progress', 'on_hold') or (o.status = 'completed' and o.is_completed_by_ignoring))`

/**
 * Lists the SKUs that are mapped to any of these items and that can be applied now. No item of the mapping is in the
 * trash. An order to which a decision about a SKU applies has a line with the SKU and without an item. With `sku` (in
 * capitals), checks only this SKU.
 */
export async function listSkusToApply(
  tx: Queryable,
  itemIds: readonly string[],
  sku: string | null = null,
): Promise<string[]> {
  const rows = await tx<{ sku: string }[]>`
    select m.sku from sku_mappings m
    where m.sku in (select sku from sku_mapping_items where item_id = any(${[...itemIds]}::uuid[])) and ${isWhole(tx)}
      and m.sku = coalesce(${sku}, m.sku) and exists (
        select from order_lines l join orders o on o.id = l.order_id
        where upper(l.sku) = m.sku and ${isUnknown(tx)} and ${canFollow(tx)})
    order by m.sku`
  return rows.map((row) => row.sku)
}

/** Lists the items of a mapping, in the form in which the audit stores them. */
export const listMappedItems = (tx: Queryable, sku: string): Promise<Omit<MappedItem, 'item_id'>[]> =>
  tx<Omit<MappedItem, 'item_id'>[]>`
    select i.sku, i.name, p.quantity from sku_mapping_items p join stock_items i on i.id = p.item_id
    where p.sku = ${sku.toUpperCase()} order by p.position`

/** Returns the ids of the items to which any of the SKUs is mapped. */
export async function listItemsOfMappings(tx: Queryable, skus: readonly string[]): Promise<string[]> {
  const rows = await tx<{ item_id: string }[]>`
    select distinct item_id from sku_mapping_items where sku = any(${skus.map((sku) => sku.toUpperCase())})`
  return rows.map((row) => row.item_id)
}

interface LineToMap {
  id: string
  order_id: string
  position: number
  quantity: number
  mapping: SkuMapping | null
}

/**
 * Locks the orders with a SKU to which a decision applies. Without the locks, somebody could reserve pieces of the old
 * item in the meantime.
 */
export async function lockOrdersOfSku(tx: Queryable, sku: string): Promise<void> {
  await tx`
    select from orders o
    where o.id in (select order_id from order_lines where upper(sku) = ${sku.toUpperCase()} and part_number = 0)
      and ${canFollow(tx)}
    order by o.id for no key update`
}

/** A line with pieces that are reserved for it only because its SKU is mapped. */
export interface MappedReservation {
  order_id: string
  line_id: string
  item_id: string
  quantity: number
}

/**
 * Lists the pieces that are reserved for mapped lines with a SKU, sorted by order. Leaves out lines and sets with
 * shipped pieces. The caller must have locked the orders with `lockOrdersOfSku`.
 */
export const listMappedReservations = (tx: Queryable, sku: string): Promise<MappedReservation[]> =>
  tx<MappedReservation[]>`
    select l.order_id, p.id as line_id, p.item_id, p.reserved_quantity as quantity
    from order_lines l join orders o on o.id = l.order_id
    join order_lines p on (p.id = l.id or p.set_line_id = l.id) and p.reserved_quantity > 0 and p.item_id is not null
    where upper(l.sku) = ${sku.toUpperCase()} and l.part_number = 0 and l.mapped_at is not null and ${canFollow(tx)}
      and not exists (select from order_lines done where (done.id = l.id or done.set_line_id = l.id)
                      and done.shipped_quantity > 0)
    order by l.order_id, p.id`

/**
 * Applies the mappings of SKUs to lines: to all lines of one order, or to all lines with one SKU in open orders and in
 * orders that were completed because a SKU was ignored. Lines with reserved or shipped pieces stay unchanged. So do the
 * lines of the one order whose mapping has an item in the trash. With `isRestored`, lines with an item stay unchanged,
 * too, and lines for which a set would have too many pieces. The caller must have locked the orders. Returns the ids of
 * the changed orders. The database throws ORDER_INVALID if a set has too many pieces.
 */
export async function applySkuMappings(
  tx: Queryable,
  which: { orderId: string } | { sku: string; isRestored?: boolean },
  now: Date,
): Promise<string[]> {
  const restored = tx`${isUnknown(tx)} and not exists (
    select from sku_mapping_items p where p.sku = m.sku and p.quantity::bigint * l.quantity > ${MAX_ITEM_QUANTITY})`
  const lines = await tx<LineToMap[]>`
    select l.id, l.order_id, l.position, l.quantity, case when m.sku is not null then jsonb_build_object(
             'sku', m.sku, 'is_ignored', m.is_ignored, 'items', coalesce((
               select jsonb_agg(jsonb_build_object('item_id', i.id, 'sku', i.sku, 'name', i.name, 'quantity', p.quantity)
                                order by p.position)
               from sku_mapping_items p join stock_items i on i.id = p.item_id where p.sku = m.sku
             ), '[]')) end as mapping
    from order_lines l join orders o on o.id = l.order_id left join sku_mappings m on m.sku = upper(l.sku)
    where l.part_number = 0 and ${
      'orderId' in which
        ? tx`l.order_id = ${which.orderId} and m.sku is not null and l.mapped_at is null and ${isWhole(tx)}`
        : tx`upper(l.sku) = ${which.sku.toUpperCase()} and ${canFollow(tx)} and ${which.isRestored ? restored : tx`true`}`
    }
      and not exists (select from order_lines done where (done.id = l.id or done.set_line_id = l.id)
                      and (done.shipped_quantity > 0 or done.reserved_quantity > 0))
    order by l.id`
  for (const line of lines) await followMapping(tx, line, now)
  return [...new Set(lines.map((line) => line.order_id))]
}

/**
 * Returns whether a mapping turns a line into a set. A mapping to one piece of one item only assigns that item to the
 * line.
 */
const isSet = ({ items }: SkuMapping): boolean =>
  items.length > 1 || items.some(({ quantity }) => quantity > 1)

/**
 * Before the parts of a set are replaced, moves the pieces in their undone shipments from the parts to the set itself.
 * The shop may still count these pieces as sent. If they were deleted with the parts, they would be booked as pieces
 * that the shop's own staff sent. All shipments of the parts were undone, because none of their pieces is shipped.
 */
async function keepUndoneShipments(tx: Queryable, setLineId: string): Promise<void> {
  await tx`
    insert into shipment_lines (shipment_id, order_line_id, quantity, withdrawn_quantity)
    select shipment_id, set_line_id, sets, sets - counted
    from (
      select p.shipment_id, l.set_line_id, max(ceil(p.quantity::numeric / l.pieces_per_set))::int as sets,
             max(ceil((p.quantity - p.withdrawn_quantity)::numeric / l.pieces_per_set))::int as counted
      from shipment_lines p join order_lines l on l.id = p.order_line_id
      where l.set_line_id = ${setLineId} group by 1, 2
    ) undone`
}

async function followMapping(tx: Queryable, line: LineToMap, now: Date): Promise<void> {
  const { mapping } = line
  const isOfSet = mapping !== null && isSet(mapping)
  await keepUndoneShipments(tx, line.id)
  await tx`delete from order_lines where set_line_id = ${line.id}`
  await tx`
    update order_lines l
    set is_set = ${isOfSet}, mapped_at = ${mapping && now}::timestamptz,
        ignored_at = ${mapping?.is_ignored ? now : null}::timestamptz,
        item_id = ${
          mapping
            ? tx`${(!isOfSet && mapping.items[0]?.item_id) || null}::uuid`
            : tx`(select i.id from stock_items i where upper(i.sku) = upper(l.sku) and i.deleted_at is null and l.sku <> '')`
        }
    where l.id = ${line.id}`
  if (!isOfSet) return
  const parts = mapping.items.map(({ quantity, ...item }, index) => ({
    id: uuidv7(),
    order_id: line.order_id,
    position: line.position,
    part_number: index + 1,
    set_line_id: line.id,
    pieces_per_set: quantity,
    // A quantity that is too large is limited to one more than the maximum. The constraint of the column refuses that
    // number.
    quantity: Math.min(quantity * line.quantity, MAX_ITEM_QUANTITY + 1),
    unit_price_minor: 0,
    ...item,
  }))
  await tx`${insertInto(tx, 'order_lines', parts)}`
}

/** An order that a decision about a SKU has changed. */
export type ChangedOrder = Row<'orders', 'id' | 'order_number'>

/** Returns the ids and numbers of orders, sorted by id. */
export const listChangedOrders = (tx: Queryable, ids: readonly string[]): Promise<ChangedOrder[]> =>
  tx<ChangedOrder[]>`select id, order_number from orders where id = any(${[...ids]}::uuid[]) order by id`

/** Returns the ids of those of the orders that are neither completed nor cancelled. */
export async function listUnfinishedOrders(tx: Queryable, orderIds: readonly string[]): Promise<string[]> {
  const rows = await tx<Row<'orders', 'id'>[]>`
    select id from orders where id = any(${[...orderIds]}::uuid[]) and status not in ('completed', 'cancelled') order by id`
  return rows.map(({ id }) => id)
}

/**
 * Marks those of the orders that are completed by now as completed because a SKU was ignored. Returns the newly marked
 * ones.
 */
export const markCompletedByIgnoring = (
  tx: Queryable,
  orderIds: readonly string[],
): Promise<ChangedOrder[]> =>
  tx<ChangedOrder[]>`
    update orders set is_completed_by_ignoring = true
    where id = any(${[...orderIds]}::uuid[]) and status = 'completed' and not is_completed_by_ignoring
    returning id, order_number`

/**
 * Reopens those of the orders that were completed because a SKU was ignored and that now have pieces left to ship.
 * Returns them.
 */
export const reopenOrders = (
  tx: Queryable,
  orderIds: readonly string[],
  now: Date,
): Promise<ChangedOrder[]> =>
  tx<ChangedOrder[]>`
    update orders o set status = 'in_progress', revision = revision + 1, updated_at = ${now}
    where id = any(${[...orderIds]}::uuid[]) and status = 'completed' and is_completed_by_ignoring and exists (
      select from order_lines l
      where l.order_id = o.id and l.shipped_quantity < l.quantity and l.ignored_at is null and not l.is_set)
    returning id, order_number`

/** Returns whether an open order has a line with this SKU, without an item, that nobody has ignored. */
export async function hasUnknownLines(tx: Queryable, sku: string): Promise<boolean> {
  const rows = await tx`select from (${unknownLines(tx)}) unknown where key = ${sku.toUpperCase()} limit 1`
  return rows.length > 0
}

/** A SKU of open orders that matches no item, or a SKU that a person mapped or ignored. */
export interface OrderedSku {
  sku: string
  name: string
  order_count: number
  quantity: number
  first_seen_at: Date | null
  last_seen_at: Date | null
  orders: { id: string; order_number: string }[]
  is_ignored: boolean
  items: MappedItem[]
  deleted_items: (Omit<MappedItem, 'quantity'> & { is_restorable: boolean })[]
}

/** Returns the SQL for a list of the deleted items in the mapping of a SKU. */
const deletedItems = (sql: Queryable, sku: 'm.sku' | 'c.key', trashedAfter: Date) => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('item_id', i.id, 'sku', i.sku, 'name', i.name,
                                        'is_restorable', i.deleted_at > ${trashedAfter}) order by p.position)
    from sku_mapping_items p join stock_items i on i.id = p.item_id
    where p.sku = ${sku === 'm.sku' ? sql`m.sku` : sql`c.key`} and i.deleted_at is not null
  ), '[]')`

const unknownLines = (sql: Queryable) => sql`
  select upper(l.sku) as key, l.sku, l.name, l.quantity, o.id as order_id, o.order_number, o.placed_at
  from order_lines l join orders o on o.id = l.order_id
  where ${isUnknown(sql)} and o.deleted_at is null and o.status in ('pending', 'in_progress', 'on_hold')`

interface SkuPage {
  /** Number of SKUs to skip before the page. */
  offset: number
  /** Maximum number of SKUs on the page. One more is read, to tell whether there is a next page. */
  limit: number
  trashedAfter: Date
}

/** Lists unknown SKUs of open orders, most ordered first. */
export const listUnknownSkus = (
  sql: Queryable,
  { offset, limit, trashedAfter }: SkuPage,
): Promise<OrderedSku[]> =>
  sql<OrderedSku[]>`
    with unknown as (${unknownLines(sql)}), counted as (
      select key, (array_agg(sku order by placed_at desc))[1] as sku, (array_agg(name order by placed_at desc))[1] as name,
             count(distinct order_id)::int as order_count, sum(quantity)::float8 as quantity,
             min(placed_at) as first_seen_at, max(placed_at) as last_seen_at
      from unknown group by key
      order by count(distinct order_id) desc, min(placed_at), key limit ${limit + 1} offset ${offset}
    )
    select c.sku, c.name, c.order_count, c.quantity, c.first_seen_at, c.last_seen_at, false as is_ignored,
           '[]'::jsonb as items, ${deletedItems(sql, 'c.key', trashedAfter)} as deleted_items, (
             select jsonb_agg(jsonb_build_object('id', one.order_id, 'order_number', one.order_number)) from (
               select distinct order_id, order_number, placed_at from unknown u where u.key = c.key
               order by placed_at desc limit 3) one
           ) as orders
    from counted c order by c.order_count desc, c.first_seen_at, c.key`

export const countUnknownSkus = (sql: Queryable): Promise<number> =>
  countUpToCap(sql, sql`select distinct key from (${unknownLines(sql)}) unknown`)

/** Lists SKUs that a person mapped or ignored, latest first. */
export const listDecidedSkus = (
  sql: Queryable,
  { isIgnored, offset, limit, trashedAfter }: SkuPage & { isIgnored: boolean },
): Promise<OrderedSku[]> =>
  sql<OrderedSku[]>`
    select m.sku, coalesce(seen.name, '') as name, seen.order_count, seen.quantity, seen.first_seen_at, seen.last_seen_at,
           '[]'::jsonb as orders, m.is_ignored, coalesce((
             select jsonb_agg(jsonb_build_object('item_id', i.id, 'sku', i.sku, 'name', i.name, 'quantity', p.quantity)
                              order by p.position)
             from sku_mapping_items p join stock_items i on i.id = p.item_id where p.sku = m.sku
           ), '[]') as items, ${deletedItems(sql, 'm.sku', trashedAfter)} as deleted_items
    from sku_mappings m cross join lateral (
      select max(l.name) as name, count(distinct l.order_id)::int as order_count,
             coalesce(sum(l.quantity), 0)::float8 as quantity,
             min(o.placed_at) as first_seen_at, max(o.placed_at) as last_seen_at
      from order_lines l join orders o on o.id = l.order_id
      where upper(l.sku) = m.sku and l.part_number = 0 and o.deleted_at is null
    ) seen
    where m.is_ignored = ${isIgnored} order by m.updated_at desc, m.sku limit ${limit + 1} offset ${offset}`

export const countDecidedSkus = (sql: Queryable, isIgnored: boolean): Promise<number> =>
  countUpToCap(sql, sql`select 1 from sku_mappings where is_ignored = ${isIgnored}`)

/** Maximum number of proposed jobs. A person cancels all of them with one click. */
const MAX_PROPOSED_CANCELLATIONS = 100

/**
 * Returns the ids of print jobs that wait for their start or their next plate, and that these orders no longer need:
 * the order is finished, or no line of it needs pieces of the job's item. A job without an item was queued by hand, so
 * it is needed until its order is finished. Returns the first MAX_PROPOSED_CANCELLATIONS jobs.
 */
export async function listUnneededJobs(sql: Queryable, orderIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select j.id from order_jobs j join orders o on o.id = j.order_id
    where j.order_id = any (${[...orderIds]}::uuid[]) and (j.started_at is null or j.status = 'pending')
      and (o.status in ('completed', 'cancelled') or j.item_id is not null and not exists (
        select from order_lines l
        where l.order_id = o.id and l.item_id = j.item_id and not l.is_set and l.ignored_at is null
          and l.shipped_quantity < l.quantity
      ))
    order by j.id limit ${MAX_PROPOSED_CANCELLATIONS}`
  return rows.map(({ id }) => id)
}
