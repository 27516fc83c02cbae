import type { ModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** Lists the versions of a model, newest first. */
export const listVersions = (sql: Queryable, modelId: string): Promise<ModelVersion[]> =>
  sql<ModelVersion[]>`
    select v.id, v.number, v.id = f.current_version_id as is_current, v.file_name, v.file_size, v.sha256, v.format,
           v.triangles, v.note, p.username as uploaded_by, v.created_at
    from stl_versions v
    join stl_files f on f.id = v.stl_file_id
    left join people p on p.id = v.uploaded_by
    where v.stl_file_id = ${modelId}
    order by v.number desc`

/** The file of a version that is served to clients. */
export type VersionBytes = Row<
  'stl_versions',
  'id' | 'stl_file_id' | 'number' | 'file_name' | 'format' | 'sha256' | 'object_key'
>

/**
 * Finds a version of a live model, with the file to serve. This is the clean copy if the upload contained a
 * slicer command.
 */
export const findVersion = (sql: Queryable, id: string) =>
  firstRow(sql<VersionBytes[]>`
    select v.id, v.stl_file_id, n.number, v.file_name, v.format, v.sha256, v.object_key
    from library_versions v
    join stl_versions n on n.id = v.id
    join stl_files f on f.id = v.stl_file_id
    where v.id = ${id} and f.deleted_at is null`)

/**
 * Returns the number for a model's next version. The caller has locked the model, so no other version gets
 * the same number.
 */
export async function nextNumber(tx: Queryable, modelId: string): Promise<number> {
  const [row] = await tx<[{ next: number }]>`
    select coalesce(max(number), 0) + 1 as next from stl_versions where stl_file_id = ${modelId}`
  return row.next
}

/**
 * Makes another version the current one. Values that are still marked as suggested came from the previous file, so they
 * are suggested again for the new file. The title stays, because people recognize the model by it.
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
