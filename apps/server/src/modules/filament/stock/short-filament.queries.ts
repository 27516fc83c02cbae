import type { Queryable } from '../../../platform/database/database.ts'

/** A material and color that is short: the unfinished print jobs need more of it than all spools contain. */
export interface ShortFilament {
  material: string
  /** Empty if the jobs accept any color. */
  color: string
  remaining_grams: number
  needed_grams: number
}

/**
 * Claims the materials and colors that have become short since the last run. Each is claimed once, and again only after
 * there was enough of it. As with `claimLowFilamentCrossings`, only one process at a time may run this.
 */
export const claimShortFilaments = (tx: Queryable, now: Date): Promise<ShortFilament[]> =>
  tx<ShortFilament[]>`
    with needed as (
      select lower(trim(material)) as of_material, lower(trim(coalesce(color, ''))) as of_color,
             mode() within group (order by trim(material)) as material,
             mode() within group (order by trim(coalesce(color, ''))) as color, sum(needed_grams) as grams
      from print_demand
      where needed_grams > 0 and trim(material) <> ''
      group by 1, 2
    ),
    stock as (
      select lower(trim(f.material)) as of_material, lower(trim(f.color)) as of_color, sum(s.remaining_grams) as grams
      from spools s join filaments f on f.id = s.filament_id
      where s.deleted_at is null and s.archived_at is null
      group by 1, 2
    ),
    short as (
      select n.of_material, n.of_color, n.material, n.color, n.grams as needed, coalesce(sum(s.grams), 0) as remaining
      from needed n
      left join stock s on s.of_material = n.of_material and n.of_color in ('', s.of_color)
      group by 1, 2, 3, 4, 5
      -- Without a spool of the material, nobody keeps account of it.
      having n.grams > coalesce(sum(s.grams), 0) and exists (select from stock where of_material = n.of_material)
    ),
    refilled as (
      delete from short_filaments known
      where not exists (select from short where of_material = known.material and of_color = known.color)
    ),
    crossed as (
      insert into short_filaments (material, color, crossed_at)
      select of_material, of_color, ${now} from short
      on conflict do nothing
      returning material, color
    )
    select short.material, short.color, round(short.remaining, 2)::float8 as remaining_grams,
           round(short.needed, 2)::float8 as needed_grams
    from crossed join short on short.of_material = crossed.material and short.of_color = crossed.color
    order by 1, 2`
