import type { LocationKind } from '@pegasus/contracts/inventory/locations'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

/** The columns of a location that the tree needs. */
export type Branch = Row<'locations', 'id' | 'path'>

export interface LocationRow
  extends Branch,
    Row<
      'locations',
      | 'label_code'
      | 'parent_id'
      | 'kind'
      | 'name'
      | 'notes'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    > {
  item_count: number
  spool_count: number
  printer_count: number
}

/** Selects locations `l` with the number of objects that are directly in them. */
export const selectLocation = (sql: Queryable, more?: Fragment) => sql`
  select l.id, l.label_code, l.parent_id, l.kind, l.name, l.path, l.notes, l.revision, l.created_at, l.updated_at,
         l.deleted_at,
         (select count(*)::int from items i where i.location_id = l.id and i.deleted_at is null) as item_count,
         (select count(*)::int from placed_spools s where s.location_id = l.id and s.deleted_at is null) as spool_count,
         (select count(*)::int from placed_printers p where p.location_id = l.id and p.deleted_at is null)
           as printer_count
         ${more ? sql`, ${more}` : sql``}
  from locations l`

export const findLocation = (sql: Queryable, id: string) =>
  firstRow(sql<LocationRow[]>`${selectLocation(sql)} where l.id = ${id} and l.deleted_at is null`)

/** Finds a live location by its name, and locks it against renaming and deletion until the transaction ends. */
export const findBranch = (
  tx: Queryable,
  asked: { parentId: string | null; kind: LocationKind; name: string },
) =>
  firstRow(tx<Branch[]>`
    select id, path from locations
    where parent_id is not distinct from ${asked.parentId}::uuid and kind = ${asked.kind}
      and lower(name) = lower(${asked.name}) and deleted_at is null
    for share`)

/** Locks a live location by its id against renaming and deletion until the transaction ends. */
export async function holdLocation(
  tx: Queryable,
  id: string,
): Promise<(Branch & { kind: LocationKind }) | null> {
  return firstRow(tx<(Branch & { kind: LocationKind })[]>`
    select id, path, kind from locations where id = ${id} and deleted_at is null for share`)
}

/** Inserts a location. Returns false if a location with the same name exists in the same parent. */
export async function insertLocation(
  tx: Queryable,
  location: Branch & {
    parentId: string | null
    kind: LocationKind
    name: string
    notes: string | null
    now: Date
  },
): Promise<boolean> {
  const { id, parentId, kind, name, path, notes, now } = location
  const rows = await tx`
    insert into locations (id, parent_id, kind, name, path, notes, created_at, updated_at)
    values (${id}, ${parentId}, ${kind}, ${name}, ${path}, ${notes}, ${now}, ${now})
    on conflict do nothing returning id`
  return rows.length > 0
}
