import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, wireTime } from '../../../platform/database/search-patterns.ts'

/**
 * Selects the rows of `jsonRows`: what a list says of models. `from` gives the models as `f` with the column `place`, and the sort
 * keys are `keys` of it. The addresses of pictures are to be signed (`signPaths`), and name the version that they show.
 */
export const selectListedModels = (
  sql: Queryable,
  { from, keys }: { from: Fragment; keys: Fragment },
): Fragment => sql`
  select f.id, place, ${keys}, item
  from ${from}
  join stl_versions v on v.id = f.current_version_id
  left join usernames u on u.id = v.uploaded_by
  cross join lateral (
    select f.id, f.title, f.description, f.tags, f.license_type, v.file_name, v.file_size, f.is_product, v.sha256,
           v.format, v.triangles, v.bounding_box_mm, v.volume_mm3, v.surface_area_mm2, v.is_watertight, v.shells,
           v.warnings, v.analysis_status, f.attribution_url, f.print_material, f.print_notes, f.source_url,
           f.sale_allowed, f.sale_note,
           -- A deleted model is not linked to; a restored one is again.
           (select d.id from stl_files d where d.id = f.duplicate_of and d.deleted_at is null) as duplicate_of,
           f.suggested_fields, v.number as version, u.username as uploaded_by,
           ${wireTime(sql, sql`f.created_at`)} as created_at, ${wireTime(sql, sql`f.updated_at`)} as updated_at,
           ${wireTime(sql, sql`f.deleted_at`)} as deleted_at, f.revision,
           -- Pictures of deleted models are not served.
           case when v.thumbnail_key is not null and f.deleted_at is null
                then '~/api/stl-files/' || f.id || '/thumbnail~&of=' || left(v.sha256, 12) end as thumbnail_path,
           case when v.second_thumbnail_key is not null and f.deleted_at is null
                then '~/api/stl-files/' || f.id || '/thumbnail~&of=' || left(v.sha256, 12) || '&angle=2' end
             as second_thumbnail_path
  ) item
  order by place`
