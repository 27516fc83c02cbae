import type { ItemStatus } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../platform/database/database.ts'
import { everyWord } from '../../platform/database/search.ts'
import { COUNT_CAP, type Cursor } from '../../platform/http/paging.ts'

/** An item with its place and the model it is made from. Money is in minor units. */
export interface ItemRow {
  id: string
  label_code: string
  name: string
  sku: string
  stl_file_id: string | null
  stl_file_title: string | null
  has_picture: boolean
  quantity: number
  reserved_quantity: number
  reorder_point: number
  max_stock: number
  location: string | null
  bin_location: string | null
  status: ItemStatus
  material_used: string | null
  color: string | null
  /** `#RRGGBB`. */
  color_hex: string | null
  print_settings: string | null
  print_time_minutes: number | null
  weight_grams: number | null
  material_cost_minor: number | null
  labor_cost_minor: number | null
  selling_price_minor: number | null
  notes: string | null
  revision: number
  created_at: string
  updated_at: string
}

export interface ItemFilter {
  search?: string | undefined
  status?: ItemStatus | undefined
  lowStockOnly: boolean
  /** Whatever its case. */
  sku?: string | undefined
}

const selectItem = (sql: Queryable) => sql`
  select i.id, i.label_code, i.name, i.sku, i.stl_file_id, m.title as stl_file_title,
         coalesce(m.has_picture, false) as has_picture, i.quantity, i.reserved_quantity, i.reorder_point, i.max_stock,
         case when l.kind = 'bin' then p.path else l.path end as location,
         case when l.kind = 'bin' then l.name end as bin_location,
         i.status, i.material_used, i.color, '#' || i.color_hex as color_hex, i.print_settings, i.print_time_minutes,
         i.weight_grams::float8, i.material_cost_minor, i.labor_cost_minor, i.selling_price_minor, i.notes,
         i.revision, i.created_at, i.updated_at
  from items i
  left join library_models m on m.id = i.stl_file_id
  left join locations l on l.id = i.location_id
  left join locations p on p.id = l.parent_id`

/** Places are few, so those that match are found first and the items in them by index. */
const matching = (sql: Queryable, filter: ItemFilter) => sql`
  i.deleted_at is null
  ${everyWord(
    sql,
    filter.search,
    (pattern) => sql`(i.search_text like ${pattern} or i.location_id = any (array(
      select id from locations where lower(path) like ${pattern})))`,
  )}
  ${filter.status ? sql`and i.status = ${filter.status}` : sql``}
  ${filter.lowStockOnly ? sql`and i.quantity <= i.reorder_point` : sql``}
  ${filter.sku === undefined ? sql`` : sql`and upper(i.sku) = upper(${filter.sku})`}`

export const listItems = (
  sql: Queryable,
  filter: ItemFilter,
  page: { cursor: Cursor | null; limit: number },
): Promise<ItemRow[]> =>
  sql<ItemRow[]>`
    ${selectItem(sql)}
    where ${matching(sql, filter)}
      ${page.cursor ? sql`and (i.created_at, i.id) < (${page.cursor.createdAt}::timestamptz, ${page.cursor.id}::uuid)` : sql``}
    order by i.created_at desc, i.id desc
    limit ${page.limit + 1}`

/** Items that match, exact up to the cap and one more beyond it. */
export async function countItems(sql: Queryable, filter: ItemFilter): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total
    from (select 1 from items i where ${matching(sql, filter)} limit ${COUNT_CAP + 1}) matches`
  return row.total
}

export async function findItem(sql: Queryable, id: string): Promise<ItemRow | null> {
  const [row] = await sql<ItemRow[]>`${selectItem(sql)} where i.id = ${id} and i.deleted_at is null`
  return row ?? null
}

/** What the database does not say of itself: the quantities, which movements make, and the computed columns. */
export interface ItemColumns {
  id: string
  name: string
  sku: string
  stl_file_id: string | null
  reorder_point: number
  max_stock: number
  held_status: 'On Hold' | 'Reserved' | null
  location_id: string | null
  material_used: string | null
  color: string | null
  color_hex: string | null
  print_settings: string | null
  print_time_minutes: number | null
  weight_grams: number | null
  material_cost_minor: number | null
  labor_cost_minor: number | null
  selling_price_minor: number | null
  notes: string | null
  created_at: Date
  updated_at: Date
}

export async function insertItem(tx: Queryable, item: ItemColumns): Promise<void> {
  await tx`insert into items ${tx(item as unknown as Record<string, string>)}`
}

/** The next SKU of our own making that no live item bears: somebody may have typed one of them before. */
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

/** The live item of a SKU, whatever its case. */
export async function findItemIdBySku(sql: Queryable, sku: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from items where upper(sku) = upper(${sku}) and deleted_at is null`
  return row?.id ?? null
}

export async function isLiveModel(sql: Queryable, modelId: string): Promise<boolean> {
  const [row] = await sql<{ id: string }[]>`
    select id from library_models where id = ${modelId} and deleted_at is null`
  return row !== undefined
}
