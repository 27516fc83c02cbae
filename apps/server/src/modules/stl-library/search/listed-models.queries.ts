import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, wireTime } from '../../../platform/database/search-patterns.ts'

/** The columns of a model `f` that `stampModels` needs. */
export const stampedColumns = (sql: Queryable): Fragment =>
  sql`f.id, f.xmin as row_version, f.current_version_id, f.duplicate_of`

/** Selects the original of a duplicate. A deleted original is left out until it is restored. */
const liveDuplicate = (sql: Queryable): Fragment =>
  sql`(select d.id from stl_files d where d.id = f.duplicate_of and d.deleted_at is null)`

/**
 * Selects the rows that `foundRows` reads, each with its stamp. `from` is a FROM item with the models as `f` and the
 * columns of `stampedColumns`. `keys` are its columns by which the list is sorted. The stamps cover all data that
 * `readListedModels` reads from other tables.
 */
export const stampModels = (
  sql: Queryable,
  { from, keys }: { from: Fragment; keys: Fragment },
): Fragment => sql`
  select f.id, ${keys},
         concat(f.id, ' ', f.row_version, ' ', v.xmin, ' ', to_json(u.username), ' ', ${liveDuplicate(sql)}) as stamp
  from ${from}
  join stl_versions v on v.id = f.current_version_id
  left join usernames u on u.id = v.uploaded_by`

/**
 * Reads the list rows of these models, as a JSON array in the order of `ids`. The caller has to sign the
 * addresses of the pictures with `signPaths`. Each address names the version that the picture shows.
 */
export async function readListedModels(sql: Queryable, ids: readonly string[]): Promise<string> {
  const [row] = await sql<[{ json: string }]>`
  select coalesce(json_agg(item order by place)::text, '[]') as json
  from unnest(${ids}::uuid[]) with ordinality page (id, place)
  join stl_files f on f.id = page.id
  join stl_versions v on v.id = f.current_version_id
  left join usernames u on u.id = v.uploaded_by
  cross join lateral (
    select f.id, f.title, f.description, f.tags, f.license_type, v.file_name, v.file_size, f.is_product, v.sha256,
           v.format, v.triangles, v.bounding_box_mm, v.volume_mm3, v.surface_area_mm2, v.is_watertight, v.shells,
           v.warnings, v.analysis_status, f.attribution_url, f.print_material, f.print_notes, f.source_url,
           f.sale_allowed, f.sale_note,
           ${liveDuplicate(sql)} as duplicate_of,
           f.suggested_fields, v.number as version, u.username as uploaded_by,
           ${wireTime(sql, sql`f.created_at`)} as created_at, ${wireTime(sql, sql`f.updated_at`)} as updated_at,
           ${wireTime(sql, sql`f.deleted_at`)} as deleted_at, f.revision,
           -- Pictures of deleted models are not served.
           case when v.thumbnail_key is not null and f.deleted_at is null
                then '~/api/stl-files/' || f.id || '/thumbnail~&of=' || left(v.sha256, 12) end as thumbnail_path,
           case when v.second_thumbnail_key is not null and f.deleted_at is null
                then '~/api/stl-files/' || f.id || '/thumbnail~&of=' || left(v.sha256, 12) || '&angle=2' end
             as second_thumbnail_path
  ) item`
  return row.json
}
