import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import {
  DEFAULT_MAX_STOCK,
  DEFAULT_QUANTITY,
  DEFAULT_REORDER_POINT,
  ITEM_NAME_MAX_LENGTH,
  MAX_ITEM_QUANTITY,
  SKU_MAX_LENGTH,
  inventoryItem,
} from './items.ts'
import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from './locations.ts'
import { ITEM_STATUSES } from '../statuses.ts'
import { bulkResult } from '../stl-library/model-changes.ts'
import { clearableText } from '../stl-library/upload.ts'

const { post, put, del } = declareEndpoints('inventory')

export const DEFAULT_ITEM_STATUS = 'In Stock'
export const DEFAULT_PIECES_PER_PRINT = 1
export const MATERIAL_MAX_LENGTH = 100
export const COLOR_MAX_LENGTH = 100
export const PRINT_SETTINGS_MAX_LENGTH = 2000
export const ITEM_NOTES_MAX_LENGTH = 10_000
export const MAX_PRINT_TIME_MINUTES = 1_000_000
export const MAX_PIECES_PER_PRINT = 10_000
export const MAX_WEIGHT_GRAMS = 1_000_000
const MAX_MONEY = 1_000_000_000

/** As every sentence of ours writes it: `1,000,000,000`. */
const inWords = (limit: number): string => limit.toLocaleString('en-US')

/** A whole number; told in the words of the field. */
export const wholeNumber = (name: string, least: number, most: number) => {
  const say = `${name} must be a whole number from ${least} to ${inWords(most)}`
  return z.number(say).check(z.int(say), z.gte(least, say), z.lte(most, say))
}

/** An amount in the configured currency, 0 or more. The server refuses more decimals than the currency has. */
const money = (name: string) => {
  const say = `${name} must be an amount from 0 to ${inWords(MAX_MONEY)}`
  return z.optional(z.nullable(z.number(say).check(z.gte(0, say), z.lte(MAX_MONEY, say))))
}

const itemName = z.string('Name is required').check(
  z.trim(),
  z.minLength(1, 'Name is required'),
  z.maxLength(ITEM_NAME_MAX_LENGTH, `Name has at most ${ITEM_NAME_MAX_LENGTH} characters`),
  z.refine((text) => !text.includes('\0'), 'Name holds a character that no text has'),
)

const COLOR_HEX = /^#?[0-9a-f]{6}(?:[0-9a-f]{2})?$/i

const quantity = wholeNumber('quantity', 0, MAX_ITEM_QUANTITY)
const WEIGHT = `weight_grams must be a weight from 0 to ${MAX_WEIGHT_GRAMS} with at most 2 decimals`

/** What a person says of an item; what is absent stays, or takes its default in a new one. Null and '' clear a text. */
const itemFields = {
  /** Empty: made from a sequence. */
  sku: clearableText(SKU_MAX_LENGTH, 'SKU'),
  /** The model it is made from. */
  stl_file_id: z.optional(
    z.nullable(z.union([z.literal(''), z.uuid('stl_file_id is not an id')], 'stl_file_id is not an id')),
  ),
  reorder_point: z.optional(wholeNumber('reorder_point', 0, MAX_ITEM_QUANTITY)),
  max_stock: z.optional(wholeNumber('max_stock', 0, MAX_ITEM_QUANTITY)),
  /** Path of a place such as `Workshop / Rack A3`; what of it is missing is made. */
  location: clearableText(LOCATION_PATH_MAX_LENGTH, 'Location'),
  /** Name of a bin there, made where it is missing. */
  bin_location: clearableText(LOCATION_NAME_MAX_LENGTH, 'Bin location'),
  /** On Hold and Reserved hold until somebody sets another; the others leave the status to the quantity. */
  status: z.optional(z.enum(ITEM_STATUSES, `status is one of ${ITEM_STATUSES.join(', ')}`)),
  material_used: clearableText(MATERIAL_MAX_LENGTH, 'Material'),
  color: clearableText(COLOR_MAX_LENGTH, 'Color'),
  color_hex: z.optional(
    z.nullable(
      z.pipe(
        z.string().check(
          z.trim(),
          z.refine((text) => text === '' || COLOR_HEX.test(text), 'color_hex is a color such as #FF6A13'),
        ),
        z.transform((text) => text || null),
      ),
    ),
  ),
  print_settings: clearableText(PRINT_SETTINGS_MAX_LENGTH, 'Print settings'),
  print_time_minutes: z.optional(z.nullable(wholeNumber('print_time_minutes', 0, MAX_PRINT_TIME_MINUTES))),
  weight_grams: z.optional(
    z.nullable(
      z.number(WEIGHT).check(
        z.gte(0, WEIGHT),
        z.lte(MAX_WEIGHT_GRAMS, WEIGHT),
        z.refine((grams) => Math.round(grams * 100) / 100 === grams, WEIGHT),
      ),
    ),
  ),
  pieces_per_print: z.optional(wholeNumber('pieces_per_print', 1, MAX_PIECES_PER_PRINT)),
  material_cost: money('material_cost'),
  labor_cost: money('labor_cost'),
  selling_price: money('selling_price'),
  notes: clearableText(ITEM_NOTES_MAX_LENGTH, 'Notes'),
}

