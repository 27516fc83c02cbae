import type { ProductionGroup, ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import type { ReportPeriod } from '../../../platform/calendar.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Query } from '../../../platform/database/sql.ts'
import { plannedMinor } from '../jobs/planned-costs.queries.ts'
import { hasBegun, printOfFile, shareOfFile } from '../plates/plates.queries.ts'

/** A part of a statement. */
type Sql = Query<unknown>

const MAX_ROWS = 1000

export interface ReportFilter {
  itemId?: string | undefined
  orderId?: string | undefined
}

/**
 * Selects the key and the label by which the rows are grouped. The month of a row is that of `finishedAt` in the time
 * zone.
 */
function groupOf(sql: Queryable, by: ProductionGroup, timeZone: string, finishedAt: Sql) {
  switch (by) {
    case 'item':
      return sql`coalesce(j.item_id, j.stl_file_id)::text as key, coalesce(i.name, m.title, '') as label`
    case 'order':
      return sql`j.order_id::text as key, coalesce(o.order_number, '') as label`
    case 'month':
      return sql`to_char(${finishedAt} at time zone ${timeZone}, 'YYYY-MM') as key,
                 to_char(${finishedAt} at time zone ${timeZone}, 'FMMonth YYYY') as label`
  }
}

/** A row of the report, with costs in minor units of the currency. */
export type ProductionFigures = Omit<
  ProductionRow,
  'cost' | 'planned_cost' | 'compared_cost' | 'failure_cost'
> & {
  cost_minor: number | null
  planned_minor: number | null
  compared_minor: number | null
  failure_minor: number | null
}

/**
 * SQL for the part of the cost of job `j` that belongs to earlier attempts with their own cost, in minor units. Only a
 * job without its own cost includes it.
 */
const costOfAttempts = (sql: Queryable) => sql`
  coalesce(case when j.own_cost_minor is null and j.previous_job_id is not null then (
    with recursive attempts as (
      select p.previous_job_id, p.own_cost_minor from print_jobs p
      where p.id = j.previous_job_id and p.status in ('failed', 'cancelled') and p.good_quantity = 0
      union all
      select p.previous_job_id, p.own_cost_minor from attempts a join print_jobs p on p.id = a.previous_job_id
      where p.status in ('failed', 'cancelled') and p.good_quantity = 0
    )
    select sum(own_cost_minor) from attempts
  ) end, 0)`

/**
 * SQL condition that the job `j` printed no good piece, that its own cost was not saved, and that no later attempt
 * includes its cost.
 */
const hasUnknownCost = (sql: Queryable) => sql`
  (j.own_cost_minor is null and j.cost_minor is null and j.status in ('failed', 'cancelled') and j.good_quantity = 0
    and exists (select from job_plates p where p.print_job_id = j.id and (p.state in ('done', 'failed')
                or p.used_grams is not null or p.print_minutes is not null) and ${hasBegun(sql)})
    and not exists (
      with recursive later as (
        select n.id, n.cost_minor, n.good_quantity from print_jobs n where n.previous_job_id = j.id
        union all
        select n.id, n.cost_minor, n.good_quantity from later l join print_jobs n on n.previous_job_id = l.id
        where l.good_quantity = 0
      )
      select from later where cost_minor is not null))`

/**
 * Sums up the plates of the jobs that ended in a period, and these jobs' own costs. Months are sorted latest first.
 * Items and orders are sorted by their number of plates.
 *
 * A failed attempt counts once, in the month in which it failed. A plate whose print never began does not count. Jobs
 * in the trash count, because they were printed.
 */
export function readProduction(
  sql: Queryable,
  by: ProductionGroup,
  { from, to, timeZone }: ReportPeriod,
  { itemId, orderId }: ReportFilter,
): Promise<ProductionFigures[]> {
  const names = sql`
      left join stock_items i on i.id = j.item_id
      left join library_models m on m.id = j.stl_file_id
      left join placed_orders o on o.id = j.order_id`
  const isAsked = (finishedAt: Sql) => sql`
        ${finishedAt} >= (${from}::date::timestamp at time zone ${timeZone})
        and ${finishedAt} < ((${to}::date + 1)::timestamp at time zone ${timeZone})
        and (${itemId ?? null}::uuid is null or j.item_id = ${itemId ?? null}::uuid)
        and (${orderId ?? null}::uuid is null or j.order_id = ${orderId ?? null}::uuid)`
  return sql<ProductionFigures[]>`
    with ended as (
      -- The planned weight and time come from the sliced file, otherwise from the share of the job's estimate.
      select ${groupOf(sql, by, timeZone, sql`p.finished_at`)}, p.good_quantity as good,
             case when p.state = 'failed' then greatest(p.pieces, p.rejected_quantity) else p.rejected_quantity end as bad,
             p.used_grams, coalesce(${printOfFile(sql, sql`p`, sql`f`, 'grams')} * ${shareOfFile(sql, sql`p`, sql`f`)}, j.estimated_grams * p.pieces / j.quantity) as planned_grams,
             p.print_minutes, coalesce(${printOfFile(sql, sql`p`, sql`f`, 'minutes')} * ${shareOfFile(sql, sql`p`, sql`f`)}, j.estimated_minutes::numeric * p.pieces / j.quantity) as planned_minutes
      from job_plates p
      join print_jobs j on j.id = p.print_job_id
      left join printable_slices f on f.id = p.slice_id
      ${names}
      where p.state in ('done', 'failed') and ${hasBegun(sql)} and ${isAsked(sql`p.finished_at`)}
    ), plates as (
      select key, min(label) as label, count(*)::int as plates, sum(good)::int as good, sum(bad)::int as bad,
             round(sum(good)::numeric / nullif(sum(good) + sum(bad), 0), 4)::float8 as yield,
             round(sum(planned_grams) filter (where used_grams is not null), 1)::float8 as planned_grams,
             round(sum(used_grams) filter (where planned_grams is not null), 1)::float8 as used_grams,
             round(sum(planned_minutes) filter (where print_minutes is not null))::int as planned_minutes,
             (sum(print_minutes) filter (where planned_minutes is not null))::int as print_minutes
      from ended where key is not null group by key
    ), costed as (
      -- Earlier versions included earlier attempts in the cost of a job, so the own costs of these are subtracted.
      -- A failed job from that time whose cost is in no other job has an unknown cost.
      select ${groupOf(sql, by, timeZone, sql`e.ended_at`)}, c.cost_minor,
             case when j.cost_minor is not null then ${plannedMinor(sql)} when j.planned_pieces is not null then 0 end as planned_minor,
             case when j.good_quantity = 0 then c.cost_minor end as failure_minor,
             coalesce((j.cost_snapshot ->> 'is_measured')::boolean, false) as is_measured
      from print_jobs j
      cross join lateral (
        select coalesce(j.own_cost_minor, case when j.cost_minor is not null
                        then greatest(0, j.cost_minor - ${costOfAttempts(sql)}) end) as cost_minor) c
      cross join lateral (select coalesce(j.finished_at, j.deleted_at) as ended_at) e
      ${names}
      where (j.status in ('completed', 'failed', 'cancelled') and ${isAsked(sql`j.finished_at`)}
          or j.status in ('pending', 'on_hold') and j.own_cost_minor is not null and ${isAsked(sql`j.deleted_at`)})
        and (c.cost_minor is not null or ${hasUnknownCost(sql)})
    ), costs as (
      select key, min(label) as label, count(cost_minor)::int as jobs, sum(cost_minor)::bigint as cost_minor,
             (count(*) - count(cost_minor))::int as unknown_jobs, count(failure_minor)::int as failed_jobs, sum(failure_minor)::bigint as failure_minor,
             count(planned_minor) filter (where cost_minor is not null)::int as compared_jobs,
             (sum(planned_minor) filter (where cost_minor is not null))::bigint as planned_minor,
             (sum(cost_minor) filter (where planned_minor is not null))::bigint as compared_minor,
             bool_and(is_measured) filter (where cost_minor is not null) as cost_is_measured
      from costed where key is not null group by key
    )
    select key, coalesce(p.label, c.label) as label, coalesce(p.plates, 0) as plates, coalesce(p.good, 0) as good,
           coalesce(p.bad, 0) as bad, p.yield, p.planned_grams, p.used_grams, p.planned_minutes, p.print_minutes,
           coalesce(c.jobs, 0) as jobs, c.cost_minor, coalesce(c.compared_jobs, 0) as compared_jobs, c.planned_minor,
           c.compared_minor, c.cost_is_measured, coalesce(c.failed_jobs, 0) as failed_jobs, c.failure_minor,
           coalesce(c.unknown_jobs, 0) as unknown_cost_jobs
    from plates p full join costs c using (key)
    order by ${by === 'month' ? sql`key desc` : sql`coalesce(p.plates, 0) desc, label, key`} limit ${sql.literal(MAX_ROWS)}`
}
