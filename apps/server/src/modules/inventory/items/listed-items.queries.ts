import { currencyDecimals } from '@pegasus/contracts/money'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, wireTime } from '../../../platform/database/search-patterns.ts'
import { plainColumns } from './items.queries.ts'

/** The columns of an item `i` that `stampItems` needs. */
export const stampedColumns = (sql: Queryable): Fragment =>
  sql`i.id, i.xmin as row_version, i.location_id, i.stl_file_id`

/**
 * Selects the rows that `foundRows` reads, each with a stamp. `from` is an SQL FROM item with the items as `i` and the
 * columns `sort_key` and `stampedColumns`. A stamp changes whenever a value changes that `readListedItems` shows for
 * the item. Renaming a location also changes it for all locations below, because it rewrites their paths.
 */
export const stampItems = (sql: Queryable, from: Fragment): Fragment => sql`
  select i.id, sort_key,
         concat(i.id, ' ', i.row_version, ' ', l.xmin, ' ', m.has_picture, ' ', to_json(m.title)) as stamp
  from ${from}
  left join library_models m on m.id = i.stl_file_id
  left join locations l on l.id = i.location_id`

/**
 * Returns the list rows of these items, as a JSON array in the order of `ids`, with prices in units of the
 * currency. The caller has to sign the addresses of pictures with `signPaths`.
 */
export async function readListedItems(
  sql: Queryable,
  ids: readonly string[],
  currency: string,
): Promise<string> {
  const price = (minor: Fragment) => sql`${minor} / ${sql.literal(10 ** currencyDecimals(currency))}::float8`
  const [row] = await sql<[{ json: string }]>`
    select coalesce(json_agg(item order by place)::text, '[]') as json
    from unnest(${ids}::uuid[]) with ordinality page (id, place)
    join items i on i.id = page.id
    left join library_models m on m.id = i.stl_file_id
    left join locations l on l.id = i.location_id
    left join locations p on p.id = l.parent_id
    cross join lateral (
      select ${plainColumns(sql)}, i.quantity - i.reserved_quantity as available_quantity,
             '#' || i.color_hex as color_hex, ${price(sql`i.material_cost_minor`)} as material_cost,
             ${price(sql`i.labor_cost_minor`)} as labor_cost, ${price(sql`i.selling_price_minor`)} as selling_price,
             ${wireTime(sql, sql`i.created_at`)} as created_at,
             ${wireTime(sql, sql`i.updated_at`)} as updated_at, ${wireTime(sql, sql`i.deleted_at`)} as deleted_at,
             case when m.has_picture then '~/api/stl-files/' || i.stl_file_id || '/thumbnail~' end as stl_thumbnail_path,
             '~/api/inventory/' || i.id || '/label~' as qr_code_path
    ) item`
  return row.json
}
