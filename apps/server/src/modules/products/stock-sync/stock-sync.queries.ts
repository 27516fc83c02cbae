import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { publishAll } from '../../events/index.ts'
import type { StockLevel } from '../main-site/shop-orders.ts'
import { itemWithOffer } from './offer.queries.ts'

export interface StockToSend extends StockLevel {
  product_id: string
  /** Number of changes that the shop's orders have made to the shop's own stock of the product. */
  shop_changes: string
  /** Identifies the last publication of the product: the seconds since 1970 as text. */
  publication: string
}

/** A product whose stock the site has refused. */
export type RefusedStock = Pick<StockToSend, 'product_id' | 'publication'>

/** Joins the item of a product `p`, and the stock that is offered to the shop. Leaves out products without an item. */
const joinOffer = (sql: Queryable, options: { isOne: boolean }) =>
  sql`join (${itemWithOffer(sql, options)}) on i.id = p.item_id and i.deleted_at is null`

/**
 * Returns the SQL condition that the site may lack the offered stock: a different number was sent last, or the site's
 * stock has changed since then, by an order or a publication. (A publication sends the stock that a person entered in
 * the product.)
 */
const isDue = (sql: Queryable, target: string) => sql`(
  s.target is distinct from ${target} or s.stock is distinct from offer.stock or s.shop_changes <> s.sent_changes
  or s.sent_at < p.published_at
)`

/**
 * Lists published products whose offered stock the site may lack. Leaves out the products in `without`, unless they
 * were published again.
 */
export const listStockToSend = (
  sql: Queryable,
  { target, limit, without }: { target: string; limit: number; without: readonly RefusedStock[] },
): Promise<StockToSend[]> =>
  sql<StockToSend[]>`
    select p.id as product_id, p.slug, p.site_product_id, offer.stock, coalesce(s.shop_changes, 0) as shop_changes,
           extract(epoch from p.published_at)::text as publication
    from products p
    ${joinOffer(sql, { isOne: false })}
    left join sent_stocks s on s.product_id = p.id
    cross join lateral (
      select l.target from publications l
      where l.product_id = p.id and l.status = 'published' order by l.number desc limit 1
    ) sent
    where p.deleted_at is null and p.status = 'published' and sent.target = ${target}
      and not exists (
        select from unnest(${without.map((each) => each.product_id)}::uuid[], ${without.map((each) => each.publication)}::text[])
          as refused (id, publication)
        where refused.id = p.id and refused.publication = extract(epoch from p.published_at)::text
      )
      and ${isDue(sql, target)}
    order by p.published_at, p.id limit ${limit}`

/**
 * Saves the stock that the site has accepted. Deletes the stored stock differences of these products, because they are
 * outdated now.
 */
export async function writeSentStock(
  tx: Queryable,
  levels: readonly StockToSend[],
  { target, now }: { target: string; now: Date },
): Promise<void> {
  const ids = levels.map((level) => level.product_id)
  // Without this lock, a check that ends at the same time could store a difference to the previous stock.
  await tx`select from products where id = any (${ids}::uuid[]) order by id for no key update`
  await tx`
    insert into sent_stocks (product_id, target, stock, sent_at, sent_changes)
    select sent.product_id, ${target}, sent.stock, ${now}, sent.changes
    from unnest(${ids}::uuid[], ${levels.map((level) => level.stock)}::int[],
                ${levels.map((level) => level.shop_changes)}::bigint[])
      as sent (product_id, stock, changes)
    join products p on p.id = sent.product_id
    order by sent.product_id
    on conflict (product_id) do update
    set target = excluded.target, stock = excluded.stock, sent_at = excluded.sent_at, sent_changes = excluded.sent_changes`
  await forgetStockDifferences(tx, ids)
}

/**
 * Saves that the site has this stock, because a person has accepted it. The time of the last stock update stays: unpaid
 * orders that were placed since then are already included in the accepted stock, and the next check must add them
 * again.
 */
export async function acceptSentStock(
  tx: Queryable,
  { productId, stock }: { productId: string; stock: number },
): Promise<void> {
  await tx`update sent_stocks set stock = ${stock} where product_id = ${productId}`
  await forgetStockDifferences(tx, [productId])
}

/** Deletes the stored stock differences of products with an item. The caller must have locked the products. */
async function forgetStockDifferences(tx: Queryable, productIds: readonly string[]): Promise<void> {
  const settled = await tx<{ product_id: string }[]>`
    update site_checks
    set differences = left_over.differences,
        outcome = case when outcome = 'differs' and left_over.differences = '[]' then 'same' else outcome end
    from (
      select c.product_id,
             coalesce(jsonb_agg(each) filter (where each ->> 'field' <> 'stock'), '[]') as differences
      from site_checks c join products p on p.id = c.product_id and p.item_id is not null
      cross join jsonb_array_elements(c.differences) as each
      where c.product_id = any (${productIds}::uuid[])
      group by c.product_id having bool_or(each ->> 'field' = 'stock')
    ) left_over
    where site_checks.product_id = left_over.product_id
    returning site_checks.product_id`
  await publishAll(
    tx,
    settled.map(({ product_id: id }) => ({ type: 'updated' as const, entity: 'product' as const, id })),
  )
}

/**
 * Records that the shop has changed its own stock of the products in an order, because the order was placed, changed or
 * cancelled there. Our stock is then sent again, even if it is the same. `itemIds` are items that the change removed
 * from the order.
 */
export async function noteShopChange(
  tx: Queryable,
  { orderId, itemIds = [], now }: { orderId: string; itemIds?: readonly string[]; now: Date },
): Promise<void> {
  await tx`
    insert into sent_stocks (product_id, target, sent_at, shop_changes)
    select p.id, '', ${now}, 1 from products p
    where p.status = 'published' and p.item_id in (
      select item_id from order_lines where order_id = ${orderId} union select unnest(${itemIds}::uuid[])
    )
    order by p.id
    on conflict (product_id) do update set shop_changes = sent_stocks.shop_changes + 1`
}

/**
 * Records that the shop has changed its own stock of the products of these items. Leaves out products whose stock was
 * sent after the change.
 */
export async function noteShopChangeOfItems(
  tx: Queryable,
  itemIds: readonly string[],
  changedAt: Date,
): Promise<void> {
  await tx`
    with changed as materialized (
      select s.product_id from sent_stocks s join products p on p.id = s.product_id
      where p.status = 'published' and p.item_id = any (${[...itemIds]}::uuid[]) and s.sent_at <= ${changedAt}
      order by s.product_id for no key update of s
    )
    update sent_stocks s set shop_changes = s.shop_changes + 1
    from changed where s.product_id = changed.product_id`
}

/** The stock of a product with an item, as we know it. */
export interface KnownStock {
  /** The stock that the shop should have. */
  offered: number
  /** The number from which `offered` is computed. It can be negative. */
  free: number
  /** The time of the last stock update. Null if the shop does not have the offered stock yet. */
  sentAt: string | null
}

/** Returns the stock of a product that is linked to an item, or null. */
export async function findKnownStock(
  sql: Queryable,
  productId: string,
  target: string,
): Promise<KnownStock | null> {
  const row = await firstRow(sql<{ stock: number; free: string; sent_at: string | null }[]>`
    select offer.stock, offer.free, case when not ${isDue(sql, target)} then s.sent_at end as sent_at
    from products p
    ${joinOffer(sql, { isOne: true })}
    left join sent_stocks s on s.product_id = p.id
    where p.id = ${productId}`)
  return row && { offered: row.stock, free: Number(row.free), sentAt: row.sent_at }
}
