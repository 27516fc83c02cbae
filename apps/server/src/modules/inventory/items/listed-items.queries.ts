import { currencyDecimals } from '@pegasus/contracts/money'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, wireTime } from '../../../platform/database/search-patterns.ts'

/**
 * Selects the rows of `jsonRows`: what a list says of items, with prices in units of the currency. `from` gives the items as `i`
 * with the columns `place` and `sort_key`. The addresses of pictures are to be signed (`signPaths`).
 */
export function selectListedItems(
  sql: Queryable,
  { from, currency }: { from: Fragment; currency: string },
): Fragment {
  const price = (minor: Fragment) => sql`${minor} / ${sql.literal(10 ** currencyDecimals(currency))}::float8`
  return sql`
    select i.id, place, sort_key, item
    from ${from}
    left join library_models m on m.id = i.stl_file_id
    left join locations l on l.id = i.location_id
    left join locations p on p.id = l.parent_id
    cross join lateral (
      select i.id, i.label_code, i.name, i.sku, i.stl_file_id, m.title as stl_file_title, i.quantity,
             i.reserved_quantity, i.quantity - i.reserved_quantity as available_quantity, i.reorder_point, i.max_stock, i.safety_stock,
             case when l.kind = 'bin' then p.path else l.path end as location,
             case when l.kind = 'bin' then l.name end as bin_location, i.location_id, i.status, i.material_used,
             i.color, '#' || i.color_hex as color_hex, i.print_settings, i.print_time_minutes, i.weight_grams::float8,
             i.pieces_per_print, ${price(sql`i.material_cost_minor`)} as material_cost,
             ${price(sql`i.labor_cost_minor`)} as labor_cost, ${price(sql`i.selling_price_minor`)} as selling_price,
             i.notes, ${wireTime(sql, sql`i.created_at`)} as created_at,
             ${wireTime(sql, sql`i.updated_at`)} as updated_at, ${wireTime(sql, sql`i.deleted_at`)} as deleted_at,
             i.revision,
             case when m.has_picture then '~/api/stl-files/' || i.stl_file_id || '/thumbnail~' end as stl_thumbnail_path,
             '~/api/inventory/' || i.id || '/label~' as qr_code_path
    ) item
    order by place`
}
