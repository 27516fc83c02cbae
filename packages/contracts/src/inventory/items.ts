import * as z from 'zod/mini'
import {
  deletedOnly,
  linkedModel,
  nullable,
  optionalId,
  queryText,
  searchText,
  trashableTimes,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ITEM_STATUSES } from '../statuses.ts'

const { get, list } = declareEndpoints('inventory', { notFound: 'ITEM_NOT_FOUND' })

export const MAX_ITEM_QUANTITY = 1_000_000_000
export const ITEM_NAME_MAX_LENGTH = 200
export const SKU_MAX_LENGTH = 64

/** An item in stock. Money is in the configured currency; unknown values are null. */
export const inventoryItem = z.object({
  id: z.uuid(),
  /** The code on the item's label, such as `I-00042`. */
  label_code: z.string(),
  name: z.string(),
  sku: z.string(),
  ...linkedModel,
  quantity: z.number(),
  reserved_quantity: z.number(),
  /**
   * Quantity minus the reserved pieces. Negative if pieces that an order had reserved went missing, and the server
   * could not release the reservation because the order was being changed at that moment.
   */
  available_quantity: z.number(),
  reorder_point: z.number(),
  max_stock: z.number(),
  /** Pieces that are not offered to shops. */
  safety_stock: z.number(),
  /** Path of the location, starting at the root: `Workshop / Rack A3`. */
  location: nullable.text,
  /** Name of the storage bin in that location. */
  bin_location: nullable.text,
  /** Id of the storage bin, or of the location itself if there is no bin. */
  location_id: nullable.id,
  status: z.enum(ITEM_STATUSES),
  material_used: nullable.text,
  color: nullable.text,
  /** The color as `#RRGGBB`, for a color sample. */
  color_hex: nullable.text,
  print_settings: nullable.text,
  /** Duration of one print, which makes `pieces_per_print` pieces. */
  print_time_minutes: nullable.number,
  /** Weight of the filament for one piece. */
  weight_grams: nullable.number,
  pieces_per_print: z.number(),
  /**
   * Cost of one piece that a person entered. If it is null, the cost is calculated (see `GET
   * /api/inventory/:id/cost`).
   */
  material_cost: nullable.number,
  labor_cost: nullable.number,
  selling_price: nullable.number,
  notes: nullable.text,
  qr_code_path: nullable.text,
  ...trashableTimes,
  /** Clients send it in quotes as `If-Match` when they change the item. Stock movements also increment it. */
  revision: z.number(),
})
export type InventoryItem = z.output<typeof inventoryItem>

/**
 * `quantity` lists the fewest pieces first, `most` the most pieces first, and `updated` the latest change or
 * movement first.
 */
export const INVENTORY_SORTS = ['newest', 'oldest', 'name', 'quantity', 'most', 'updated'] as const
export type InventorySort = (typeof INVENTORY_SORTS)[number]

/** Filters of the list of items and of its export. An item must match all of them. */
export const inventoryFilter = {
  /** Each word must occur in the name, SKU, label code, material, color or location. */
  search: searchText,
  status: z.optional(z.enum(ITEM_STATUSES, 'status must be one of the statuses of an item')),
  /** Items at or below their reorder point, regardless of their status. */
  low_stock_only: z._default(z.stringbool({ error: 'low_stock_only must be true or false' }), false),
  /** Items in this location or in a location below it. */
  location_id: optionalId('location_id'),
  /** The full name of a material. Case is ignored. */
  material: queryText('material', 100),
  /** Items made from this model. */
  stl_file_id: optionalId('stl_file_id'),
  sort: z._default(z.enum(INVENTORY_SORTS, `sort must be one of ${INVENTORY_SORTS.join(', ')}`), 'newest'),
  /**
   * Lists the trash instead of the stock. In that case, `newest` and `oldest` sort by the time of deletion.
   */
  deleted: deletedOnly,
}

export const listInventory = list('/api/inventory', 'signed-in', {
  summary: 'Items in stock, newest first unless sorted otherwise',
  filter: {
    ...inventoryFilter,
    // The cursor is longer than in other lists, because it contains the last name if the list is sorted by
    // name.
    cursor: z.optional(z.string().check(z.maxLength(2500, 'cursor is too long'))),
  },
  of: inventoryItem,
})

export const getInventoryItem = get('/api/inventory/:id', 'signed-in', {
  summary: 'One item, with its ETag',
  returns: inventoryItem,
})
