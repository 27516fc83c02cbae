import type { CostLine, SlicedSource } from '@pegasus/contracts/inventory/costs'
import { currencyDecimals, fromMinor } from '@pegasus/contracts/money'
import type { Rates } from './cost-settings.queries.ts'
import { MILLION, WHOLE, divideRounded, hundredths, millionths } from './fixed-point.ts'

/** The fields of an item from which its cost is calculated. Unknown fields are null. */
export interface CostedItem {
  weight_grams: number | null
  print_time_minutes: number | null
  pieces_per_print: number
  /**
   * Number of plates to prepare for one print. The default is 1. It can be a fraction if the pieces of several models
   * share plates with other pieces.
   */
  plates_per_print?: number
  material_cost_minor: number | null
  labor_cost_minor: number | null
  /** The part of `weight_grams` that comes from sliced files. It already contains the waste. */
  sliced_grams?: number
  /** The sliced files that state the weight or the print time. */
  sliced_from?: SlicedSource[]
  /** Numbers of good and rejected pieces printed so far. Null until at least 20 pieces have been printed. */
  printed?: { good: number; bad: number } | null
}

/**
 * Returns the share of failed pieces in percent: among the item's printed pieces, or from the settings if too few were
 * printed.
 */
export function failurePercent({ item: { printed }, rates }: Pick<Costing, 'item' | 'rates'>): number {
  if (!printed || printed.good === 0) return rates.failure_percent
  // Rounding must not yield 100 %, because the cost is divided by the share of good pieces.
  return Math.min(9999, Math.round((10_000 * printed.bad) / (printed.good + printed.bad))) / 100
}

/** A line of the calculation for one piece. The amount is a whole number of minor units. */
export interface SheetLine extends Omit<CostLine, 'amount'> {
  amount_minor: number
}

/** An item and the rates for its calculation. */
export interface Costing {
  item: CostedItem
  rates: Rates
  currency: string
}

type Input = CostLine['inputs'][number]

const money = (minor: number, currency: string): string =>
  `${fromMinor(minor, currency).toFixed(currencyDecimals(currency))} ${currency}`

const price = (name: string, minor: number, { currency }: Costing, per: string): Input => ({
  name,
  value: fromMinor(minor, currency),
  unit: `${currency}/${per}`,
})

const rate = (name: keyof Rates, { rates }: Costing, unit: string): Input => ({
  name,
  value: rates[name],
  unit,
})

/** The number of pieces of one print, which share its cost. */
const plate = ({ item }: Costing): Input => ({
  name: 'pieces_per_print',
  value: item.pieces_per_print,
  unit: 'pieces',
})
const perPiece = ({ item: { pieces_per_print: pieces } }: Costing): string =>
  pieces === 1 ? '' : ` ÷ ${pieces} pieces`

/** Returns a line for an entered amount, which replaces a calculated line. */
const entered = (
  kind: 'material' | 'labor',
  label: string,
  amountMinor: number,
  costing: Costing,
): SheetLine => ({
  kind,
  label,
  amount_minor: amountMinor,
  is_entered: true,
  formula: 'as entered',
  inputs: [price(`${kind}_cost`, amountMinor, costing, 'piece')],
})

const computed = (line: Omit<SheetLine, 'amount_minor' | 'is_entered'> & { amount: bigint }): SheetLine => {
  const { amount, ...rest } = line
  return { ...rest, amount_minor: Number(amount), is_entered: false }
}

/**
 * Returns the line for material, or null if neither the material cost nor the weight of the piece is known.
 */
export function materialLine(costing: Costing): SheetLine | null {
  const { item, rates, currency } = costing
  const { weight_grams: grams, material_cost_minor: known } = item
  if (known !== null) return entered('material', 'Material', known, costing)
  if (grams === null) return null
  const unsliced = Math.round(100 * (grams - (item.sliced_grams ?? 0))) / 100
  const waste = hundredths(unsliced) * hundredths(rates.waste_percent)
  const isSliced = item.sliced_grams !== undefined && unsliced === 0
  const ofPart = item.sliced_grams === undefined ? '' : ` of ${unsliced} g`
  return computed({
    kind: 'material',
    label: 'Material',
    amount: divideRounded(
      (hundredths(grams) * WHOLE + waste) * BigInt(rates.material_minor_per_kg),
      100n * WHOLE * 1000n,
    ),
    formula: `${grams} g${isSliced ? '' : ` + ${rates.waste_percent} % waste${ofPart}`}, at ${money(rates.material_minor_per_kg, currency)}/kg`,
    inputs: [
      { name: 'weight_grams', value: grams, unit: 'g' },
      ...(isSliced ? [] : [rate('waste_percent', costing, '%')]),
      price('material_price_per_kg', rates.material_minor_per_kg, costing, 'kg'),
    ],
  })
}

/**
 * Returns the lines for electricity and for wear of the printer during the print, or an empty list if the print time is
 * unknown.
 */
