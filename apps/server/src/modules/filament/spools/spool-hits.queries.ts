import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'

export interface SpoolHit {
  id: string
  label_code: string
  /** Material, brand, name and color, joined. */
  name: string
}

/** Finds spools in use for the search over all modules. The spool that was used last comes first. */
export const findSpoolHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<SpoolHit[]> =>
  sql<SpoolHit[]>`
    select s.id, s.label_code, concat_ws(' ', v.name, nullif(f.name, f.material), f.material, f.color) as name
    from spools s join filaments f on f.id = s.filament_id left join vendors v on v.id = f.vendor_id
    where s.deleted_at is null and s.archived_at is null
      ${matchesWords(
        sql,
        words,
        (pattern) =>
          sql`lower(concat_ws(' ', f.material, v.name, f.name, f.color, s.lot_number, s.label_code)) like ${pattern}`,
      )}
    order by s.last_used_at desc nulls last, s.created_at desc, s.id desc limit ${sql.literal(limit)}`
