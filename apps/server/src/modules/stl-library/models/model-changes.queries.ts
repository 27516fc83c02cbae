import type { Queryable } from '../../../platform/database/database.ts'
import { type ModelRow, selectModel } from './models.queries.ts'
import { type EditableModel, fieldsOf } from './model-edit.ts'

/**
 * Locks models, live and deleted, until the transaction ends, and returns them. Models are always locked in
 * the same order, so that callers cannot deadlock.
 */
export async function lockModels(tx: Queryable, ids: readonly string[]): Promise<ModelRow[]> {
  await tx`select 1 from stl_files where id = any(${[...ids]}::uuid[]) order by id for update`
  // Read the models only after they are locked, because another transaction may have changed them before.
  return tx<ModelRow[]>`${selectModel(tx)} where f.id = any(${[...ids]}::uuid[]) order by f.id`
}

/** Replaces unpaired surrogates, which JSON can contain and PostgreSQL refuses. */
const storable = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, held: unknown) => (typeof held === 'string' ? held.toWellFormed() : held)),
  ) as T

/** Writes edited models in one statement, and increments the revision of each. */
export async function updateModels(
  tx: Queryable,
  models: readonly (EditableModel & { id: string })[],
  now: Date,
): Promise<void> {
  const rows = models.map((model) => ({
    ...fieldsOf(model),
    id: model.id,
    suggested_fields: model.suggested_fields,
  }))
  await tx`
    update stl_files f
    set title = n.title, description = n.description, tags = n.tags, license_type = n.license_type,
        attribution_url = n.attribution_url, print_material = n.print_material, print_notes = n.print_notes,
        sale_allowed = n.sale_allowed, sale_note = n.sale_note, suggested_fields = n.suggested_fields,
        -- A value that a person typed is never suggested again, not even after they emptied it.
        fields_to_suggest = array(
          select field from unnest(f.fields_to_suggest) as field
          where (field <> 'title' or n.title = f.title) and (field <> 'tags' or n.tags = f.tags)
            and (field <> 'description' or n.description is not distinct from f.description)),
        revision = f.revision + 1, updated_at = ${now}
    from jsonb_to_recordset(${tx.json(storable(rows))}::jsonb) as n (
      id uuid, title text, description text, tags text[], license_type text, attribution_url text,
      print_material text, print_notes text, sale_allowed boolean, sale_note text, suggested_fields text[])
    where f.id = n.id`
}

/** Reads the current revision of each model, by id. */
export async function readRevisions(tx: Queryable, ids: readonly string[]): Promise<Record<string, number>> {
  const rows = await tx<{ id: string; revision: number }[]>`
    select id, revision from stl_files where id = any(${[...ids]}::uuid[])`
  return Object.fromEntries(rows.map(({ id, revision }) => [id, revision]))
}

/** Moves models into the trash. */
export async function trashModels(
  tx: Queryable,
  ids: readonly string[],
  by: { accountId: string | null; now: Date },
): Promise<void> {
  await tx`
    update stl_files
    set deleted_at = ${by.now}, deleted_by = ${by.accountId}, revision = revision + 1, updated_at = ${by.now}
    where id = any(${[...ids]}::uuid[])`
}

/** Restores models from the trash. */
export async function restoreModels(tx: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await tx`
    update stl_files set deleted_at = null, deleted_by = null, revision = revision + 1, updated_at = ${now}
    where id = any(${[...ids]}::uuid[])`
}
