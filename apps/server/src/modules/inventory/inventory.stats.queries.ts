import type { Queryable } from '../../platform/database/database.ts'

export interface StockFigures {
  total_inventory: number
  low_stock_items: number
  out_of_stock_items: number
  stock_value_minor: number
}

/**
 * Returns the numbers of all items, of low items and of items without stock, and the value of the stock. An item is low
 * by the same condition as in the list's filter.
 */
export async function readStockFigures(sql: Queryable): Promise<StockFigures> {
  const [row] = await sql<[StockFigures]>`
    select count(*)::int as total_inventory,
           (count(*) filter (where quantity <= reorder_point))::int as low_stock_items,
           (count(*) filter (where quantity = 0))::int as out_of_stock_items,
           coalesce(sum(quantity::numeric * selling_price_minor), 0)::float8 as stock_value_minor
    from items where deleted_at is null`
  return row
}

export interface StockDay {
  day: string
  items_added: number
  /**
   * The amount by which the day's movements changed the value of the stock, in minor units, at current selling prices.
   */
  value_change_minor: number
}

/** Returns the days since `since` that have new items or movements. `timeZone` decides when a day begins. */
export const readStockDays = (sql: Queryable, since: Date, timeZone: string): Promise<StockDay[]> =>
  sql<StockDay[]>`
    select day, sum(items_added)::float8 as items_added, sum(value_change)::float8 as value_change_minor
    from (
      select (created_at at time zone ${timeZone})::date as day, 1 as items_added, 0::numeric as value_change
      from items where deleted_at is null and created_at >= ${since}
      union all
      select (m.created_at at time zone ${timeZone})::date, 0, m.delta::numeric * coalesce(i.selling_price_minor, 0)
      from movements m join items i on i.id = m.item_id
      where m.created_at >= ${since} and m.delta <> 0 and i.deleted_at is null
    ) changes
    group by day`
