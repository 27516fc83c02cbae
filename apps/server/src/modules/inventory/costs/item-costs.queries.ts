import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { CostedItem } from './cost-lines.ts'
import type { Rates } from './cost-settings.queries.ts'
import type { CostSheet } from './cost-sheet.ts'
import { type SlicedPrint, withSlice } from './sliced-print.ts'

/**
 * A calculation that is saved with an item. It contains the inputs as well as the result, so that people can still
 * understand it after the settings have changed.
 */
export interface SavedCost extends CostSheet {
  version: number
  at: string
  currency: string
  item: CostedItem
  rates: Rates
}

/** Minimum number of printed pieces. With fewer pieces, the share of failures in the settings is a better estimate. */
const LEAST_PRINTED = 20

/**
 * Selects items `i` with their own cost fields, and with the newest sliced file of the current version of their model.
 */
const selectCosted = (sql: Queryable, more = sql``) => sql`
  select i.id, i.weight_grams::float8, i.print_time_minutes, i.pieces_per_print, i.material_cost_minor,
         i.labor_cost_minor,
         (select json_build_object('good', y.good, 'bad', y.bad) from item_yields y
          where y.item_id = i.id and y.good + y.bad >= ${sql.literal(LEAST_PRINTED)}) as printed,
         case when f.id is not null then json_build_object('id', f.id, 'file_name', f.file_name, 'grams', f.grams,
                                                           'minutes', f.minutes, 'pieces', f.pieces,
                                                           'plates_per_print', f.plates_per_print,
                                                           'is_undecided', has_undecided_plates(f.id)) end as slice${more}
  from items i
  left join library_models m on m.id = i.stl_file_id
  left join lateral newest_sliced_print(m.current_version_id) f on true`

/**
 * Returns the ids of those sliced files for which nobody has decided whether one piece needs all plates
 * (`SlicedPrint`).
 */
export async function listUndecidedSlices(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select s.id from unnest(${[...ids]}::uuid[]) as s (id) where has_undecided_plates(s.id)`
  return new Set(rows.map(({ id }) => id))
}

type Sliced<Item> = Item & { slice: SlicedPrint | null }

/**
 * Returns the cost fields of items. The weight and print time come from the sliced file if the item has none of its
 * own.
 */
export async function readCostedItems(
  sql: Queryable,
  ids: readonly string[],
): Promise<(CostedItem & { id: string })[]> {
  const rows = await sql<Sliced<CostedItem & { id: string }>[]>`
    ${selectCosted(sql)} where i.id = any(${[...ids]}::uuid[])`
  return rows.map(({ slice, ...item }) => withSlice(item, slice))
}

type ItemCostRow = CostedItem & { selling_price_minor: number | null; saved: SavedCost | null }

/**
 * Finds an item with its price and its last saved calculation. Returns null if the item does not exist or is
 * deleted.
 */
export async function findItemCost(sql: Queryable, id: string): Promise<ItemCostRow | null> {
  const row = await firstRow(sql<Sliced<ItemCostRow>[]>`
    ${selectCosted(sql, sql`, i.selling_price_minor, i.cost_snapshot as saved`)}
    where i.id = ${id} and i.deleted_at is null`)
  if (row === null) return null
  const { slice, ...item } = row
  return withSlice(item, slice)
}

export async function writeSavedCosts(
  tx: Queryable,
  costs: readonly { id: string; cost: SavedCost }[],
): Promise<void> {
  await tx`
    update items i set cost_snapshot = n.cost
    from jsonb_to_recordset(${tx.json(costs)}::jsonb) as n (id uuid, cost jsonb)
    where i.id = n.id`
}
