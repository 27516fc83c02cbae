import type { ProductionGroup, ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import type { ReportPeriod } from '../../../platform/calendar.ts'
import type { Queryable } from '../../../platform/database/database.ts'

const MAX_ROWS = 1000

export interface ReportFilter {
  itemId?: string | undefined
  orderId?: string | undefined
}

/** Selects the key and label by which rows are grouped. */
function groupOf(sql: Queryable, by: ProductionGroup, timeZone: string) {
  switch (by) {
    case 'item':
      return sql`coalesce(j.item_id, j.stl_file_id)::text as key, coalesce(i.name, m.title, '') as label`
    case 'order':
      return sql`j.order_id::text as key, coalesce(o.order_number, '') as label`
    case 'month':
      return sql`to_char(p.finished_at at time zone ${timeZone}, 'YYYY-MM') as key,
                 to_char(p.finished_at at time zone ${timeZone}, 'FMMonth YYYY') as label`
  }
}

/**
 * Sums up the plates that ended in a period. The planned weight and time of a plate come from its sliced
 * file, otherwise from its share of the job's estimate. Months are sorted latest first, items and orders by
 * the number of plates.
 */
export const readProduction = (
  sql: Queryable,
  by: ProductionGroup,
  { from, to, timeZone }: ReportPeriod,
  { itemId, orderId }: ReportFilter,
): Promise<ProductionRow[]> =>
  sql<ProductionRow[]>`
    with ended as (
      select ${groupOf(sql, by, timeZone)}, p.good_quantity as good,
             case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end as bad,
             p.used_grams, coalesce(f.grams, j.estimated_grams * p.pieces / j.quantity) as planned_grams,
             p.print_minutes, coalesce(f.minutes, j.estimated_minutes::numeric * p.pieces / j.quantity) as planned_minutes
      from job_plates p
      join print_jobs j on j.id = p.print_job_id and j.deleted_at is null
      left join printable_slices f on f.id = p.slice_id
      left join stock_items i on i.id = j.item_id
      left join library_models m on m.id = j.stl_file_id
      left join placed_orders o on o.id = j.order_id
      where p.state in ('done', 'failed')
        and p.finished_at >= (${from}::date::timestamp at time zone ${timeZone})
        and p.finished_at < ((${to}::date + 1)::timestamp at time zone ${timeZone})
        and (${itemId ?? null}::uuid is null or j.item_id = ${itemId ?? null}::uuid)
        and (${orderId ?? null}::uuid is null or j.order_id = ${orderId ?? null}::uuid)
    )
    select key, min(label) as label, count(*)::int as plates, sum(good)::int as good, sum(bad)::int as bad,
           round(sum(good)::numeric / nullif(sum(good) + sum(bad), 0), 4)::float8 as yield,
           round(sum(planned_grams) filter (where used_grams is not null), 1)::float8 as planned_grams,
           round(sum(used_grams) filter (where planned_grams is not null), 1)::float8 as used_grams,
           round(sum(planned_minutes) filter (where print_minutes is not null))::int as planned_minutes,
           (sum(print_minutes) filter (where planned_minutes is not null))::int as print_minutes
    from ended where key is not null
    group by key
    order by ${by === 'month' ? sql`key desc` : sql`count(*) desc, min(label), key`} limit ${sql.literal(MAX_ROWS)}`
