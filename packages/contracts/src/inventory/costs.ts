import * as z from 'zod/mini'
import { actor, nullable, numberBetween, timestamp, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post, put } = declareEndpoints('inventory', { notFound: 'ITEM_NOT_FOUND' })

const amount = (name: string) => numberBetween(name, 0, 1_000_000_000)

/** A number with at most two decimals, because the database stores two. */
const decimal = (name: string, most: number) => {
  const message = `${name} must be a number from 0 to ${most} with at most 2 decimals`
  return z.number(message).check(
    z.gte(0, message),
    z.lte(most, message),
    z.refine((value) => Math.round(value * 100) / 100 === value, message),
  )
}

/** Rates for the cost of one piece. Amounts are in the configured currency. */
export const costRates = z.object({
  material_price_per_kg: amount('material_price_per_kg'),
  /** Share of filament that is wasted on purging, brims and supports. */
  waste_percent: decimal('waste_percent', 100),
  printer_watts: wholeNumber('printer_watts', 0, 100_000),
  /** The price may have up to three more decimals than the currency. */
  electricity_price_per_kwh: amount('electricity_price_per_kwh'),
  machine_price_per_hour: amount('machine_price_per_hour'),
  labor_price_per_hour: amount('labor_price_per_hour'),
  prepare_minutes_per_print: decimal('prepare_minutes_per_print', 10_000),
  finish_minutes_per_piece: decimal('finish_minutes_per_piece', 10_000),
  /** Other costs of a piece, such as inserts, packaging and a share of the shipping. */
  extras_per_piece: amount('extras_per_piece'),
  failure_percent: decimal('failure_percent', 99.99),
  overhead_percent: decimal('overhead_percent', 1000),
  /** The share of the suggested price that remains after the cost. */
  margin_percent: decimal('margin_percent', 99.99),
})
export type CostRates = z.output<typeof costRates>

/** Defaults in minor units, so that they make sense in any currency: 25.00 USD, 2500 JPY. */
export const DEFAULT_COST_RATES = {
  material_minor_per_kg: 2500,
  waste_percent: 5,
  printer_watts: 120,
  electricity_minor_per_mwh: 30_000,
  machine_minor_per_hour: 18,
  labor_minor_per_hour: 2000,
  prepare_minutes_per_print: 5,
  finish_minutes_per_piece: 2,
  extras_minor_per_piece: 0,
  failure_percent: 5,
  overhead_percent: 10,
  margin_percent: 50,
} as const

const costSettings = z.extend(costRates, {
  currency: z.string(),
  /** Whether the settings were ever changed. If not, they are the defaults. */
  is_changed: z.boolean(),
  updated_at: nullable.timestamp,
  updated_by: z.nullable(actor),
  /** Clients send it in quotes as `If-Match`. It is 0 for the defaults. */
  revision: z.number(),
})
export type CostSettings = z.output<typeof costSettings>

export const getCostSettings = get('/api/cost-settings', 'signed-in', {
  summary: 'Cost settings, with their ETag',
  returns: costSettings,
})

const updateCostSettingsBody = z.partial(costRates)
export type UpdateCostSettingsBody = z.output<typeof updateCostSettingsBody>

export const updateCostSettings = put('/api/cost-settings', 'admin', {
  summary: 'Change the cost settings; costs already saved with items stay unchanged',
  body: updateCostSettingsBody,
  returns: costSettings,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

const COST_LINES = [
  'material',
  'electricity',
  'machine',
  'preparation',
  'failures',
  'finishing',
  'labor',
  'extras',
  'overhead',
] as const

/**
 * One line of the cost of one piece. `is_entered` means that a person entered the amount, instead of it being
 * calculated.
 */
const costLine = z.object({
  kind: z.enum(COST_LINES),
  label: z.string(),
  amount: z.number(),
  is_entered: z.boolean(),
  /** The calculation as text, such as `31.5 g × 1.05 × 25.00 USD/kg`. */
  formula: z.string(),
  inputs: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string() })),
})
export type CostLine = z.output<typeof costLine>

/** A sliced file that states the weight or the print time of a piece. */
const slicedSource = z.object({
  id: z.uuid(),
  file_name: z.string(),
  fields: z.array(z.enum(['weight_grams', 'print_time_minutes'])),
  /**
   * True if the file has several plates, and nobody has decided whether one piece needs all of them. Until then, the
   * figures are those of one plate. False for costs that were saved by versions without this field.
   */
  is_provisional: z.boolean(),
})
export type SlicedSource = z.output<typeof slicedSource>

/**
 * The cost of one piece. Each line is rounded to whole minor units, so the lines add up to exactly
 * `unit_cost`.
 */
export const costSheet = z.object({
  lines: z.array(costLine),
  unit_cost: z.number(),
  /** The cost plus the margin from the settings. */
  suggested_price: z.number(),
  /** Figures of the item that are unknown. The cost lines that need them are left out of the sum. */
  missing: z.array(z.enum(['weight_grams', 'print_time_minutes'])),
  /**
   * The sliced files from which the weight or the print time comes. Empty if both are the item's own values or
   * estimates.
   */
  sliced_from: z.array(slicedSource),
})

export type CostSheet = z.output<typeof costSheet>

const itemCost = z.extend(costSheet, {
  currency: z.string(),
  selling_price: nullable.number,
  /**
   * `profit` is the price minus the cost. `margin_percent` is the profit in percent of the price, and `markup_percent`
   * in percent of the cost. All three are null without a price.
   */
  profit: nullable.number,
  margin_percent: nullable.number,
  markup_percent: nullable.number,
  /** The cost that was last saved with the item. It was calculated with the settings at that time. */
  saved: z.nullable(z.extend(costSheet, { at: timestamp, version: z.number() })),
})
export type ItemCost = z.output<typeof itemCost>

export const getItemCost = get('/api/inventory/:id/cost', 'signed-in', {
  summary: 'Cost of one piece with its calculation, and the profit at the selling price',
  returns: itemCost,
})

export const saveItemCost = post('/api/inventory/:id/cost', 'staff', {
  summary: 'Save the current cost with the item',
  returns: itemCost,
})