export function printerLines(costing: Costing): SheetLine[] {
  const { item, rates, currency } = costing
  const { print_time_minutes: minutes } = item
  if (minutes === null) return []
  const pieces = BigInt(item.pieces_per_print)
  const time: Input = { name: 'print_time_minutes', value: minutes, unit: 'min' }
  const wattMinutes = BigInt(rates.printer_watts) * BigInt(minutes)
  const perKwh = fromMinor(rates.electricity_minor_per_mwh, currency) / 1000
  const electricity = computed({
    kind: 'electricity',
    label: 'Electricity',
    amount: divideRounded(wattMinutes * BigInt(rates.electricity_minor_per_mwh), 60n * 1_000_000n * pieces),
    formula: `${rates.printer_watts} W × ${minutes} min × ${perKwh} ${currency}/kWh${perPiece(costing)}`,
    inputs: [
      rate('printer_watts', costing, 'W'),
      time,
      { name: 'electricity_price_per_kwh', value: perKwh, unit: `${currency}/kWh` },
      plate(costing),
    ],
  })
  const machine = computed({
    kind: 'machine',
    label: 'Machine time',
    amount: divideRounded(BigInt(minutes) * BigInt(rates.machine_minor_per_hour), 60n * pieces),
    formula: `${minutes} min × ${money(rates.machine_minor_per_hour, currency)}/h${perPiece(costing)}`,
    inputs: [
      time,
      price('machine_price_per_hour', rates.machine_minor_per_hour, costing, 'h'),
      plate(costing),
    ],
  })
  return [electricity, machine]
}

/** Returns the line for working minutes, at the wage from the settings. */
function workLine(
  kind: 'preparation' | 'finishing',
  label: string,
  work: { minutes: keyof Rates; pieces: number },
  costing: Costing,
): SheetLine {
  const { rates, currency } = costing
  const wage = rates.labor_minor_per_hour
  const minutes = rates[work.minutes]
  const isShared = kind === 'preparation'
  const plates = isShared ? (costing.item.plates_per_print ?? 1) : 1
  // Only the displayed number is rounded.
  const shownPlates = Number(plates.toPrecision(4))
  return computed({
    kind,
    label,
    amount: divideRounded(
      hundredths(minutes) * millionths(plates) * BigInt(wage),
      6000n * MILLION * BigInt(work.pieces),
    ),
    formula: `${minutes} min${shownPlates !== 1 ? ` × ${shownPlates} plates` : ''} × ${money(wage, currency)}/h${isShared ? perPiece(costing) : ''}`,
    inputs: [
      rate(work.minutes, costing, 'min'),
      price('labor_price_per_hour', wage, costing, 'h'),
      ...(shownPlates !== 1 ? [{ name: 'plates_per_print', value: shownPlates, unit: 'plates' }] : []),
      ...(isShared ? [plate(costing)] : []),
    ],
  })
}

/**
 * Returns the line for preparing a print, which failed prints need, too. Returns an empty list if the item has one
 * entered amount for all labor.
 */
export const preparationLines = (costing: Costing): SheetLine[] =>
  costing.item.labor_cost_minor === null
    ? [
        workLine(
          'preparation',
          'Preparing the print',
          { minutes: 'prepare_minutes_per_print', pieces: costing.item.pieces_per_print },
          costing,
        ),
      ]
    : []

/** Returns the line for finishing a good piece, or the line with the entered amount for all labor. */
export const laborLine = (costing: Costing): SheetLine =>
  costing.item.labor_cost_minor === null
    ? workLine('finishing', 'Finishing', { minutes: 'finish_minutes_per_piece', pieces: 1 }, costing)
    : entered('labor', 'Labor', costing.item.labor_cost_minor, costing)

/**
 * Returns the line for failed prints. The good prints share their cost: with 5 % failures, 95 of 100 prints
 * carry the cost of 100.
 */
export function failureLine(printed: bigint, costing: Costing): SheetLine {
  const { item, currency } = costing
  const percent = failurePercent(costing)
  const failed = hundredths(percent)
  const cost = money(Number(printed), currency)
  const { good = 0, bad = 0 } = item.printed ?? {}
  const counted = good === 0 ? '' : `, as ${bad} of ${good + bad} pieces failed`
  return computed({
    kind: 'failures',
    label: 'Failed prints',
    amount: divideRounded(printed * failed, WHOLE - failed),
    formula: `${cost} ÷ (1 − ${percent} %) − ${cost}${counted}`,
    inputs: [{ name: 'failure_percent', value: percent, unit: '%' }],
  })
}

export function extrasLines(costing: Costing): SheetLine[] {
  const minor = costing.rates.extras_minor_per_piece
  if (minor === 0) return []
  const inputs = [price('extras_per_piece', minor, costing, 'piece')]
  return [
    computed({
      kind: 'extras',
      label: 'Extras',
      amount: BigInt(minor),
      formula: 'from the cost settings',
      inputs,
    }),
  ]
}

export function overheadLine(cost: bigint, costing: Costing): SheetLine {
  const { rates, currency } = costing
  return computed({
    kind: 'overhead',
    label: 'Overhead',
    amount: divideRounded(cost * hundredths(rates.overhead_percent), WHOLE),
    formula: `${rates.overhead_percent} % of ${money(Number(cost), currency)}`,
    inputs: [rate('overhead_percent', costing, '%')],
  })
}
