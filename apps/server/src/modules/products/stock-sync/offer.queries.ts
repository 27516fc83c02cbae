import type { Queryable } from '../../../platform/database/database.ts'

/** The stock of an item that is offered to the shop, with the numbers of pieces from which it is computed. */
export interface OfferRow {
  available: number
  /** Free pieces that open orders still need. */
  needed: number
  /** Pieces that the shop has set aside for its orders on hold. */
  held: number
  safety: number
  /** Pieces that unfinished print jobs will still make. They are not offered yet. */
  queued: number
  /** The stock that is offered to the shop, never below 0. */
  stock: number
}

/**
 * Returns the SQL for a `from` clause with an item `i` and its `offer`. `offer.free` is the item's available pieces,
 * minus the pieces that open orders need, minus the pieces of orders that the shop holds, minus the safety stock.
 * `offer.stock` is the same, but never below 0. With `isOne`, PostgreSQL reads the orders of each item separately,
 * which is faster for a few items.
 */
export const itemWithOffer = (sql: Queryable, { isOne }: { isOne: boolean }) => sql`
  stock_items i
  ${
    isOne
      ? sql`left join lateral (select quantity from needed_items where item_id = i.id) n on true
            left join lateral (select quantity from held_items where item_id = i.id) h on true`
      : sql`left join needed_items n on n.item_id = i.id left join held_items h on h.item_id = i.id`
  }
  cross join lateral (
    select each.*, greatest(0, available - needed - held - safety)::int as stock, available - needed - held - safety as free
    from (
      select i.available_quantity as available, coalesce(n.quantity, 0) as needed, coalesce(h.quantity, 0) as held,
             i.safety_stock as safety
    ) each
  ) offer`

/**
 * Returns the SQL for the offer of a product `p` as JSON (`OfferRow`). It is null if the product has no item, or if the
 * item is in the trash.
 */
export const offerOfProduct = (sql: Queryable) => sql`(
  select jsonb_build_object('available', offer.available, 'needed', offer.needed, 'held', offer.held,
                            'safety', offer.safety, 'stock', offer.stock,
                            'queued', coalesce((select q.quantity from queued_items q where q.item_id = i.id), 0))
  from ${itemWithOffer(sql, { isOne: true })}
  where i.id = p.item_id and i.deleted_at is null)`
