import {
  MAX_REFUSED_ORDERS,
  dismissRefusedOrder,
  listRefusedOrders,
} from '@pegasus/contracts/orders/refused-orders'
import type { Insert, Row } from '../../../platform/database/column-types.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { writeAudit } from '../../audit/index.ts'
import { type MainSite, orderAddressOf } from '../../products/index.ts'
import type { ShopOrderName } from '../intake/order-intake.queries.ts'
import { laterMessage } from '../intake/waiting-changes.ts'

/** A refused order. `sent` is the order in the format that shops send, or null if it could not be read. */
type NewRefusedOrder = Pick<
  Insert<'refused_orders'>,
  'order_number' | 'detail' | 'refused_at' | 'external_id'
> & {
  sent: Readonly<Record<string, unknown>> | null
}

/**
 * Saves a refused order that does not exist here, so that people can see it. It replaces a refused order with the same
 * number. If the shop's id is another one, people are alerted again; otherwise facts that the new message leaves out stay.
 * Returns whether anything about the refusal is new.
 */
export async function saveRefusedOrder(sql: Queryable, order: NewRefusedOrder): Promise<boolean> {
  const { order_number: number, detail, refused_at: at, external_id: externalId, sent } = order
  const message =
    sent === null
      ? sql`null`
      : sql`case when known.external_id is not distinct from excluded.external_id
                 then ${laterMessage(sql, sql`known.sent`, sent)} else excluded.sent end`
  const rows = await sql`
    insert into refused_orders as known (order_number, detail, refused_at, external_id, sent)
    values (${number}, ${detail}, ${at}, ${externalId ?? null}, ${sent && sql.json(sent)})
    on conflict (order_number) do update
    set detail = excluded.detail, external_id = excluded.external_id, sent = ${message},
        refused_at = excluded.refused_at,
        told_at = case when known.external_id <> excluded.external_id then null else known.told_at end
    where (known.detail, known.external_id, known.sent)
      is distinct from (excluded.detail, excluded.external_id, ${message})
    returning order_number`
  return rows.length > 0
}

/**
 * Returns at most `limit` refused orders to try again, those that have waited longest first, and records that they are
 * tried now. Leaves out orders that could not be read.
 */
export const takeOrdersToRetry = (
  sql: Queryable,
  { limit, now }: { limit: number; now: Date },
): Promise<{ sent: object }[]> =>
  sql<{ sent: object }[]>`
    with due as (
      select order_number, coalesce(tried_at, refused_at) as last_tried_at from refused_orders
      where sent is not null order by last_tried_at, order_number limit ${limit}
    ),
    tried as (
      update refused_orders o set tried_at = ${now} from due where o.order_number = due.order_number
      returning o.order_number, o.sent, due.last_tried_at
    )
    select sent from tried order by last_tried_at, order_number`

/**
 * Removes an order from the list of refused orders, because it was imported after all, the shop has deleted it, or a
 * person has dismissed it. The order is not read again by its id, either. An order with the same number but another id
 * of the shop stays in the list. Returns whether the order was in the list.
 */
export async function deleteRefusedOrder(
  sql: Queryable,
  { orderNumber = null, externalId = null }: Partial<ShopOrderName>,
): Promise<boolean> {
  const rows = await sql`
    with gone as (
      delete from refused_orders
      where external_id = ${externalId}
        or (order_number = ${orderNumber} and (external_id is null or ${externalId}::text is null))
      returning external_id
    ),
    settled as (
      delete from shop_orders_to_read where external_id in (select external_id from gone)
    )
    select from gone`
  return rows.length > 0
}

/**
 * Returns the SQL condition for refused orders that do not exist here yet. A person may have entered the order by hand.
 * An order that the shop has sent under another id is a different order with the same number.
 */
const isMissing = (sql: Queryable) => sql`not exists (
  select from orders o
  where o.order_number = refused_orders.order_number and o.deleted_at is null
    and (o.source <> 'main_site' or o.external_id is null or refused_orders.external_id is null
      or o.external_id = refused_orders.external_id)
)`

/** The refused orders of one alert. */
export interface RefusedOrders {
  /** The order number of the first order. */
  order_number: string
  /** The reason why the first order was refused. */
  reason: string
  /** The number of refused orders. */
  orders: number
}

/**
 * Claims all refused orders without an alert. One alert covers them all, because a first comparison can refuse
 * hundreds. Returns null if there are none.
 */
export async function claimRefusedOrders(tx: Queryable, now: Date): Promise<RefusedOrders | null> {
  const claimed = await tx<Pick<RefusedOrderRow, 'order_number' | 'detail' | 'refused_at'>[]>`
    with claimed as (
      update refused_orders set told_at = ${now} where told_at is null and ${isMissing(tx)}
      returning order_number, detail, refused_at
    )
    select * from claimed order by refused_at, order_number`
  const [first] = claimed
  return first ? { order_number: first.order_number, reason: first.detail, orders: claimed.length } : null
}

type RefusedOrderRow = Row<'refused_orders', 'order_number' | 'detail' | 'refused_at' | 'external_id'>

/** Adds the routes for the shop's orders that could not be imported. */
export function addRefusedOrderRoutes(
  endpoints: Endpoints,
  { database, site }: { database: Database; site: Pick<MainSite, 'kind' | 'url'> | null },
): void {
  endpoints.add(listRefusedOrders, async () => {
    const rows = await database.sql<RefusedOrderRow[]>`
      select order_number, detail, refused_at, external_id from refused_orders where ${isMissing(database.sql)}
      order by refused_at desc, order_number limit ${MAX_REFUSED_ORDERS}`
    return rows.map(({ external_id: externalId, ...row }) => ({
      ...row,
      refused_at: new Date(row.refused_at).toISOString(),
      shop_url: site && orderAddressOf(site, externalId),
    }))
  })

  endpoints.add(dismissRefusedOrder, async ({ body: { order_number: number }, audit }) =>
    database.transaction(async (tx) => {
      if (await deleteRefusedOrder(tx, { orderNumber: number })) {
        const order = { entity: 'order', entityId: null, entityName: number } as const
        await writeAudit(tx, { action: 'order.refusal_dismissed', ...order }, audit)
      }
      return { order_number: number }
    }),
  )
}
