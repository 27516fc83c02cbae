import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { v7 as uuidv7 } from 'uuid'
import type { Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'

/** Locks an order number, whether or not the order exists yet, so that one caller at a time receives it. */
export async function lockOrderNumber(tx: Queryable, orderNumber: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-number:${orderNumber}`}, 0))`
}

export type KnownLine = Row<'order_lines', 'position' | 'sku' | 'name' | 'quantity' | 'unit_price_minor'>

/** An existing line with what is done for it. */
export interface StoredLine
  extends KnownLine,
    Row<
      'order_lines',
      | 'id'
      | 'item_id'
      | 'shipped_quantity'
      | 'reserved_quantity'
      | 'returned_quantity'
      | 'is_set'
      | 'set_line_id'
      | 'pieces_per_set'
    > {
  is_ignored: boolean
  /** The SKU that was ordered: for a part of a set, that of the set. */
  ordered_sku: string
}

/** The columns of an order that its sender may change. */
type SentColumn =
  | 'customer_name'
  | 'customer_email'
  | 'shipping_address'
  | 'status'
  | 'total_minor'
  | 'shipping_minor'
  | 'tax_minor'
  | 'discount_minor'
  | 'fee_minor'
  | 'placed_at'
  | 'due_at'
  | 'external_id'
  | 'notes'

/** An existing order, as far as a sender may change it. */
export interface KnownOrder
  extends Row<'orders', SentColumn | 'id' | 'order_number' | 'currency' | 'revision'> {
  /** Whether something was reserved, printed or shipped for it. */
  is_begun: boolean
  lines: StoredLine[]
}

/** Omitted or undefined fields stay. */
export type OrderChange = Pick<Update<'orders'>, SentColumn>

/** Finds the order with a number and locks it until the transaction ends; null if there is none. */
export async function lockOrderByNumber(tx: Queryable, orderNumber: string): Promise<KnownOrder | null> {
  const [found] = await tx<{ id: string }[]>`
    select id from orders where order_number = ${orderNumber} and deleted_at is null`
  return found ? lockOrder(tx, found.id) : null
}

/** Locks an order until the transaction ends; null if it does not exist or is in the trash. */
export async function lockOrder(tx: Queryable, id: string): Promise<KnownOrder | null> {
  const [order] = await tx<Omit<KnownOrder, 'lines'>[]>`
    select id, order_number, customer_name, customer_email, shipping_address, status, total_minor, shipping_minor, tax_minor,
           discount_minor, fee_minor, currency, placed_at, due_at, external_id, notes, revision, (
             exists (select from order_lines l where l.order_id = orders.id and l.shipped_quantity + l.reserved_quantity > 0)
             or exists (select from order_jobs j where j.order_id = orders.id)
           ) as is_begun
    from orders where id = ${id} and deleted_at is null for update`
  if (!order) return null
  const lines = await tx<StoredLine[]>`
    select l.id, l.position, l.sku, l.name, l.quantity, l.unit_price_minor, l.item_id, l.shipped_quantity, l.reserved_quantity,
           l.returned_quantity, l.is_set, l.set_line_id, l.pieces_per_set, l.ignored_at is not null as is_ignored,
           coalesce(whole.sku, l.sku) as ordered_sku
    from order_lines l left join order_lines whole on whole.id = l.set_line_id
    where l.order_id = ${id} order by l.position, l.part_number`
  return { ...order, lines: [...lines] }
}

export async function updateOrder(tx: Queryable, id: string, change: OrderChange, now: Date): Promise<void> {
  await tx`
    ${updateTable(tx, 'orders', { ...change, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

export type LineToWrite = KnownLine & Row<'order_lines', 'item_id'>

/**
 * Writes lines at their positions and removes all lines from `count` on. An existing line is changed and not
 * replaced, because print jobs refer to it. One that follows a mapping of its SKU keeps doing so. A set of too many pieces
 * breaks the limit of a line's quantity: ORDER_INVALID from the database.
 */
export async function writeLines(
  tx: Queryable,
  orderId: string,
  lines: readonly LineToWrite[],
  count: number,
): Promise<void> {
  await tx`delete from order_lines where order_id = ${orderId} and position >= ${count}`
  if (lines.length === 0) return
  const rows = lines.map((line) => ({ id: uuidv7(), order_id: orderId, ...line }))
  await tx`
    ${insertInto(tx, 'order_lines', rows)}
    on conflict (order_id, position, part_number) do update
    set sku = excluded.sku, name = excluded.name, quantity = excluded.quantity,
        unit_price_minor = excluded.unit_price_minor,
        item_id = case when order_lines.sku = excluded.sku and order_lines.mapped_at is not null
                       then order_lines.item_id else excluded.item_id end,
        ignored_at = case when order_lines.sku = excluded.sku then order_lines.ignored_at end,
        is_set = order_lines.is_set and order_lines.sku = excluded.sku,
        mapped_at = case when order_lines.sku = excluded.sku then order_lines.mapped_at end`
  await tx`
    delete from order_lines part using order_lines whole
    where whole.order_id = ${orderId} and part.set_line_id = whole.id and not whole.is_set`
  await tx`
    update order_lines part set quantity = least(whole.quantity::bigint * part.pieces_per_set, ${MAX_ITEM_QUANTITY + 1})::integer
    from order_lines whole where whole.order_id = ${orderId} and part.set_line_id = whole.id`
}

/** Whether the shop told already of a later change of an order than this one. */
export async function isOutdated(tx: Queryable, orderNumber: string, changedAt: Date): Promise<boolean> {
  const rows = await tx`
    select from orders where order_number = ${orderNumber} and deleted_at is null and source_changed_at > ${changedAt}`
  return rows.length > 0
}

/** Keeps the moment of the shop's change that was taken. What could not be taken before is settled by it. */
export async function writeTaken(tx: Queryable, orderId: string, changedAt: Date | null): Promise<void> {
  await tx`
    update orders set source_changed_at = coalesce(${changedAt}::timestamptz, source_changed_at), shop_problem = null
    where id = ${orderId}`
}
