import type { Queryable } from '../../../../platform/database/database.ts'
import { likePattern } from '../spoolman-lists.ts'
import {
  type FilamentRow,
  type SpoolmanSpoolRow,
  type VendorRow,
  filamentJson,
  selectSpool,
  vendorJson,
} from '../spoolman.queries.ts'

/** Maximum number of objects of each kind that are ranked. If more match, the newest are ranked. */
const MAX_CANDIDATES = 200

const patternsOf = (words: readonly string[]): string[] => words.map(likePattern)

/** Returns spools whose texts, joined, contain all words. The caller decides which fields count. */
export const findSpoolCandidates = (
  sql: Queryable,
  words: readonly string[],
  allowArchived: boolean,
): Promise<SpoolmanSpoolRow[]> =>
  sql<SpoolmanSpoolRow[]>`
    ${selectSpool(sql)}
    where s.deleted_at is null ${allowArchived ? sql`` : sql`and s.archived_at is null`}
      and lower(concat_ws(chr(10), s.notes, l.path, s.lot_number, s.extra::text)) like all (${patternsOf(words)}::text[])
    order by s.number desc limit ${MAX_CANDIDATES}`

/** Returns filaments whose texts, joined with the name of their vendor, contain all words. */
export async function findFilamentCandidates(
  sql: Queryable,
  words: readonly string[],
): Promise<FilamentRow[]> {
  const rows = await sql<{ row: FilamentRow }[]>`
    select ${filamentJson(sql)} as row from filaments f left join vendors v on v.id = f.vendor_id
    where f.deleted_at is null
      and lower(concat_ws(chr(10), concat_ws(' ', f.name, f.color), f.material, f.article_number, f.comment, v.name,
                          f.extra::text)) like all (${patternsOf(words)}::text[])
    order by f.number desc limit ${MAX_CANDIDATES}`
  return rows.map(({ row }) => row)
}

export async function findVendorCandidates(sql: Queryable, words: readonly string[]): Promise<VendorRow[]> {
  const rows = await sql<{ row: VendorRow }[]>`
    select ${vendorJson(sql)} as row from vendors v
    where v.deleted_at is null
      and lower(concat_ws(chr(10), v.name, v.comment, v.extra::text)) like all (${patternsOf(words)}::text[])
    order by v.number desc limit ${MAX_CANDIDATES}`
  return rows.map(({ row }) => row)
}

/** A spool of a found filament. */
export interface FilamentSpoolRow {
  filament_id: number
  id: number
  remaining_weight: number
  location: string | null
  archived: boolean
}

/** Returns all spools of these filaments, by number. */
export const listSpoolsOfFilaments = (
  sql: Queryable,
  filamentNumbers: readonly number[],
  allowArchived: boolean,
): Promise<FilamentSpoolRow[]> =>
  sql<FilamentSpoolRow[]>`
    select f.number as filament_id, s.number as id, round(s.remaining_grams, 4)::float8 as remaining_weight,
           l.path as location, s.archived_at is not null as archived
    from spools s join filaments f on f.id = s.filament_id left join locations l on l.id = s.location_id
    where f.number = any (${[...filamentNumbers]}::bigint[]) and s.deleted_at is null
      ${allowArchived ? sql`` : sql`and s.archived_at is null`}
    order by s.number`
