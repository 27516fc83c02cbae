import type {
  CostRates,
  CostSettings,
  CostSheet as WireSheet,
  ItemCost,
  UpdateCostSettingsBody,
} from '@pegasus/contracts/inventory/costs'
import { fromMinor, toMinor } from '@pegasus/contracts/money'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns, actorOfColumns } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, type FieldError } from '../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import {
  type CostSettingsRow,
  type Rates,
  insertCostSettings,
  lockCostSettings,
  readCostSettings,
} from './cost-settings.queries.ts'
import type { CostedItem } from './cost-lines.ts'
import { type CostSheet, costSheetOf, profitOf } from './cost-sheet.ts'
import { findItemCost, readCostedItems } from './item-costs.queries.ts'
import { saveCosts } from './save-costs.ts'

/** Id of the cost settings in events to open pages. The settings have no id of their own. */
const SETTINGS_ID = '00000000-0000-0000-0000-000000000000'

export interface Costs {
  getSettings(): Promise<CostSettings>
  /**
   * Changes the settings. Missing fields stay unchanged. `revision` comes from `If-Match`; null accepts any
   * revision. Throws PRECONDITION_FAILED, or INVALID_INPUT for an amount with too many decimals.
   */
  updateSettings(
    change: UpdateCostSettingsBody,
    revision: number | null,
    by: AuditContext,
  ): Promise<CostSettings>
  /** Returns the cost of an item. Throws ITEM_NOT_FOUND. */
  ofItem(id: string): Promise<ItemCost>
  /** Calculates the cost of one piece from the given values, without a stored item. */
  ofFigures(figures: CostedItem): Promise<WireSheet>
  /** Saves the current calculation with the item. Throws ITEM_NOT_FOUND. */
  save(id: string, by: AuditContext): Promise<ItemCost>
}

/** For each amount of the API, the stored field, and the factor by which the API amount is multiplied. */
const AMOUNTS = {
  material_price_per_kg: ['material_minor_per_kg', 1],
  electricity_price_per_kwh: ['electricity_minor_per_mwh', 1000],
  machine_price_per_hour: ['machine_minor_per_hour', 1],
  labor_price_per_hour: ['labor_minor_per_hour', 1],
  extras_per_piece: ['extras_minor_per_piece', 1],
} as const satisfies Partial<Record<keyof CostRates, readonly [keyof Rates, number]>>

const AMOUNT_FIELDS = Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[]

