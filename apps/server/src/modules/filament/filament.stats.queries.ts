import type { Queryable } from '../../platform/database/database.ts'

export interface FilamentFigures {
  total_filaments: number
  filament_grams: number
}

/** Returns the number of spools that are not archived, and the sum of their remaining grams. */
export async function readFilamentFigures(sql: Queryable): Promise<FilamentFigures> {
  const [row] = await sql<[FilamentFigures]>`
    select count(*)::int as total_filaments, coalesce(sum(remaining_grams), 0)::float8 as filament_grams
    from spools where deleted_at is null and status <> 'archived'`
  return row
}

export interface FilamentBalance {
  material: string | null
  spools: number
  remaining_grams: number
  needed_grams: number
}

/**
 * Returns the remaining grams of each material in the spools that are not archived, and the grams that the print queue
 * still needs. Case is ignored. The material with the most remaining grams comes first.
 */
export const readFilamentBalance = (sql: Queryable): Promise<FilamentBalance[]> =>
  sql<FilamentBalance[]>`
    select mode() within group (order by material) as material, sum(spools)::int as spools, sum(remaining)::float8 as remaining_grams,
           sum(needed)::float8 as needed_grams
    from (
      select f.material, 1 as spools, s.remaining_grams as remaining, 0 as needed
      from spools s join filaments f on f.id = s.filament_id
      where s.deleted_at is null and s.status <> 'archived'
      union all
      select nullif(trim(material), ''), 0, 0, needed_grams from print_demand where needed_grams > 0
    ) sides
    group by lower(material)
    order by remaining_grams desc, material`
