import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export interface DoomedModel extends Row<'stl_files', 'id' | 'title'> {
  deleted_at: string
}

/**
 * Returns the SQL condition that no other module refers to a model `f`. A model with references is kept, even if the
 * referring row is in the trash, because this row would lose its origin.
 */
const unused = (sql: Queryable) => sql`
  not exists (select from stock_items i where i.stl_file_id = f.id)
  and not exists (select from queue_jobs j where j.stl_file_id = f.id)
  and not exists (select from queue_jobs j join stl_versions v on v.id = j.stl_version_id where v.stl_file_id = f.id)
  and not exists (select from catalogue_models l where l.stl_file_id = f.id)
  and not exists (select from printable_slices s join queue_slices q on q.slice_id = s.id where s.stl_file_id = f.id)`

/** Lists the models that were deleted before this time and that nothing refers to, oldest deletion first. */
export const listDoomed = (sql: Queryable, before: Date, limit: number): Promise<DoomedModel[]> =>
  sql<DoomedModel[]>`
    select f.id, f.title, f.deleted_at from stl_files f
    where f.deleted_at <= ${before} and ${unused(sql)}
    order by f.deleted_at, f.id limit ${limit}`

/**
 * Locks a model and returns it if it can still be purged, otherwise null. Transactions that add references to
 * it wait until this transaction ends.
 */
export async function lockDoomed(tx: Queryable, id: string, before: Date): Promise<DoomedModel | null> {
  await tx`select 1 from stl_files where id = ${id} for update`
  return firstRow(tx<DoomedModel[]>`
    select f.id, f.title, f.deleted_at from stl_files f
    where f.id = ${id} and f.deleted_at <= ${before} and ${unused(tx)}`)
}

/** Gives the duplicates of a removed model a new original: the oldest of them. */
export async function passOnDuplicates(tx: Queryable, id: string): Promise<void> {
  await tx`
    with heirs as (
      select id, first_value(id) over (order by created_at, id) as heir from stl_files where duplicate_of = ${id}
    )
    update stl_files f set duplicate_of = nullif(h.heir, h.id) from heirs h where f.id = h.id`
}

/** Removes a model with its versions. Returns the keys of their objects. */
export async function deleteModel(tx: Queryable, id: string): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    with gone as (delete from stl_versions where stl_file_id = ${id} returning *)
    select distinct key from gone, unnest(array[object_key, clean_object_key, thumbnail_key, second_thumbnail_key,
                                                preview_key, turntable_key]) as key
    where key is not null`
  await tx`delete from stl_files where id = ${id}`
  return rows.map((row) => row.key)
}
