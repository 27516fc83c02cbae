import type { Queryable } from '../../../platform/database/database.ts'

/** The weight, time, pieces and plates of one print of a sliced file. */
export interface SlicePlan {
  grams: number
  minutes: number
  pieces: number
  /** Number of plates that one print needs. */
  plates: number
}

/**
 * Returns the sliced files that contain their weight and time, as a map. A chosen file is stored under its own id, and
 * the newest file of a version under the id of the version.
 */
export async function readPlannedSlices(
  sql: Queryable,
  { versionIds, sliceIds }: { versionIds: readonly string[]; sliceIds: readonly string[] },
): Promise<Map<string, SlicePlan>> {
  if (versionIds.length + sliceIds.length === 0) return new Map()
  const rows = await sql<(SlicePlan & { key: string })[]>`
    select f.id as key, f.grams::float8, f.minutes, f.pieces, f.plates_per_print as plates from printable_slices f
    where f.id = any(${[...sliceIds]}::uuid[]) and f.grams is not null and f.minutes is not null
    union all
    select v.id, f.grams::float8, f.minutes, f.pieces, f.plates_per_print
    from unnest(${[...new Set(versionIds)]}::uuid[]) as v (id) cross join lateral newest_sliced_print(v.id) f`
  return new Map(rows.map(({ key, ...slice }) => [key, slice]))
}

/** The weight and print time of one piece of an item. Null if unknown. */
export interface PieceEstimate {
  grams: number | null
  minutes: number | null
}

/** Returns the weight and the print time of one piece as a map by item id. */
export async function readPieceEstimates(
  sql: Queryable,
  itemIds: readonly string[],
): Promise<Map<string, PieceEstimate>> {
  if (itemIds.length === 0) return new Map()
  const rows = await sql<(PieceEstimate & { id: string })[]>`
    select p.id, i.weight_grams::float8 as grams, p.print_time_minutes::float8 / p.pieces_per_print as minutes
    from printed_items p join stock_items i on i.id = p.id
    where p.id = any(${[...itemIds]}::uuid[])`
  return new Map(rows.map(({ id, ...piece }) => [id, piece]))
}

/**
 * Returns the purchase price per kilogram of each spool, in minor units, as a map by spool id. Spools without a price
 * are left out.
 */
export async function readSpoolPrices(sql: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; minor: number }[]>`
    select id, round(minor_per_kg)::float8 as minor from spool_prices
    where id = any(${[...ids]}::uuid[]) and minor_per_kg is not null`
  return new Map(rows.map(({ id, minor }) => [id, minor]))
}

/**
 * SQL for the planned cost of the job `j` in minor units, or null if it is unknown. It is for all pieces of the job, or
 * only for its good pieces once the actual cost is known. Jobs that were completed before planned costs were stored use
 * the planned cost in their cost snapshot.
 */
export const plannedMinor = (sql: Queryable) => sql`
  coalesce(round(j.planned_cost_minor::numeric * case when j.status = 'completed' or j.cost_minor is not null then j.good_quantity else j.quantity end
                 / j.planned_pieces), (j.cost_snapshot ->> 'planned_minor')::numeric)::bigint`
