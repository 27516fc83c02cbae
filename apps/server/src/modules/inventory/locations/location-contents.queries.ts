import type { LocationContents } from '@pegasus/contracts/inventory/locations'
import type { Queryable } from '../../../platform/database/database.ts'
import { type LocationRow, selectLocation } from './locations.queries.ts'

const MAX_OF_EACH = 1000

export interface Contents extends Omit<LocationContents, 'locations'> {
  locations: LocationRow[]
}

/**
 * Reads the contents of a location and of all locations below it. Spools and printers come from views of other modules.
 */
export async function readContents(sql: Queryable, id: string): Promise<Contents> {
  const withDescendants = sql`
    with recursive held as (
      select id, path, kind from locations where id = ${id}
      union all
      select l.id, l.path, l.kind from locations l join held on l.parent_id = held.id where l.deleted_at is null
    )`
  const [locations, items, spools, printers] = await Promise.all([
    sql<LocationRow[]>`
      ${withDescendants} ${selectLocation(sql)} join held on held.id = l.id
      where l.id <> ${id} order by lower(l.path), l.id limit ${MAX_OF_EACH}`,
    sql<LocationContents['items'][number][]>`
      ${withDescendants} select i.id, i.label_code, i.name, i.sku, i.quantity, i.reserved_quantity, i.reorder_point,
                     i.location_id, held.path as location_path
      from held join items i on i.location_id = held.id
      where i.deleted_at is null order by lower(held.path), lower(i.name), i.id limit ${MAX_OF_EACH}`,
    sql<LocationContents['spools'][number][]>`
      ${withDescendants} select s.id, s.label_code, s.name, s.location_id, held.path as location_path
      from held join placed_spools s on s.location_id = held.id
      where s.deleted_at is null order by lower(held.path), lower(s.name), s.id limit ${MAX_OF_EACH}`,
    sql<LocationContents['printers'][number][]>`
      ${withDescendants} select p.id, p.name, p.location_id, held.path as location_path
      from held join placed_printers p on p.location_id = held.id
      where p.deleted_at is null order by lower(held.path), lower(p.name), p.id limit ${MAX_OF_EACH}`,
  ])
  return { locations, items, spools, printers }
}
