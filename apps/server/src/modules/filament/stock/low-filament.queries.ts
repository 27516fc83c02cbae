import type { Queryable } from '../../../platform/database/database.ts'

/** A material and color whose spools together have fallen to the low-stock limit. */
export interface LowFilamentCrossing {
  material: string
  color: string
  remaining_grams: number
  low_stock_grams: number
}

/**
 * Claims the materials and colors that have become low since the last run. Each is claimed once, and again
 * only after a refill. The statement compares the present sums with the list of materials and colors that
 * were low before, so only one process at a time may run it. The caller must take a lock before the statement
 * and hold it until the transaction ends.
 */
export const claimLowFilamentCrossings = (tx: Queryable, now: Date): Promise<LowFilamentCrossing[]> =>
  tx<LowFilamentCrossing[]>`
    with low as (
      select lower(f.material) as of_material, lower(f.color) as of_color,
             mode() within group (order by f.material) as material, mode() within group (order by f.color) as color,
             coalesce(round(sum(s.remaining_grams) filter (where s.archived_at is null), 2), 0)::float8
               as remaining_grams,
             max(f.low_stock_grams)::float8 as low_stock_grams
      from spools s
      join filaments f on f.id = s.filament_id
      where s.deleted_at is null
      group by 1, 2
      having coalesce(sum(s.remaining_grams) filter (where s.archived_at is null), 0) <= max(f.low_stock_grams)
    ),
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
