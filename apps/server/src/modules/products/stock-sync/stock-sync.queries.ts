import type { Queryable } from '../../../platform/database/database.ts'
import type { StockLevel } from '../main-site/shop-orders.ts'

export interface StockToSend extends StockLevel {
  product_id: string
}

/**
 * Lists published products whose current stock the site does not have, except the products in `without`. The
 * stock is the number of the item's free pieces, minus the pieces that open orders and orders on hold in the
 * shop still need, minus the safety stock, and never below 0. A publication sends the stock that a person
 * entered, so the computed stock is sent again after each publication.
 */
export const listStockToSend = (
  sql: Queryable,
  { target, limit, without }: { target: string; limit: number; without: readonly string[] },
): Promise<StockToSend[]> =>
  sql<StockToSend[]>`
    select p.id as product_id, p.slug, p.site_product_id, offered.stock
    from products p
    join stock_items i on i.id = p.item_id and i.deleted_at is null
    left join needed_items n on n.item_id = i.id
    left join held_items h on h.item_id = i.id
    cross join lateral (
      select greatest(0, i.available_quantity - coalesce(n.quantity, 0) - coalesce(h.quantity, 0) - i.safety_stock)::int as stock
    ) offered
    left join sent_stocks s on s.product_id = p.id and s.target = ${target}
    cross join lateral (
      select l.target from publications l
      where l.product_id = p.id and l.status = 'published' order by l.number desc limit 1
    ) sent
    where p.deleted_at is null and p.status = 'published' and sent.target = ${target}
      and p.id <> all (${without}::uuid[])
      and (s.stock is distinct from offered.stock or s.sent_at < p.published_at)
    order by p.published_at, p.id limit ${limit}`

export async function writeSentStock(
  sql: Queryable,
  levels: readonly StockToSend[],
  { target, now }: { target: string; now: Date },
): Promise<void> {
  await sql`
    insert into sent_stocks (product_id, target, stock, sent_at)
    select told.product_id, ${target}, told.stock, ${now}
    from unnest(${levels.map((level) => level.product_id)}::uuid[], ${levels.map((level) => level.stock)}::int[])
      as told (product_id, stock)
    join products p on p.id = told.product_id
    on conflict (product_id) do update
    set target = excluded.target, stock = excluded.stock, sent_at = excluded.sent_at`
}
