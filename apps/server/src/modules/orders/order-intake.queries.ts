import { v7 as uuidv7 } from 'uuid'
import type { Row, Update } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { insertInto, updateTable } from '../../platform/database/write-rows.ts'

/** Locks an order number, whether or not the order exists yet, so that one caller at a time receives it. */
export async function lockOrderNumber(tx: Queryable, orderNumber: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-number:${orderNumber}`}, 0))`
}

export type KnownLine = Row<'order_lines', 'position' | 'sku' | 'name' | 'quantity' | 'unit_price_minor'>

/** The fields of an existing order that a shop may change. */
export interface KnownOrder
  extends Row<
    'orders',
    | 'id'
    | 'customer_name'
    | 'customer_email'
    | 'status'
    | 'total_minor'
    | 'currency'
    | 'placed_at'
    | 'due_at'
    | 'external_id'
    | 'notes'
    | 'revision'
  > {
  lines: KnownLine[]
}

/** Finds the order with a number and locks it until the transaction ends; null if there is none. */
export async function lockOrderByNumber(tx: Queryable, orderNumber: string): Promise<KnownOrder | null> {
  const [order] = await tx<Omit<KnownOrder, 'lines'>[]>`
    select id, customer_name, customer_email, status, total_minor, currency, placed_at, due_at, external_id, notes,
           revision
    from orders where order_number = ${orderNumber} and deleted_at is null for update`
  if (!order) return null
  const lines = await tx<KnownLine[]>`
    select position, sku, name, quantity, unit_price_minor from order_lines
    where order_id = ${order.id} order by position`
  return { ...order, lines: [...lines] }
}

/** Omitted or undefined fields stay. */
export type OrderChange = Pick<
  Update<'orders'>,
  | 'customer_name'
  | 'customer_email'
  | 'status'
  | 'total_minor'
  | 'placed_at'
  | 'due_at'
  | 'external_id'
  | 'notes'
>

export async function updateOrder(tx: Queryable, id: string, change: OrderChange, now: Date): Promise<void> {
  await tx`
    ${updateTable(tx, 'orders', { ...change, updated_at: now })}, revision = revision + 1 where id = ${id}`
}

export type LineToWrite = KnownLine & Row<'order_lines', 'item_id'>

/**
 * Writes lines at their positions and removes all lines from `count` on. An existing line is changed and not
 * replaced, because print jobs refer to it.
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
    on conflict (order_id, position) do update
    set sku = excluded.sku, name = excluded.name, quantity = excluded.quantity,
        unit_price_minor = excluded.unit_price_minor, item_id = excluded.item_id,
        ignored_at = case when order_lines.sku = excluded.sku then order_lines.ignored_at end`
}
