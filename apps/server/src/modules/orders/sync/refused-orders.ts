import {
  MAX_REFUSED_ORDERS,
  type RefusedOrder,
  dismissRefusedOrder,
  listRefusedOrders,
} from '@pegasus/contracts/orders/refused-orders'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { writeAudit } from '../../audit/index.ts'

/** Saves an order of the shop that was refused and is not here, so that people see it. */
export async function saveRefusedOrder(
  sql: Queryable,
  order: { order_number: string; detail: string; refused_at: Date },
): Promise<void> {
  await sql`
    insert into refused_orders (order_number, detail, refused_at)
    values (${order.order_number}, ${order.detail}, ${order.refused_at})
    on conflict (order_number) do update set detail = excluded.detail, refused_at = excluded.refused_at`
}

/** Removes an order that was received after all, or that a person has dismissed. Returns whether it was there. */
export async function deleteRefusedOrder(sql: Queryable, orderNumber: string): Promise<boolean> {
  const rows = await sql`
    delete from refused_orders where order_number = ${orderNumber} returning order_number`
  return rows.length > 0
}

const present = (row: Row<'refused_orders', 'order_number' | 'detail' | 'refused_at'>): RefusedOrder => ({
  ...row,
  refused_at: new Date(row.refused_at).toISOString(),
})

/** Adds the routes for orders of the shop that could not be received. */
export function addRefusedOrderRoutes(endpoints: Endpoints, { database }: { database: Database }): void {
  endpoints.add(listRefusedOrders, async () => {
    const rows = await database.sql<Row<'refused_orders', 'order_number' | 'detail' | 'refused_at'>[]>`
      select order_number, detail, refused_at from refused_orders
      order by refused_at desc, order_number limit ${MAX_REFUSED_ORDERS}`
    return rows.map(present)
  })

  endpoints.add(dismissRefusedOrder, async ({ body: { order_number: number }, audit }) =>
    database.transaction(async (tx) => {
      if (await deleteRefusedOrder(tx, number)) {
        const order = { entity: 'order', entityId: null, entityName: number } as const
        await writeAudit(tx, { action: 'order.refusal_dismissed', ...order }, audit)
      }
      return { order_number: number }
    }),
  )
}
