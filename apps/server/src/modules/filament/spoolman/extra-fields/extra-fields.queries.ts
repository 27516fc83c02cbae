import type { ExtraEntity } from '@pegasus/contracts/filament/spoolman-fields'
import type { Insert, Row, Update } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { insertInto, updateTable } from '../../../../platform/database/write-rows.ts'

export type ExtraFieldRow = Row<
  'extra_fields',
  | 'id'
  | 'entity'
  | 'key'
  | 'name'
  | 'position'
  | 'unit'
  | 'field_type'
  | 'default_value'
  | 'choices'
  | 'multi_choice'
>

/** Returns the extra fields of one kind of object, in the order in which forms show them. */
export const listExtraFields = (sql: Queryable, entity: ExtraEntity): Promise<ExtraFieldRow[]> =>
  sql<ExtraFieldRow[]>`
    select * from extra_fields where entity = ${entity} order by position, created_at, id`

/**
 * Like `listExtraFields`, but also keeps other transactions from removing or changing these fields until this
 * transaction ends.
 */
export const holdExtraFields = (tx: Queryable, entity: ExtraEntity): Promise<ExtraFieldRow[]> =>
  tx<ExtraFieldRow[]>`select * from extra_fields where entity = ${entity} for share`

/** Returns the extra fields of all kinds of objects. */
export const listAllExtraFields = (sql: Queryable): Promise<ExtraFieldRow[]> =>
  sql<ExtraFieldRow[]>`select * from extra_fields`

/**
 * Returns the extra fields, and locks their definitions until the transaction ends, so that parallel changes
 * cannot exceed the maximum number of fields.
 */
export async function lockExtraFields(tx: Queryable, entity: ExtraEntity): Promise<ExtraFieldRow[]> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`extra-fields:${entity}`}, 0))`
  return listExtraFields(tx, entity)
}

export async function insertExtraField(tx: Queryable, field: Insert<'extra_fields'>): Promise<void> {
  await tx`${insertInto(tx, 'extra_fields', field)}`
}

export async function updateExtraField(
  tx: Queryable,
  id: string,
  columns: Update<'extra_fields'>,
): Promise<void> {
  await tx`${updateTable(tx, 'extra_fields', columns)} where id = ${id}`
}

/** Deletes an extra field and all its values. */
export async function deleteExtraField(
  tx: Queryable,
  { id, entity, key }: Pick<ExtraFieldRow, 'id' | 'entity' | 'key'>,
  now: Date,
): Promise<void> {
  await tx`delete from extra_fields where id = ${id}`
  const table = { vendor: tx`vendors`, filament: tx`filaments`, spool: tx`spools` }[entity]
  await tx`
    update ${table} set extra = extra - ${key}::text, revision = revision + 1, updated_at = ${now}
    where jsonb_exists(extra, ${key})`
}

/** Returns the distinct values of a text or choice field that are in use, in alphabetical order. */
export async function listExtraValues(
  sql: Queryable,
  { entity, key }: Pick<ExtraFieldRow, 'entity' | 'key'>,
): Promise<string[]> {
  const table = { vendor: sql`vendors`, filament: sql`filaments`, spool: sql`spools` }[entity]
  const rows = await sql<{ word: string }[]>`
    select distinct word from (
      select (extra ->> ${key}::text)::jsonb as value from ${table} where deleted_at is null
    ) stored
    cross join lateral jsonb_array_elements_text(
      case when jsonb_typeof(stored.value) = 'array' then stored.value else jsonb_build_array(stored.value) end
    ) as each (word)
    where word <> '' order by word`
  return rows.map(({ word }) => word)
}
