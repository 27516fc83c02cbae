import type { ModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import type { ModelFormat } from '@pegasus/contracts/stl-library/models'
import type { Queryable } from '../../../platform/database/database.ts'

/** The versions of a model, newest first. */
export const listVersions = (sql: Queryable, modelId: string): Promise<ModelVersion[]> =>
  sql<ModelVersion[]>`
    select v.id, v.number, v.id = f.current_version_id as is_current, v.file_name, v.file_size, v.sha256, v.format,
           v.triangles, v.note, p.username as uploaded_by, v.created_at
    from stl_versions v
    join stl_files f on f.id = v.stl_file_id
    left join people p on p.id = v.uploaded_by
    where v.stl_file_id = ${modelId}
    order by v.number desc`

/** What is handed out of a version. */
export interface VersionBytes {
  id: string
  stl_file_id: string
  number: number
  file_name: string
  format: ModelFormat
  sha256: string
  object_key: string
}

/** A version of a model in the library, as it is handed out: without the command for a slicer. */
export async function findVersion(sql: Queryable, id: string): Promise<VersionBytes | null> {
  const [row] = await sql<VersionBytes[]>`
    select v.id, v.stl_file_id, n.number, v.file_name, v.format, v.sha256, v.object_key
    from library_versions v
    join stl_versions n on n.id = v.id
    join stl_files f on f.id = v.stl_file_id
    where v.id = ${id} and f.deleted_at is null`
  return row ?? null
}

/** The number of a model's next version. The model is locked, so that no other gets it. */
export async function nextNumber(tx: Queryable, modelId: string): Promise<number> {
  const [row] = await tx<[{ next: number }]>`
    select coalesce(max(number), 0) + 1 as next from stl_versions where stl_file_id = ${modelId}`
  return row.next
}

/**
 * Lets a model stand for another of its versions. What was proposed from the former file, and is marked so still, is
 * wanted anew: nobody has said that it is true of this one. The title stays, for by that people know the model.
 */
export async function chooseVersion(
  tx: Queryable,
  { modelId, versionId, now }: { modelId: string; versionId: string; now: Date },
): Promise<void> {
  await tx`
    update stl_files
    set current_version_id = ${versionId}, revision = revision + 1, updated_at = ${now},
        fields_to_suggest = array(select distinct unnest(fields_to_suggest || array_remove(suggested_fields, 'title')))
    where id = ${modelId}`
}