export function createCosts({ database, currency }: { database: Database; currency: string }): Costs {
  /**
   * Converts an amount to minor units. An amount per kWh is stored per MWh, which preserves three more
   * decimals.
   */
  const toStored = (amount: number, factor: number): number | null =>
    factor === 1 ? toMinor(amount, currency) : toMinorOfThousand(amount, currency)

  const presentRates = (row: Rates): CostRates => {
    const money = Object.fromEntries(
      AMOUNT_FIELDS.map((field) => {
        const [column, factor] = AMOUNTS[field]
        return [field, fromMinor(row[column], currency) / factor]
      }),
    ) as Pick<CostRates, keyof typeof AMOUNTS>
    return {
      ...money,
      waste_percent: row.waste_percent,
      printer_watts: row.printer_watts,
      prepare_minutes_per_print: row.prepare_minutes_per_print,
      finish_minutes_per_piece: row.finish_minutes_per_piece,
      failure_percent: row.failure_percent,
      overhead_percent: row.overhead_percent,
      margin_percent: row.margin_percent,
    }
  }

  const present = (row: CostSettingsRow): CostSettings => ({
    ...presentRates(row),
    currency,
    is_changed: row.revision > 0,
    updated_at: row.changed?.at ?? null,
    updated_by: row.changed && actorOfColumns(row.changed),
    revision: row.revision,
  })

  const readChange = (change: UpdateCostSettingsBody): Partial<Rates> => {
    const errors: FieldError[] = []
    const amounts: Partial<Rates> = {}
    for (const field of AMOUNT_FIELDS) {
      const amount = change[field]
      if (amount === undefined) continue
      const [column, factor] = AMOUNTS[field]
      const stored = toStored(amount, factor)
      if (stored === null)
        errors.push({ path: field, message: `${field} has more decimals than ${currency}` })
      else amounts[column] = stored
    }
    if (errors[0]) throw new AppError('INVALID_INPUT', { text: errors[0].message, errors })
    const { waste_percent, printer_watts, prepare_minutes_per_print, finish_minutes_per_piece } = change
    const { failure_percent, overhead_percent, margin_percent } = change
    const others = {
      waste_percent,
      printer_watts,
      prepare_minutes_per_print,
      finish_minutes_per_piece,
      failure_percent,
      overhead_percent,
      margin_percent,
    }
    const given = Object.entries(others).filter(([, value]) => value !== undefined)
    return { ...amounts, ...(Object.fromEntries(given) as Partial<Rates>) }
  }

  const presentSheet = (sheet: CostSheet, inCurrency = currency) => ({
    lines: sheet.lines.map(({ amount_minor: minor, ...line }) => ({
      ...line,
      amount: fromMinor(minor, inCurrency),
    })),
    unit_cost: fromMinor(sheet.unit_cost_minor, inCurrency),
    suggested_price: fromMinor(sheet.suggested_price_minor, inCurrency),
    missing: sheet.missing,
    sliced_from: (sheet.sliced_from ?? []).map((slice) => ({ is_provisional: false, ...slice })),
  })

  const ofItem = async (sql: Queryable, id: string): Promise<ItemCost> => {
    const [item, rates] = await Promise.all([findItemCost(sql, id), readCostSettings(sql)])
    if (!item) throw new AppError('ITEM_NOT_FOUND')
    const { selling_price_minor: price, saved } = item
    const sheet = costSheetOf({ item, rates, currency })
    const left = profitOf(sheet.unit_cost_minor, price)
    return {
      ...presentSheet(sheet),
      currency,
      selling_price: price === null ? null : fromMinor(price, currency),
      profit: left.profit_minor === null ? null : fromMinor(left.profit_minor, currency),
      margin_percent: left.margin_percent,
      markup_percent: left.markup_percent,
      saved: saved && { ...presentSheet(saved, saved.currency), at: saved.at, version: saved.version },
    }
  }

  return {
    getSettings: async () => present(await readCostSettings(database.sql)),

    updateSettings: (change, revision, by) =>
      database.transaction(async (tx) => {
        await lockCostSettings(tx)
        const before = await readCostSettings(tx)
        assertRevision(revision, before, () => present(before))
        const { revision: _revision, changed: _changed, ...rates } = before
        const next = { ...rates, ...readChange(change) }
        if (Object.entries(next).every(([name, value]) => rates[name as keyof Rates] === value))
          return present(before)
        await insertCostSettings(tx, {
          id: uuidv7(),
          ...next,
          ...actorColumns(by.actor),
          created_at: by.now,
        })
        const event = { action: 'cost_settings.updated', entity: 'cost_settings', entityId: null } as const
        await writeAudit(tx, { ...event, before: presentRates(rates), after: presentRates(next) }, by)
        await publish(tx, { type: 'updated', entity: 'cost_settings', id: SETTINGS_ID })
        return present(await readCostSettings(tx))
      }),

    ofItem: (id) => ofItem(database.sql, id),

    ofFigures: async (item) =>
      presentSheet(costSheetOf({ item, rates: await readCostSettings(database.sql), currency })),

    save: (id, { now }) =>
      database.transaction(async (tx) => {
        if (!(await findItemCost(tx, id))) throw new AppError('ITEM_NOT_FOUND')
        await saveCosts(tx, [id], { now, currency })
        await publish(tx, { type: 'updated', entity: 'inventory_item', id })
        return ofItem(tx, id)
      }),
  }
}

/**
 * Returns the current cost of one piece of each item, in minor units. The cost is null if the item lacks data
 * that the calculation needs. Unknown ids are left out.
 */
export async function readUnitCosts(
  sql: Queryable,
  ids: readonly string[],
  currency: string,
): Promise<Map<string, number | null>> {
  if (ids.length === 0) return new Map()
  const rates = await readCostSettings(sql)
  const items = await readCostedItems(sql, ids)
  return new Map(
    items.map(({ id, ...item }) => {
      const { unit_cost_minor: cost, missing } = costSheetOf({ item, rates, currency })
      return [id, missing.length === 0 ? cost : null]
    }),
  )
}

/** Returns a thousand times an amount, in minor units, or null if that is not a whole number. */
function toMinorOfThousand(amount: number, currency: string): number | null {
  const thousandfold = Math.round(amount * 1000 * 1000) / 1000
  const minor = toMinor(thousandfold, currency)
  return minor !== null && fromMinor(minor, currency) / 1000 === amount ? minor : null
}
