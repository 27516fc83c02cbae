import * as z from 'zod/mini'
import { bulkIds, clearableText, numberBetween, requiredText, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ITEM_NAME_MAX_LENGTH, MAX_ITEM_QUANTITY, SKU_MAX_LENGTH, inventoryItem } from './items.ts'
import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from './locations.ts'
import { ITEM_STATUSES } from '../statuses.ts'
import { bulkResult } from '../stl-library/model-changes.ts'

const { post, put, declareTrash } = declareEndpoints('inventory', { notFound: 'ITEM_NOT_FOUND' })

/** Default values of a new item. All other fields are empty by default. */
export const ITEM_DEFAULTS = {
  quantity: 1,
  reorder_point: 5,
  max_stock: 100,
  safety_stock: 0,
  status: 'In Stock',
  pieces_per_print: 1,
} as const

export const MATERIAL_MAX_LENGTH = 100
export const COLOR_MAX_LENGTH = 100
const PRINT_SETTINGS_MAX_LENGTH = 2000
const ITEM_NOTES_MAX_LENGTH = 10_000
export const MAX_PRINT_TIME_MINUTES = 1_000_000
export const MAX_PIECES_PER_PRINT = 10_000
const MAX_WEIGHT_GRAMS = 1_000_000
const MAX_MONEY = 1_000_000_000

/** An amount in the configured currency. The server refuses more decimals than the currency has. */
const money = (name: string) => z.optional(z.nullable(numberBetween(name, 0, MAX_MONEY)))

const itemName = requiredText(ITEM_NAME_MAX_LENGTH, 'Name')

const COLOR_HEX = /^#?[0-9a-f]{6}(?:[0-9a-f]{2})?$/i

const quantity = wholeNumber('quantity', 0, MAX_ITEM_QUANTITY)
const reorderPoint = wholeNumber('reorder_point', 0, MAX_ITEM_QUANTITY)
const maxStock = wholeNumber('max_stock', 0, MAX_ITEM_QUANTITY)
const safetyStock = wholeNumber('safety_stock', 0, MAX_ITEM_QUANTITY)
const status = z.enum(ITEM_STATUSES, `status must be one of ${ITEM_STATUSES.join(', ')}`)
const piecesPerPrint = wholeNumber('pieces_per_print', 1, MAX_PIECES_PER_PRINT)
const WEIGHT = `weight_grams must be a weight from 0 to ${MAX_WEIGHT_GRAMS} with at most 2 decimals`

/**
 * Fields of an item that a person enters. A missing field stays unchanged, or gets its default in a new item.
 * Null and '' clear a text field.
 */
