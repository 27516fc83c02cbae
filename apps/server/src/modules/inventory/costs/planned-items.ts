import type { Queryable } from '../../../platform/database/database.ts'
import { failurePercent } from './cost-lines.ts'
import type { Rates } from './cost-settings.queries.ts'
import { costSheetOf } from './cost-sheet.ts'
import { readCostedItems } from './item-costs.queries.ts'

/** The figures of an item from which the cost of a print job is estimated. Unknown figures are null. */
export interface PlannedItem {
  /** The calculated cost of one piece, in minor units. */
  unitCostMinor: number | null
  weightGrams: number | null
  /** The print time of one piece. It can be a fraction of a minute. */
  minutes: number | null
  failurePercent: number
}

/** Returns the figures of items at these rates, as a map by item id. Unknown ids are left out. */
export async function readPlannedItems(
  sql: Queryable,
  ids: readonly string[],
  rates: Rates,
): Promise<Map<string, PlannedItem>> {
  const items = ids.length === 0 ? [] : await readCostedItems(sql, ids)
  return new Map(
    items.map(({ id, ...item }) => {
      // The currency appears only in texts of the sheet, which are not used here.
      const { unit_cost_minor: cost, missing } = costSheetOf({ item, rates, currency: 'USD' })
      const { weight_grams: weightGrams, print_time_minutes: time, pieces_per_print: pieces } = item
      return [
        id,
        {
          unitCostMinor: missing.length === 0 ? cost : null,
          weightGrams,
          minutes: time === null ? null : time / pieces,
          failurePercent: failurePercent({ item, rates }),
        },
      ]
    }),
  )
}
