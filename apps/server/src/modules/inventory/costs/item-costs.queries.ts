import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { CostedItem } from './cost-lines.ts'
import type { Rates } from './cost-settings.queries.ts'
import type { CostSheet } from './cost-sheet.ts'

/**
 * A calculation that is saved with an item. It contains the inputs as well as the result, so that it can
 * still be explained after the settings have changed.
 */
export interface SavedCost extends CostSheet {
  version: number
  at: string
  currency: string
  item: CostedItem
  rates: Rates
}

/** Below this number of printed pieces, the share of failures in the settings is the better estimate. */
const LEAST_PRINTED = 20

const costedColumns = (sql: Queryable) => sql`
  id, weight_grams::float8, print_time_minutes, pieces_per_print, material_cost_minor, labor_cost_minor,
  (select json_build_object('good', y.good, 'bad', y.bad) from item_yields y
   where y.item_id = items.id and y.good + y.bad >= ${sql.literal(LEAST_PRINTED)}) as printed`

export const readCostedItems = (
  sql: Queryable,
  ids: readonly string[],
): Promise<(CostedItem & { id: string })[]> =>
  sql<(CostedItem & { id: string })[]>`
    select ${costedColumns(sql)} from items where id = any(${[...ids]}::uuid[])`

/**
 * Finds an item with its price and its last saved calculation. Returns null if the item does not exist or is
 * deleted.
 */
export async function findItemCost(
  sql: Queryable,
  id: string,
): Promise<(CostedItem & { selling_price_minor: number | null; saved: SavedCost | null }) | null> {
  return firstRow(sql<(CostedItem & { selling_price_minor: number | null; saved: SavedCost | null })[]>`
    select ${costedColumns(sql)}, selling_price_minor, cost_snapshot as saved
    from items where id = ${id} and deleted_at is null`)
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
