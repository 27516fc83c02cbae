import type { SlicedSource } from '@pegasus/contracts/inventory/costs'
import {
  type Costing,
  type SheetLine,
  extrasLines,
  failureLine,
  laborLine,
  materialLine,
  overheadLine,
  preparationLines,
  printerLines,
} from './cost-lines.ts'
import { WHOLE, divideRounded, hundredths, percentOf } from './fixed-point.ts'

/** The cost of one piece in minor units. Each line is rounded, so the lines add up to the cost exactly. */
export interface CostSheet {
  lines: SheetLine[]
  unit_cost_minor: number
  suggested_price_minor: number
  /** The unknown fields of the item. Their lines are missing. */
  missing: ('weight_grams' | 'print_time_minutes')[]
  /**
   * The sliced files that state the weight or the print time. Calculations that were saved by earlier versions have
   * none, or lack `is_provisional`.
   */
  sliced_from?: (Omit<SlicedSource, 'is_provisional'> & { is_provisional?: boolean })[]
}

const sumOf = (lines: readonly SheetLine[]): bigint =>
  lines.reduce((total, line) => total + BigInt(line.amount_minor), 0n)

/** Calculates the cost of one piece with its lines, and the suggested price. */
export function costSheetOf(costing: Costing): CostSheet {
  const material = materialLine(costing)
  const printed = [...(material ? [material] : []), ...printerLines(costing), ...preparationLines(costing)]
  const made = [...printed, failureLine(sumOf(printed), costing), laborLine(costing), ...extrasLines(costing)]
  const lines = [...made, overheadLine(sumOf(made), costing)]
  const unitCost = sumOf(lines)
  const missing: CostSheet['missing'] = material ? [] : ['weight_grams']
  if (costing.item.print_time_minutes === null) missing.push('print_time_minutes')
  return {
    lines,
    unit_cost_minor: Number(unitCost),
    suggested_price_minor: Number(
      divideRounded(unitCost * WHOLE, WHOLE - hundredths(costing.rates.margin_percent)),
    ),
    missing,
    sliced_from: costing.item.sliced_from ?? [],
  }
}

/** Returns the difference between price and cost, and its share of the price (margin) and of the cost (markup). */
export function profitOf(unitCostMinor: number, priceMinor: number | null) {
  if (priceMinor === null) return { profit_minor: null, margin_percent: null, markup_percent: null }
  const profit = priceMinor - unitCostMinor
  return {
    profit_minor: profit,
    margin_percent: percentOf(profit, priceMinor),
    markup_percent: percentOf(profit, unitCostMinor),
  }
}
