import type { Row } from '../../../../platform/database/column-types.ts'
import { firstRow } from '../../../../platform/database/first-row.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import type { MeasuredShape } from './describe-shape.ts'
import type { OpenFields, Suggestion } from './suggestion.ts'

/** A model that still needs suggestions, with the data from which they are derived. */
export interface ModelToSuggest
  extends OpenFields,
    MeasuredShape,
    Row<'stl_files', 'id' | 'file_name' | 'format'>,
    Row<'stl_versions', 'volume_mm3' | 'triangles' | 'thumbnail_key'> {
  /** The version from whose file the suggestions are derived. */
  version_id: string
}

/**
 * Returns the SQL condition that a model `f` still needs suggestions and that the analysis of its version `v`
 * has ended.
 */
const isWanted = (sql: Queryable) =>
  sql`cardinality(f.fields_to_suggest) > 0 and v.analysis_status <> 'pending'`

/** Lists the models of the library that still need suggestions. */
export const listModelsToSuggest = (sql: Queryable): Promise<{ modelId: string }[]> =>
  sql<{ modelId: string }[]>`
    select f.id as "modelId" from stl_files f join stl_versions v on v.id = f.current_version_id
    where f.deleted_at is null and ${isWanted(sql)} order by f.created_at, f.id`

/** Returns the title of a model, even if it is in the trash, or null if it does not exist. */
export async function findModelTitle(sql: Queryable, id: string): Promise<string | null> {
  const [row] = await sql<{ title: string }[]>`select title from stl_files where id = ${id}`
  return row?.title ?? null
}

/** Requests new suggestions for all fields whose values were suggested. Returns whether there are any such fields. */
export async function reopenSuggestions(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx`
    update stl_files set fields_to_suggest = suggested_fields
    where id = ${id} and deleted_at is null and cardinality(suggested_fields) > 0 returning 1`
  return rows.length > 0
}

/** Returns the ids of the given, locked models that still need suggestions. */
export async function findUnsuggested(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select f.id from stl_files f join stl_versions v on v.id = f.current_version_id
    where f.id = any(${[...ids]}::uuid[]) and ${isWanted(tx)} order by f.id`
  return rows.map(({ id }) => id)
}

/** Waits for a transaction that is moving the model into the trash or restoring it. */
export async function lockModel(tx: Queryable, id: string): Promise<void> {
  await tx`select 1 from stl_files where id = ${id} for update`
}

/**
 * Finds a model that needs suggestions, with the data for them. Returns null if the model no longer needs suggestions,
 * its current file is not measured yet, or the model is gone.
 */
export const findModelToSuggest = (sql: Queryable, id: string, options: { forUpdate?: boolean } = {}) =>
  firstRow(sql<ModelToSuggest[]>`
    select f.id, v.id as version_id, f.fields_to_suggest, f.suggested_fields, f.tags, f.description, v.file_name, v.format,
           v.bounding_box_mm, v.volume_mm3, v.triangles, v.shells, v.is_watertight, v.thumbnail_key
    from stl_files f join stl_versions v on v.id = f.current_version_id
    where f.id = ${id} and f.deleted_at is null and ${isWanted(sql)}
    ${options.forUpdate ? sql`for update of f` : sql``}`)

/**
 * Writes the suggestions, marks the fields as suggested, and records that the model no longer needs suggestions. An
 * empty suggestion gets no mark. Returns whether anything visible changed. The revision stays the same, so that an edit
 * that a person has begun can still be saved. Its values then replace the suggestions.
 */
export async function saveSuggestion(
  tx: Queryable,
  id: string,
  { title, tags, description }: Suggestion,
): Promise<boolean> {
  const said = Object.entries({ title, tags, description }).filter(([, value]) => value !== undefined)
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  const fields = said.filter(([, value]) => !isEmpty(value)).map(([field]) => field)
  const emptied = said.filter(([, value]) => isEmpty(value)).map(([field]) => field)
  await tx`update stl_files set fields_to_suggest = '{}' where id = ${id}`
  if (said.length === 0) return false
  await tx`
    update stl_files
    set title = coalesce(${title ?? null}, title), tags = coalesce(${tags ? [...tags] : null}::text[], tags),
        description = case when ${description !== undefined} then ${description ?? null} else description end,
        suggested_fields = array(select distinct unnest(suggested_fields || ${fields}::text[])
                                 except select unnest(${emptied}::text[]))
    where id = ${id}`
  return true
}
