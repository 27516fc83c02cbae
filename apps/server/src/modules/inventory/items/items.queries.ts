import type { Insert, Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import type { ItemFields } from './item-fields.ts'

/** An item with its location and its model. */
export interface ItemRow
  extends ItemFields,
    Row<
      'items',
      | 'id'
      | 'label_code'
      | 'quantity'
      | 'reserved_quantity'
      | 'location_id'
      | 'status'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    > {
  stl_file_title: string | null
  has_picture: boolean
  location: string | null
  bin_location: string | null
}

/**
 * The columns of an item `i`, its model `m` and its location `l` (with the parent `p`) that the API returns unchanged.
 */
export const plainColumns = (sql: Queryable): Fragment => sql`
  i.id, i.label_code, i.name, i.sku, i.stl_file_id, m.title as stl_file_title, i.quantity, i.reserved_quantity,
  i.reorder_point, i.max_stock, i.safety_stock, i.location_id,
  case when l.kind = 'bin' then p.path else l.path end as location,
  case when l.kind = 'bin' then l.name end as bin_location,
  i.status, i.material_used, i.color, i.print_settings, i.print_time_minutes, i.weight_grams::float8,
  i.pieces_per_print, i.notes, i.revision`

/**
 * Selects items `i` with their location and the details of their model. `more` adds columns from joins of the caller.
 */
export const selectItem = (sql: Queryable, more?: Fragment) => sql`
  select ${plainColumns(sql)}, coalesce(m.has_picture, false) as has_picture, i.held_status, i.color_hex,
         i.material_cost_minor, i.labor_cost_minor, i.selling_price_minor, i.created_at, i.updated_at,
         i.deleted_at ${more ? sql`, ${more}` : sql``}
  from items i
  left join library_models m on m.id = i.stl_file_id
  left join locations l on l.id = i.location_id
  left join locations p on p.id = l.parent_id`

export const findItem = (sql: Queryable, id: string) =>
  firstRow(sql<ItemRow[]>`${selectItem(sql)} where i.id = ${id} and i.deleted_at is null`)

export async function insertItem(tx: Queryable, item: Insert<'items'>): Promise<void> {
  await insertInto(tx, 'items', item)
}

/**
 * Returns the next generated SKU that no item has. Items in the trash do not count. Skips a SKU that a person has
 * already typed.
 */
export async function makeSku(tx: Queryable): Promise<string> {
  for (;;) {
    const [row] = await tx<[{ sku: string; is_taken: boolean }]>`
      with next as (select label_code('SKU', nextval('item_skus'), 5) as sku)
      select sku, exists (
        select from items where upper(items.sku) = next.sku and deleted_at is null
      ) as is_taken
      from next`
    if (!row.is_taken) return row.sku
  }
}

/** Finds the item with a SKU, ignoring case. Items in the trash do not count. */
export async function findItemIdBySku(sql: Queryable, sku: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from items where upper(sku) = upper(${sku}) and deleted_at is null`
  return row?.id ?? null
}

/**
 * Finds the items with these SKUs, ignoring case. Items in the trash do not count. The keys of the result are the SKUs
 * as given.
 */
export async function findItemIdsBySku(
  sql: Queryable,
  skus: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ sku: string; id: string }[]>`
    select asked.sku, i.id from unnest(${[...skus]}::text[]) as asked (sku)
    join items i on upper(i.sku) = upper(asked.sku) and i.deleted_at is null`
  return new Map(rows.map(({ sku, id }) => [sku, id]))
}

export async function isLiveModel(sql: Queryable, modelId: string): Promise<boolean> {
  const [row] = await sql<{ id: string }[]>`
    select id from library_models where id = ${modelId} and deleted_at is null`
  return row !== undefined
}
