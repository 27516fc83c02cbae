import type { FilamentForecast, FilamentStock } from '@pegasus/contracts/filament/stock'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Selects one row for each material and color, with the sums of its spools. Case is ignored. `is_low` defines low
 * filament everywhere: the remaining grams are at or below the highest limit of the filaments of that material and
 * color. A color without a limit is never low.
 */
const selectColors = (sql: Queryable) => sql`
  select totals.*, low_stock_grams is not null and remaining_grams <= low_stock_grams as is_low
  from (
    select lower(f.material) as of_material, lower(f.color) as of_color,
           mode() within group (order by f.material) as material, mode() within group (order by f.color) as color,
           '#' || max(f.color_hex) as color_hex,
           (count(*) filter (where s.archived_at is null and s.remaining_grams > 0))::int as spools,
           coalesce(round(sum(s.remaining_grams) filter (where s.archived_at is null), 2), 0)::float8
             as remaining_grams,
           max(f.low_stock_grams)::float8 as low_stock_grams,
           bool_or(s.archived_at is null) as has_spool
    from spools s
    join filaments f on f.id = s.filament_id
    where s.deleted_at is null
    group by 1, 2
  ) totals`

/**
 * Returns the remaining grams of each material and color over all spools. A color with only archived spools is
 * listed if it has a low-stock limit, because none of it is left.
 */
export const readStock = (sql: Queryable): Promise<FilamentStock[]> =>
  sql<FilamentStock[]>`
    select material, color, color_hex, spools, remaining_grams, low_stock_grams, is_low
    from (${selectColors(sql)}) colors
    where has_spool or low_stock_grams is not null
    order by is_low desc, of_material, of_color`

/** A material and color whose spools together have fallen to the low-stock limit. */
export interface LowFilamentCrossing {
  material: string
  color: string
  remaining_grams: number
  low_stock_grams: number
}

/**
 * Claims the materials and colors that have become low since the last run. Each is claimed once, and again only after a
 * refill. The statement compares the present sums with the list of materials and colors that were low before, so only
 * one process at a time may run it: the caller must hold a lock until the transaction ends.
 */
export const claimLowFilamentCrossings = (tx: Queryable, now: Date): Promise<LowFilamentCrossing[]> =>
  tx<LowFilamentCrossing[]>`
    with low as (select * from (${selectColors(tx)}) colors where is_low),
    refilled as (
      delete from low_filaments known
      where not exists (select from low where of_material = known.material and of_color = known.color)
    ),
    crossed as (
      insert into low_filaments (material, color, crossed_at)
      select of_material, of_color, ${now} from low
      on conflict do nothing
      returning material, color
    )
    select low.material, low.color, low.remaining_grams, low.low_stock_grams
    from crossed join low on low.of_material = crossed.material and low.of_color = crossed.color
    order by 1, 2`

/**
 * For each material and color, returns how far into the queue the filament lasts. A job without a color can
 * use any spool of its material.
 */
export const readForecast = (sql: Queryable): Promise<FilamentForecast[]> =>
  sql<FilamentForecast[]>`
    with wants as (
      select q.*, lower(q.material) as of_material, lower(q.color) as of_color,
             row_number() over line as nth, sum(q.needed_grams) over line as needed_until,
             row_number() over (order by not q.is_printing, q.priority, q.position, q.created_at, q.id) as place
      from queue_demand q
      where q.material is not null
      window line as (partition by lower(q.material), lower(q.color)
                      order by not q.is_printing, q.priority, q.position, q.created_at, q.id)
    ),
    colors as (
      select of_material, of_color, mode() within group (order by material) as material,
             mode() within group (order by color) as color, max(color_hex) as color_hex, count(*)::int as jobs,
             (count(*) filter (where lacks_estimate))::int as jobs_without_estimate,
             round(sum(needed_grams), 2)::float8 as needed_grams
      from wants group by of_material, of_color
    )
    select c.material, coalesce(c.color, '') as color, '#' || coalesce(have.color_hex, c.color_hex) as color_hex,
           c.of_color is null as is_any_color, have.remaining_grams::float8, c.needed_grams, c.jobs,
           c.jobs_without_estimate,
           case when short.id is not null then jsonb_build_object(
             'print_job_id', short.id, 'label_code', short.label_code, 'name', short.name,
             'due_at', to_char(short.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'nth', short.nth, 'short_grams', round(short.needed_until - have.remaining_grams, 2)) end as runs_out_at
    from colors c
    cross join lateral (
      select coalesce(round(sum(s.remaining_grams), 2), 0) as remaining_grams,
             case when c.of_color is not null then max(f.color_hex) end as color_hex
      from spools s join filaments f on f.id = s.filament_id
      where s.deleted_at is null and s.archived_at is null and lower(f.material) = c.of_material
        and (c.of_color is null or lower(f.color) = c.of_color)
    ) have
    left join lateral (
      select w.* from wants w
      where w.of_material = c.of_material and w.of_color is not distinct from c.of_color
        and w.needed_until > have.remaining_grams and w.needed_grams > 0
      order by w.nth limit 1
    ) short on true
    order by short.place nulls last, lower(c.material), lower(c.color)`
