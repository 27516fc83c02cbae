import { HELD_ITEM_STATUSES, type HeldItemStatus, type ItemStatus } from '@pegasus/contracts/statuses'
import type { CreateItemBody, UpdateItemBody } from '@pegasus/contracts/inventory/item-changes'
import { currencyDecimals, fromMinor, toMinor } from '@pegasus/contracts/money'
import { AppError, type FieldError } from '../../../platform/errors/app-error.ts'
import type { ItemFields, ItemRow } from './items.queries.ts'
import { type ItemToAdd, storedColor } from './create-item.ts'

/** What a person may say of an item. */
export type ItemEdit = UpdateItemBody

const MONEY = {
  material_cost: 'material_cost_minor',
  labor_cost: 'labor_cost_minor',
  selling_price: 'selling_price_minor',
} as const satisfies Record<string, keyof ItemFields>

const MONEY_FIELDS = Object.keys(MONEY) as (keyof typeof MONEY)[]

/** On Hold and Reserved hold; any other leaves the status to the quantity. */
const heldOf = (status: ItemStatus): HeldItemStatus | null =>
  HELD_ITEM_STATUSES.find((held) => held === status) ?? null

type Prices = Partial<Pick<ItemFields, (typeof MONEY)[keyof typeof MONEY]>>

/** Amounts in minor units. Throws ITEM_INVALID for those that the currency cannot say. */
function readPrices(edit: Pick<ItemEdit, keyof typeof MONEY>, currency: string): Prices {
  const errors: FieldError[] = []
  const prices: Prices = {}
  for (const field of MONEY_FIELDS) {
    const amount = edit[field]
    if (amount === undefined) continue
    const minor = amount === null ? null : toMinor(amount, currency)
    if (amount !== null && minor === null) {
      const message = `${field} has at most ${currencyDecimals(currency)} decimals in ${currency}`
      errors.push({ path: field, message })
    } else prices[MONEY[field]] = minor
  }
  if (errors[0]) throw new AppError('ITEM_INVALID', { say: errors[0].message, errors })
  return prices
}

const COPIED = [
  'name',
  'reorder_point',
  'max_stock',
  'material_used',
  'color',
  'print_settings',
  'print_time_minutes',
  'weight_grams',
  'pieces_per_print',
  'notes',
] as const satisfies (keyof ItemFields & keyof ItemEdit)[]

/** The fields that an edit names, in the database's words. Throws ITEM_INVALID. */
export function fieldsOfEdit(edit: ItemEdit, currency: string): Partial<ItemFields> {
  const copied = Object.fromEntries(
    COPIED.filter((field) => edit[field] !== undefined).map((field) => [field, edit[field]]),
  ) as Partial<ItemFields>
  return {
    ...copied,
    ...readPrices(edit, currency),
    ...(edit.sku !== undefined && { sku: edit.sku ?? '' }),
    ...(edit.stl_file_id !== undefined && { stl_file_id: edit.stl_file_id || null }),
    ...(edit.status !== undefined && { held_status: heldOf(edit.status) }),
    ...(edit.color_hex !== undefined && { color_hex: storedColor(edit.color_hex) }),
  }
}

/** A new item in the database's words. Throws ITEM_INVALID. */
export function itemToAdd(body: CreateItemBody, currency: string): ItemToAdd {
  const fields: ItemFields = {
    name: body.name,
    sku: '',
    stl_file_id: null,
    reorder_point: body.reorder_point,
    max_stock: body.max_stock,
    held_status: null,
    material_used: null,
    color: null,
    color_hex: null,
    print_settings: null,
    print_time_minutes: null,
    weight_grams: null,
    pieces_per_print: body.pieces_per_print,
    material_cost_minor: null,
    labor_cost_minor: null,
    selling_price_minor: null,
    notes: null,
    ...fieldsOfEdit(body, currency),
  }
  const place = { location: body.location ?? null, bin: body.bin_location ?? null }
  return { fields, quantity: body.quantity, openingKind: 'count', place }
}

/** What of the fields is another than it was. An empty SKU is always one: it stands for a new one. */
export const changesOf = (item: ItemFields, fields: Partial<ItemFields>): Partial<ItemFields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => item[name as keyof ItemFields] !== value),
  )

/** Where an edit puts the item; null where that is where it is. */
export function locationOfEdit(
  item: Pick<ItemRow, 'location' | 'bin_location'>,
  edit: Pick<ItemEdit, 'location' | 'bin_location'>,
): ItemToAdd['place'] | null {
  const location = edit.location === undefined ? item.location : edit.location
  const bin = edit.bin_location === undefined ? item.bin_location : edit.bin_location
  return location === item.location && bin === item.bin_location ? null : { location, bin }
}

/** An item as the audit keeps it: in the words of the wire. */
export const auditedItem = (item: ItemRow, currency: string) => {
  const money = (minor: number | null) => (minor === null ? null : fromMinor(minor, currency))
  return {
    name: item.name,
    sku: item.sku,
    stl_file_id: item.stl_file_id,
    quantity: item.quantity,
    reorder_point: item.reorder_point,
    max_stock: item.max_stock,
    location: item.location,
    bin_location: item.bin_location,
    held_status: item.held_status,
    material_used: item.material_used,
    color: item.color,
    color_hex: item.color_hex,
    print_settings: item.print_settings,
    print_time_minutes: item.print_time_minutes,
    weight_grams: item.weight_grams,
    pieces_per_print: item.pieces_per_print,
    material_cost: money(item.material_cost_minor),
    labor_cost: money(item.labor_cost_minor),
    selling_price: money(item.selling_price_minor),
    notes: item.notes,
  }
}
