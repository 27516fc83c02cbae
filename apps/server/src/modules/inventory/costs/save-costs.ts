import type { Queryable } from '../../../platform/database/database.ts'
import { readCostSettings } from './cost-settings.queries.ts'
import { costSheetOf } from './cost-sheet.ts'
import { readCostedItems, type SavedCost, writeSavedCosts } from './item-costs.queries.ts'

/** Version of the formula. Increment it when the formula changes. */
const VERSION = 1
/** Number of calculations that are written in one statement. Each one takes about two kilobytes. */
const AT_ONCE = 500

/** Saves the costs of items with the current settings. The revision of the items does not change. */
export async function saveCosts(
  tx: Queryable,
  ids: readonly string[],
  { now, currency }: { now: Date; currency: string },
): Promise<void> {
  if (ids.length === 0) return
  const { revision: _revision, changed: _changed, ...rates } = await readCostSettings(tx)
  const costs = (await readCostedItems(tx, ids)).map(({ id, ...item }) => {
    const sheet = costSheetOf({ item, rates, currency })
    const cost: SavedCost = { version: VERSION, at: now.toISOString(), currency, item, rates, ...sheet }
    return { id, cost }
  })
  for (let at = 0; at < costs.length; at += AT_ONCE) await writeSavedCosts(tx, costs.slice(at, at + AT_ONCE))
}
