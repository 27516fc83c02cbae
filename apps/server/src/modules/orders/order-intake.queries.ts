import { v7 as uuidv7 } from 'uuid'
import type { Row, Update } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { insertInto, updateTable } from '../../platform/database/write-rows.ts'

/** One order number is received by one caller at a time, whether or not there is an order yet that could be locked. */
export async function lockOrderNumber(tx: Queryable, orderNumber: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`order-number:${orderNumber}`}, 0))`
}

export type KnownLine = Row<'order_lines', 'position' | 'sku' | 'name' | 'quantity' | 'unit_price_minor'>

/** What a shop may say of an order that is here already. */
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

/** The order of a number, held until the transaction ends; null if there is none. */
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

/** Fields that are left out, or undefined, stay. */
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
 * Writes lines at their positions and removes all from `count` on. A line that is there is changed and not replaced:
 * what is printed for it refers to it.
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