/** A new item. What is left out takes its default, those of the form included. */
export const createItemBody = z.object({
  ...itemFields,
  name: itemName,
  /** Opening stock, which becomes the first movement. */
  quantity: z._default(quantity, DEFAULT_QUANTITY),
  reorder_point: z._default(wholeNumber('reorder_point', 0, MAX_ITEM_QUANTITY), DEFAULT_REORDER_POINT),
  max_stock: z._default(wholeNumber('max_stock', 0, MAX_ITEM_QUANTITY), DEFAULT_MAX_STOCK),
  status: z._default(
    z.enum(ITEM_STATUSES, `status is one of ${ITEM_STATUSES.join(', ')}`),
    DEFAULT_ITEM_STATUS,
  ),
  pieces_per_print: z._default(
    wholeNumber('pieces_per_print', 1, MAX_PIECES_PER_PRINT),
    DEFAULT_PIECES_PER_PRINT,
  ),
})
export type CreateItemBody = z.output<typeof createItemBody>

/** An edit. A `quantity` that differs is a count of the stock, and a place that differs a move. */
export const updateItemBody = z.object({
  ...itemFields,
  name: z.optional(itemName),
  quantity: z.optional(quantity),
})
export type UpdateItemBody = z.output<typeof updateItemBody>

const WRITE_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'MODEL_NOT_FOUND',
  'SKU_TAKEN',
  'STOCK_LIMIT',
  'ITEM_INVALID',
  'LOCATION_INVALID',
  'INVALID_INPUT',
] as const

export const createInventoryItem = post('/api/inventory', 'staff', {
  summary: 'Add an item; its opening stock is its first movement',
  body: createItemBody,
  creates: inventoryItem,
  errors: [...WRITE_ERRORS, 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

/** `If-Match` is optional: without it the last write wins; a stale one is answered 412 with `current`, the item now. */
export const updateInventoryItem = put('/api/inventory/:id', 'staff', {
  summary: 'Change an item; what is absent stays',
  body: updateItemBody,
  returns: inventoryItem,
  errors: [...WRITE_ERRORS, 'ITEM_NOT_FOUND', 'PRECONDITION_FAILED'],
})

/** Refused, with what to do about it, while print jobs, reserved pieces or a published product hang on the item. */
export const deleteInventoryItem = del('/api/inventory/:id', 'staff', {
  summary: 'Put an item into the bin, which keeps it for 30 days',
  current: inventoryItem,
  errors: ['ITEM_NOT_FOUND', 'ITEM_IN_USE', 'PRECONDITION_FAILED'],
})

export const restoreInventoryItem = post('/api/inventory/:id/restore', 'staff', {
  summary: 'Take an item out of the bin, with its stock',
  returns: inventoryItem,
  errors: ['ITEM_NOT_FOUND', 'SKU_TAKEN'],
})

export const MAX_BULK_ITEMS = 1000

/** One change for many items; what is absent stays. */
export const bulkItemsBody = z.object({
  ids: z
    .array(z.uuid('This is not an id'))
    .check(
      z.minLength(1, 'Please choose at least one item.'),
      z.maxLength(MAX_BULK_ITEMS, `At most ${MAX_BULK_ITEMS} items at a time.`),
    ),
  reorder_point: itemFields.reorder_point,
  max_stock: itemFields.max_stock,
  status: itemFields.status,
  location: itemFields.location,
  bin_location: itemFields.bin_location,
  stl_file_id: itemFields.stl_file_id,
  material_used: itemFields.material_used,
  color: itemFields.color,
  color_hex: itemFields.color_hex,
  print_settings: itemFields.print_settings,
  pieces_per_print: itemFields.pieces_per_print,
  selling_price: itemFields.selling_price,
  /** Into the bin, or out of it; with nothing else. */
  move: z.optional(z.enum(['bin', 'stock'], 'move is bin or stock')),
})
export type BulkItemsBody = z.output<typeof bulkItemsBody>

/** Those that it cannot be done to are in `failed`, each with its reason; the others are done all the same. */
export const bulkInventory = post('/api/inventory/bulk', 'staff', {
  summary: 'One change for many items, or into the bin or out of it with them',
  body: bulkItemsBody,
  returns: bulkResult,
  errors: ['MODEL_NOT_FOUND', 'ITEM_INVALID', 'LOCATION_INVALID'],
})

export const MAX_IDENTICAL_ITEMS = 100

/** What differs in the copy; everything else is the original's but its stock, its SKU and its label code. */
export const duplicateItemBody = z.object({
  /** `… (copy)` where it is left out. */
  name: z.optional(itemName),
  sku: itemFields.sku,
  quantity: z._default(quantity, 0),
})
export type DuplicateItemBody = z.output<typeof duplicateItemBody>

export const duplicateInventoryItem = post('/api/inventory/:id/duplicate', 'staff', {
  summary: 'Another item like this one, with a SKU of its own and no stock unless told',
  body: duplicateItemBody,
  creates: inventoryItem,
  errors: [...WRITE_ERRORS, 'ITEM_NOT_FOUND', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

/** `copies` items with the same fields. A SKU of `HOOK` becomes `HOOK-1`, `HOOK-2`, …; an empty one a new one for each. */
export const createIdenticalBody = z.extend(createItemBody, {
  copies: wholeNumber('copies', 1, MAX_IDENTICAL_ITEMS),
})
export type CreateIdenticalBody = z.output<typeof createIdenticalBody>

export const createIdenticalItems = post('/api/inventory/identical', 'staff', {
  summary: 'Add several items that are alike, all or none',
  body: createIdenticalBody,
  creates: z.array(inventoryItem),
  errors: [...WRITE_ERRORS, 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})
