import * as z from 'zod/mini'
import { actor, pageQuery, queryText, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ITEM_STATUSES } from '../statuses.ts'

const { get } = declareEndpoints('inventory')

export const DEFAULT_QUANTITY = 1
export const DEFAULT_REORDER_POINT = 5
export const DEFAULT_MAX_STOCK = 100
export const MAX_ITEM_QUANTITY = 1_000_000_000
export const ITEM_NAME_MAX_LENGTH = 200
export const SKU_MAX_LENGTH = 64

/** An item in stock. Money is in the configured currency; what is not known is null. */
export const inventoryItem = z.object({
  id: z.uuid(),
  /** What its label says and a scanner reads: `I-00042`. */
  label_code: z.string(),
  name: z.string(),
  sku: z.string(),
  stl_file_id: z.nullable(z.uuid()),
  stl_file_title: z.nullable(z.string()),
  /** Picture of the linked model, as a signed path. */
  stl_thumbnail_path: z.nullable(z.string()),
  quantity: z.number(),
  reserved_quantity: z.number(),
  /** Quantity less what is reserved; negative where a count found less than was promised. */
  available_quantity: z.number(),
  reorder_point: z.number(),
  max_stock: z.number(),
  /** Path of the place, from the root down: `Workshop / Rack A3`. */
  location: z.nullable(z.string()),
  /** Name of the bin there. */
  bin_location: z.nullable(z.string()),
  /** The bin, or the place where there is no bin, in the tree of locations. */
  location_id: z.nullable(z.uuid()),
  status: z.enum(ITEM_STATUSES),
  material_used: z.nullable(z.string()),
  color: z.nullable(z.string()),
  /** `#RRGGBB`, for a swatch. */
  color_hex: z.nullable(z.string()),
  print_settings: z.nullable(z.string()),
  /** How long one print takes, which yields `pieces_per_print`. */
  print_time_minutes: z.nullable(z.number()),
  /** Filament in one piece. */
  weight_grams: z.nullable(z.number()),
  pieces_per_print: z.number(),
  /** Of one piece, as somebody entered it; empty: computed (see `GET /api/inventory/:id/cost`). */
  material_cost: z.nullable(z.number()),
  labor_cost: z.nullable(z.number()),
  selling_price: z.nullable(z.number()),
  notes: z.nullable(z.string()),
  qr_code_path: z.nullable(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
  /** When it was put into the bin, which keeps it for 30 days; null in stock. */
  deleted_at: z.nullable(timestamp),
  /** What `If-Match` wants, in quotes. Movements count as changes. */
  revision: z.number(),
})
export type InventoryItem = z.output<typeof inventoryItem>

/** `quantity` begins with the fewest pieces, `most` with the most; `updated` with what changed or moved last. */
export const INVENTORY_SORTS = ['newest', 'oldest', 'name', 'quantity', 'most', 'updated'] as const
export type InventorySort = (typeof INVENTORY_SORTS)[number]

/** What can be asked of the list of items, and of its export; all of it is joined by "and". */
export const inventoryFilter = {
  /** Each word must occur in name, SKU, label code, material, colour or place. */
  search: searchText,
  status: z.optional(z.enum(ITEM_STATUSES, 'status is not one of the statuses of an item')),
  /** Items at or below their reorder point, whatever their status. */
  low_stock_only: z._default(z.stringbool({ error: 'low_stock_only must be true or false' }), false),
  /** Items in this location and in all that it holds. */
  location_id: z.optional(z.uuid('location_id is not an id')),
  /** The material, whole; its case does not count. */
  material: queryText('material', 100),
  /** Items made from this model. */
  stl_file_id: z.optional(z.uuid('stl_file_id is not an id')),
  sort: z._default(z.enum(INVENTORY_SORTS, `sort is one of ${INVENTORY_SORTS.join(', ')}`), 'newest'),
  /** The bin instead of the stock; `newest` and `oldest` then go by when things got there. */
  deleted: z.optional(z.enum(['true'], 'deleted is true or absent')),
}

export const listInventory = get('/api/inventory', 'signed-in', {
  summary: 'Items in stock, newest first unless sorted otherwise',
  query: z.object({
    ...pageQuery,
    ...inventoryFilter,
    // Longer than other lists': by name, it names the item that comes last.
    cursor: z.optional(z.string().check(z.maxLength(2500, 'cursor is too long'))),
  }),
  returns: z.array(inventoryItem),
})

export const getInventoryItem = get('/api/inventory/:id', 'signed-in', {
  summary: 'One item, with its ETag',
  returns: inventoryItem,
  errors: ['ITEM_NOT_FOUND'],
})

export const MOVEMENT_KINDS = [
  'receive',
  'produce',
  'ship',
  'return',
  'move',
  'count',
  'adjust',
  'scrap',
  'reserve',
  'release',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

export const stockMovement = z.object({
  id: z.uuid(),
  inventory_item_id: z.uuid(),
  kind: z.enum(MOVEMENT_KINDS),
  delta: z.number(),
  reserved_delta: z.number(),
  quantity_after: z.number(),
  reserved_after: z.number(),
  reason: z.nullable(z.string()),
  from_location: z.nullable(z.string()),
  to_location: z.nullable(z.string()),
  /** The order or print job it belongs to. */
  document: z.nullable(z.object({ kind: z.enum(['order', 'print_job']), id: z.uuid() })),
  /** The movement that this one takes back. */
  undoes_id: z.nullable(z.uuid()),
  /** The movement that took this one back. */
  undone_by_id: z.nullable(z.uuid()),
  actor,
  created_at: timestamp,
})
export type StockMovement = z.output<typeof stockMovement>

export const listItemMovements = get('/api/inventory/:id/movements', 'signed-in', {
  summary: 'How an item came to its quantity, newest first',
  query: z.object(pageQuery),
  returns: z.array(stockMovement),
  errors: ['ITEM_NOT_FOUND'],
})
