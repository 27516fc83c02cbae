import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import {
  type CreateItemBody,
  ITEM_DEFAULTS,
  type UpdateItemBody,
} from '@pegasus/contracts/inventory/item-changes'
import { currencyDecimals, fromMinor, toMinor } from '@pegasus/contracts/money'
import { HELD_ITEM_STATUSES, type HeldItemStatus, type ItemStatus } from '@pegasus/contracts/statuses'
import type { Floats, Row } from '../../../platform/database/column-types.ts'
import { AppError, type FieldError } from '../../../platform/errors/app-error.ts'

/**
 * The columns of an item that people can edit, with the default of each for a new item. Edits, copies and audit entries
 * use this list. An item with an empty SKU gets a generated one.
 */
export const NEW_ITEM_FIELDS = {
  name: '',
  sku: '',
  stl_file_id: null,
  reorder_point: ITEM_DEFAULTS.reorder_point,
  max_stock: ITEM_DEFAULTS.max_stock,
  safety_stock: ITEM_DEFAULTS.safety_stock,
  held_status: null,
  material_used: null,
  color: null,
  color_hex: null,
  print_settings: null,
  print_time_minutes: null,
  weight_grams: null,
  pieces_per_print: ITEM_DEFAULTS.pieces_per_print,
  material_cost_minor: null,
  labor_cost_minor: null,
  selling_price_minor: null,
  notes: null,
}

type ItemColumn = keyof typeof NEW_ITEM_FIELDS

/** The columns that people can edit, as the database stores them. Money is in minor units. */
export type ItemFields = Row<'items', Exclude<ItemColumn, 'weight_grams'>> & Floats<'items', 'weight_grams'>

const COLUMNS = Object.keys(NEW_ITEM_FIELDS) as ItemColumn[]

const MONEY = {
  material_cost: 'material_cost_minor',
  labor_cost: 'labor_cost_minor',
  selling_price: 'selling_price_minor',
} as const satisfies Partial<Record<keyof InventoryItem, ItemColumn>>

type Price = keyof typeof MONEY
type PriceColumn = (typeof MONEY)[Price]

const PRICES = Object.keys(MONEY) as Price[]

type WireName = Exclude<ItemColumn, 'held_status' | PriceColumn> | 'status' | Price

/** Columns that have another name in the API. */
const WIRE_NAMES: ReadonlyMap<string, WireName> = new Map<string, WireName>([
  ['held_status', 'status'],
  ...PRICES.map((price): [string, Price] => [MONEY[price], price]),
])

/** Returns the API's name of a column. */
export const wireNameOf = (column: string): WireName => WIRE_NAMES.get(column) ?? (column as WireName)

/** An item to add. `location` is a path; missing locations in it are created. */
export interface ItemToAdd {
  fields: ItemFields
  quantity: number
  openingKind: 'receive' | 'count'
  place: { location: string | null; bin: string | null }
}

/** Picks the editable columns of an item. */
export const itemFieldsOf = (item: ItemFields): ItemFields =>
  Object.fromEntries(COLUMNS.map((column) => [column, item[column]])) as unknown as ItemFields

/** Returns the prices of an item, in units of the currency. */
export const presentPrices = (item: Pick<ItemFields, PriceColumn>, currency: string) =>
  Object.fromEntries(
    PRICES.map((price) => {
      const minor = item[MONEY[price]]
      return [price, minor === null ? null : fromMinor(minor, currency)]
    }),
  ) as Record<Price, number | null>

/**
 * Converts prices to minor units. Throws ITEM_INVALID for amounts with more decimals than the currency has.
 */
function readPrices(edit: Pick<UpdateItemBody, Price>, currency: string): Partial<ItemFields> {
  const errors: FieldError[] = []
  const prices: Partial<Record<PriceColumn, number | null>> = {}
  for (const price of PRICES) {
    const amount = edit[price]
    if (amount === undefined) continue
    const minor = amount === null ? null : toMinor(amount, currency)
    if (amount !== null && minor === null) {
      const message = `${price} can have at most ${currencyDecimals(currency)} decimals in ${currency}`
      errors.push({ path: price, message })
    } else prices[MONEY[price]] = minor
  }
  if (errors[0]) throw new AppError('ITEM_INVALID', { text: errors[0].message, errors })
  return prices
}

/**
 * Returns the status if people can set it (On Hold or Reserved), otherwise null. The database derives every other
 * status from the quantity.
 */
const heldStatusOf = (status: ItemStatus): HeldItemStatus | null =>
  HELD_ITEM_STATUSES.find((held) => held === status) ?? null

/** Converts `#rrggbb` to the form that the database stores: `RRGGBB`. */
export const storedColor = (color: string | null | undefined): string | null =>
  color?.replace('#', '').toUpperCase() ?? null

/** Returns the columns that an edit sets. Throws ITEM_INVALID. */
export function fieldsOfEdit(edit: UpdateItemBody, currency: string): Partial<ItemFields> {
  const given: Partial<Record<string, unknown>> = edit
  const sameNames = Object.fromEntries(
    COLUMNS.filter((column) => given[column] !== undefined).map((column) => [column, given[column]]),
  ) as Partial<ItemFields>
  return {
    ...sameNames,
    ...readPrices(edit, currency),
    ...(edit.sku !== undefined && { sku: edit.sku ?? '' }),
    ...(edit.stl_file_id !== undefined && { stl_file_id: edit.stl_file_id || null }),
    ...(edit.status !== undefined && { held_status: heldStatusOf(edit.status) }),
    ...(edit.color_hex !== undefined && { color_hex: storedColor(edit.color_hex) }),
  }
}

/** Returns the item that a request describes. Throws ITEM_INVALID. */
export const itemToAdd = (body: CreateItemBody, currency: string): ItemToAdd => ({
  fields: { ...NEW_ITEM_FIELDS, ...fieldsOfEdit(body, currency) },
  quantity: body.quantity,
  openingKind: 'count',
  place: { location: body.location ?? null, bin: body.bin_location ?? null },
})

/**
 * Returns the given columns whose value differs from the item's. An empty SKU always differs, because it
 * requests a new SKU.
 */
export const changesOf = (item: ItemFields, fields: Partial<ItemFields>): Partial<ItemFields> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => item[name as ItemColumn] !== value))

interface ItemPlace {
  location: string | null
  bin_location: string | null
}

/** Returns the location to which an edit moves an item, or null if the item stays where it is. */
export function locationOfEdit(
  item: ItemPlace,
  edit: Pick<UpdateItemBody, 'location' | 'bin_location'>,
): ItemToAdd['place'] | null {
  const location = edit.location === undefined ? item.location : edit.location
  const bin = edit.bin_location === undefined ? item.bin_location : edit.bin_location
  return location === item.location && bin === item.bin_location ? null : { location, bin }
}

/**
 * Returns an item in the form in which the audit stores it: the editable columns, with prices as in the API.
 */
export const auditedItem = (item: ItemFields & ItemPlace & { quantity: number }, currency: string) => ({
  ...Object.fromEntries(
    COLUMNS.filter((column) => !column.endsWith('_minor')).map((column) => [column, item[column]]),
  ),
  ...presentPrices(item, currency),
  quantity: item.quantity,
  location: item.location,
  bin_location: item.bin_location,
})
