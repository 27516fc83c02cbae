import { PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { matchesEveryWord } from '../../../platform/database/search-patterns.ts'
import { countUpToCap } from '../../../platform/database/list-queries.ts'
import { type LocationRow, selectLocation } from './locations.queries.ts'

/** A filter for locations. The names are those of the query parameters. */
export interface LocationFilter {
  search?: string | undefined
  parent_id?: string | undefined
  /** If given, finds the locations that were deleted after this time, instead of live locations. */
  deleted?: { after: Date } | undefined
}

/** A position in the list, which is sorted by path: the next page starts after this location. */
export type LocationCursor = Row<'locations', 'path' | 'id'>

const matching = (sql: Queryable, filter: LocationFilter) => sql`
  ${filter.deleted ? sql`l.deleted_at > ${filter.deleted.after}` : sql`l.deleted_at is null`}
  ${filter.parent_id === undefined ? sql`` : sql`and l.parent_id = ${filter.parent_id}`}
  ${matchesEveryWord(sql, filter.search, (pattern) => sql`(lower(l.path) like ${pattern} or lower(l.label_code) like ${pattern})`)}`

/** Lists a page of locations. Returns one more row if there is a next page. */
export const listLocations = (
  sql: Queryable,
  filter: LocationFilter,
  { cursor, limit }: { cursor: LocationCursor | null; limit: number },
): Promise<(LocationRow & { sort_key: string })[]> =>
  sql<(LocationRow & { sort_key: string })[]>`
    ${selectLocation(sql, sql`lower(l.path) as sort_key`)}
    where ${matching(sql, filter)}
      ${cursor ? sql`and (lower(l.path), l.id) > (${cursor.path}::text, ${cursor.id}::uuid)` : sql``}
    order by lower(l.path), l.id
    limit ${sql.literal(limit + 1)}`

export const countLocations = (sql: Queryable, filter: LocationFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from locations l where ${matching(sql, filter)}`)

/** Locks the tree of locations until the transaction ends, so that changes of the tree run one at a time. */
export async function lockTree(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('locations', 0))`
}

/** Locks a location, live or in the trash, until the transaction ends, and returns it. */
export async function lockLocation(tx: Queryable, id: string): Promise<LocationRow | null> {
  await tx`select 1 from locations where id = ${id} for update`
  return firstRow(tx<LocationRow[]>`${selectLocation(tx)} where l.id = ${id}`)
}

export interface LocationNode extends Row<'locations', 'id' | 'kind' | 'path'> {
  /** Ids of the location itself and of all locations above it. */
  ancestor_ids: string[]
}

/** Finds a live location with all locations above it, up to the root. */
export const findLocationNode = (tx: Queryable, id: string) =>
  firstRow(tx<LocationNode[]>`
    with recursive up as (
      select id, parent_id, 1 as step from locations where id = ${id} and deleted_at is null
      union all select l.id, l.parent_id, up.step + 1 from locations l join up on l.id = up.parent_id
    )
    select l.id, l.kind, l.path, array(select id from up order by step) as ancestor_ids
    from locations l where l.id = ${id} and l.deleted_at is null`)

/**
 * Returns the number of levels of a location, including all locations below it. It is 1 for a location without
 * locations in it.
 */
export async function countLevels(tx: Queryable, id: string): Promise<number> {
  const [row] = await tx<[{ levels: number }]>`
    with recursive down as (
      select id, 1 as level from locations where id = ${id}
      union all select l.id, down.level + 1 from locations l join down on l.parent_id = down.id
      where l.deleted_at is null
    ) select max(level)::int as levels from down`
  return row.levels
}

export async function countChildren(tx: Queryable, id: string): Promise<number> {
  const [row] = await tx<[{ children: number }]>`
    select count(*)::int as children from locations where parent_id = ${id} and deleted_at is null`
  return row.children
}

/** Writes an edited location and updates the paths of all locations below it. */
export async function writeLocation(
  tx: Queryable,
  location: { id: string; name: string; parentId: string | null; path: string; notes: string | null },
  now: Date,
): Promise<void> {
  const { id, name, parentId, path, notes } = location
  await tx`
    update locations set name = ${name}, parent_id = ${parentId}, path = ${path}, notes = ${notes},
                         revision = revision + 1, updated_at = ${now}
    where id = ${id}`
  await tx`
    with recursive tree as (
      select id, path from locations where id = ${id}
      union all
      select l.id, tree.path || ${PATH_SEPARATOR}::text || l.name from locations l join tree on l.parent_id = tree.id
    )
    update locations l set path = tree.path, revision = l.revision + 1, updated_at = ${now}
    from tree where l.id = tree.id and l.path <> tree.path`
}

export async function setLocationDeleted(
  tx: Queryable,
  id: string,
  { deletedAt, path, now }: { deletedAt: Date | null; path: string; now: Date },
): Promise<void> {
  await tx`
    update locations set deleted_at = ${deletedAt}, path = ${path}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`
}