const itemFields = {
  /** If it is empty, the item gets the next number of a sequence. */
  sku: clearableText(SKU_MAX_LENGTH, 'SKU'),
  /** The model from which the item is printed. */
  stl_file_id: z.optional(
    z.nullable(z.union([z.literal(''), z.uuid('stl_file_id is not an id')], 'stl_file_id is not an id')),
  ),
  reorder_point: z.optional(reorderPoint),
  max_stock: z.optional(maxStock),
  safety_stock: z.optional(safetyStock),
  /** Path of a location such as `Workshop / Rack A3`. Missing locations in it are created. */
  location: clearableText(LOCATION_PATH_MAX_LENGTH, 'Location'),
  /** Name of a storage bin in the location. The bin is created if it does not exist. */
  bin_location: clearableText(LOCATION_NAME_MAX_LENGTH, 'Bin location'),
  /**
   * On Hold and Reserved stay until a person sets another status. With any other value, the status follows from the
   * quantity.
   */
  status: z.optional(status),
  material_used: clearableText(MATERIAL_MAX_LENGTH, 'Material'),
  color: clearableText(COLOR_MAX_LENGTH, 'Color'),
  color_hex: z.optional(
    z.nullable(
      z.pipe(
        z.string().check(
          z.trim(),
          z.refine(
            (text) => text === '' || COLOR_HEX.test(text),
            'color_hex must be a color such as #FF6A13',
          ),
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
  pieces_per_print: z.optional(piecesPerPrint),
  material_cost: money('material_cost'),
  labor_cost: money('labor_cost'),
  selling_price: money('selling_price'),
  notes: clearableText(ITEM_NOTES_MAX_LENGTH, 'Notes'),
}

/** A new item. Missing fields get their defaults. */
export const createItemBody = z.object({
  ...itemFields,
  name: itemName,
  /** Opening stock, which becomes the first movement. */
  quantity: z._default(quantity, ITEM_DEFAULTS.quantity),
  reorder_point: z._default(reorderPoint, ITEM_DEFAULTS.reorder_point),
  max_stock: z._default(maxStock, ITEM_DEFAULTS.max_stock),
  safety_stock: z._default(safetyStock, ITEM_DEFAULTS.safety_stock),
  status: z._default(status, ITEM_DEFAULTS.status),
  pieces_per_print: z._default(piecesPerPrint, ITEM_DEFAULTS.pieces_per_print),
})
export type CreateItemBody = z.output<typeof createItemBody>

/** An edit of an item. A new `quantity` is recorded as a count, and a new location as a move. */
export const updateItemBody = z.object({
  ...itemFields,
  name: z.optional(itemName),
  quantity: z.optional(quantity),
})
export type UpdateItemBody = z.output<typeof updateItemBody>

const WRITE_ERRORS = [
  'MODEL_NOT_FOUND',
  'SKU_TAKEN',
  'STOCK_LIMIT',
  'ITEM_INVALID',
  'LOCATION_INVALID',
] as const
const CREATE_ERRORS = [...WRITE_ERRORS, 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'] as const

export const createInventoryItem = post('/api/inventory', 'staff', {
  summary: 'Add an item; its first movement is the opening stock',
  body: createItemBody,
  creates: inventoryItem,
  errors: CREATE_ERRORS,
})

/**
 * `If-Match` is optional. Without it, the edit overwrites earlier edits. If it is outdated, the response is
 * 412 with the item as `current`.
 */
export const updateInventoryItem = put('/api/inventory/:id', 'staff', {
  summary: 'Change an item; missing fields stay unchanged',
  body: updateItemBody,
  returns: inventoryItem,
  errors: [...WRITE_ERRORS, 'PRECONDITION_FAILED'],
})

/**
 * Deletion is refused, with advice, while print jobs, reserved pieces or a published product depend on the
 * item.
 */
export const { remove: deleteInventoryItem, restore: restoreInventoryItem } = declareTrash(
  '/api/inventory',
  'staff',
  {
    name: 'an item',
    returns: inventoryItem,
    remove: ['ITEM_IN_USE'],
    restore: ['SKU_TAKEN'],
  },
)

export const MAX_BULK_ITEMS = 1000

/** One change for many items. Missing fields stay unchanged. */
const bulkItemsBody = z.object({
  ids: bulkIds('item', MAX_BULK_ITEMS),
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
  /** Moves the items to the trash or back. No other change may be combined with it. */
  move: z.optional(z.enum(['bin', 'stock'], 'move must be bin or stock')),
})
export type BulkItemsBody = z.output<typeof bulkItemsBody>

/** Items that cannot be changed are listed in `failed`, each with its reason. The others are changed. */
export const bulkInventory = post('/api/inventory/bulk', 'staff', {
  summary: 'Apply one change to many items, move them to the trash, or restore them',
  body: bulkItemsBody,
  returns: bulkResult,
  errors: ['MODEL_NOT_FOUND', 'ITEM_INVALID', 'LOCATION_INVALID'],
})

export const MAX_IDENTICAL_ITEMS = 100

/**
 * The fields that differ in the copy. The other fields are copied from the original, except stock, SKU and
 * label code.
 */
const duplicateItemBody = z.object({
  /** The default is the original name with `(copy)`. */
  name: z.optional(itemName),
  sku: itemFields.sku,
  quantity: z._default(quantity, 0),
})
export type DuplicateItemBody = z.output<typeof duplicateItemBody>

export const duplicateInventoryItem = post('/api/inventory/:id/duplicate', 'staff', {
  summary: 'Copy an item; by default, the copy gets a new SKU and no stock',
  body: duplicateItemBody,
  creates: inventoryItem,
  errors: [...CREATE_ERRORS],
})

/**
 * Creates `copies` items with the same fields. The SKU `HOOK` becomes `HOOK-1`, `HOOK-2`, …. If the SKU is empty, each
 * item gets a new SKU.
 */
export const createIdenticalBody = z.extend(createItemBody, {
  copies: wholeNumber('copies', 1, MAX_IDENTICAL_ITEMS),
})
export type CreateIdenticalBody = z.output<typeof createIdenticalBody>

export const createIdenticalItems = post('/api/inventory/identical', 'staff', {
  summary: 'Add several identical items; all or none are added',
  body: createIdenticalBody,
  creates: z.array(inventoryItem),
  errors: CREATE_ERRORS,
})
