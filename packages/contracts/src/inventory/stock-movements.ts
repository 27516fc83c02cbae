import * as z from 'zod/mini'
import { actor, clearableId, clearableText, nullable, timestamp, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_ITEM_QUANTITY, inventoryItem } from './items.ts'
import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from './locations.ts'
import { ORDER_STATUSES } from '../statuses.ts'

/** Stock movements: the records behind every quantity, and the changes that add records. */
const { get, list, declareActions } = declareEndpoints('inventory', { notFound: 'ITEM_NOT_FOUND' })
const movements = declareEndpoints('inventory', { notFound: 'MOVEMENT_NOT_FOUND' })

const MOVEMENT_KINDS = [
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

const stockMovement = z.object({
  id: z.uuid(),
  inventory_item_id: z.uuid(),
  kind: z.enum(MOVEMENT_KINDS),
  delta: z.number(),
  reserved_delta: z.number(),
  quantity_after: z.number(),
  reserved_after: z.number(),
  reason: nullable.text,
  from_location: nullable.text,
  to_location: nullable.text,
  /**
   * The order or print job to which the movement belongs. `name` is the order number, or the label code of the job, such
   * as `J-00003`.
   */
  document: z.nullable(z.object({ kind: z.enum(['order', 'print_job']), id: z.uuid(), name: z.string() })),
  /** The movement that this one undoes. */
  undoes_id: nullable.id,
  /** The movement that undid this one. */
  undone_by_id: nullable.id,
  actor,
  created_at: timestamp,
})
export type StockMovement = z.output<typeof stockMovement>

export const listItemMovements = list('/api/inventory/:id/movements', 'signed-in', {
  summary: 'Stock movements of an item, newest first',
  of: stockMovement,
})

export const REASON_MAX_LENGTH = 500

/**
 * Kinds of movements that add or remove a number of pieces. The other kinds leave the quantity as it is. `produce` is
 * for pieces that were made outside of the print queue, and `count` for the difference that a count found.
 */
const ADJUST_KINDS = ['adjust', 'receive', 'produce', 'ship', 'return', 'count', 'scrap'] as const

/** Reasons that forms offer for a correction. Any other text is also accepted. */
export const ADJUST_REASONS = [
  'Damaged',
  'Found elsewhere',
  'Data-entry error',
  'Lost or stolen',
  'Received, not recorded',
  'Shipped, not recorded',
  'Sample or test',
] as const

/** Reasons that the server itself records. The history shows them with its own labels. */
export const OPENING_REASON = 'Opening stock'
export const SCANNED_REASON = 'Scanned'
export const EDITED_REASON = 'Edited'
export const UNDONE_REASON = 'Undone'
/**
 * The reason that the server gives when it releases reserved pieces because fewer pieces are in stock than are
 * reserved.
 */
export const LACKING_REASON = 'Pieces are missing'

const reason = clearableText(REASON_MAX_LENGTH, 'Reason')
const orderId = clearableId('order_id')

/**
 * The item after a movement, and the movement itself. Clients need the movement to offer an undo and to show
 * the difference that a count found.
 */
const movedItem = z.extend(inventoryItem, { movement: stockMovement })
export type MovedItem = z.output<typeof movedItem>

/** Declares a change that adds a movement to an item. */
const change = declareActions('/api/inventory/:id', 'staff', {
  returns: movedItem,
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

const DELTA = `delta must be a whole number from -${MAX_ITEM_QUANTITY} to ${MAX_ITEM_QUANTITY}, and not 0`

const adjustStockBody = z.object({
  /** Number of pieces that are added (positive) or removed (negative). */
  delta: z.number(DELTA).check(
    z.int(DELTA),
    z.gte(-MAX_ITEM_QUANTITY, DELTA),
    z.lte(MAX_ITEM_QUANTITY, DELTA),
    z.refine((delta) => delta !== 0, DELTA),
  ),
  reason,
  /** `receive`, `produce` and `return` add pieces; `ship` and `scrap` remove them. */
  kind: z._default(z.enum(ADJUST_KINDS, `kind must be one of ${ADJUST_KINDS.join(', ')}`), 'adjust'),
  order_id: orderId,
  /**
   * If true, the movement takes reserved pieces first and ends their reservation. With an order, it takes the
   * pieces that are reserved for that order, otherwise the pieces that are reserved without an order. If false,
   * it takes only free pieces, except that `scrap` and `count` can take any.
   */
  from_reserved: z._default(z.boolean('from_reserved must be true or false'), false),
})
export type AdjustStockBody = z.output<typeof adjustStockBody>

export const adjustStock = change('adjust', 'Add or remove pieces; the quantity never goes below 0', {
  body: adjustStockBody,
  errors: ['STOCK_LIMIT', 'STOCK_NOT_FREE', 'MOVEMENT_INVALID', 'ORDER_NOT_FOUND'],
})

const countStockBody = z.object({
  /**
   * Number of counted pieces. The `delta` of the movement is the difference, which is 0 if the count confirms
   * the quantity.
   */
  quantity: wholeNumber('quantity', 0, MAX_ITEM_QUANTITY),
  reason,
})
export type CountStockBody = z.output<typeof countStockBody>

export const countItemStock = change('count', 'Record the result of a count', { body: countStockBody })

const reserveStockBody = z.object({
  quantity: wholeNumber('quantity', 1, MAX_ITEM_QUANTITY),
  reason,
  /**
   * The order for which the pieces are reserved. A release takes at most the pieces that are reserved for
   * that order or, without an order, at most the pieces that are reserved without an order.
   */
  order_id: orderId,
})
export type ReserveStockBody = z.output<typeof reserveStockBody>

export const reserveStock = change('reserve', 'Reserve free pieces', {
  body: reserveStockBody,
  errors: ['STOCK_NOT_FREE', 'ORDER_NOT_FOUND', 'ORDER_STATE'],
})

export const releaseStock = change('release', 'Release reserved pieces', {
  body: reserveStockBody,
  errors: ['STOCK_NOT_RESERVED', 'ORDER_NOT_FOUND'],
})

/** Reserved pieces of an item, by order. */
const stockReservation = z.object({
  /** Null for pieces that are reserved without an order. The other order fields are then also null. */
  order_id: nullable.id,
  order_number: nullable.text,
  customer_name: nullable.text,
  order_status: z.nullable(z.enum(ORDER_STATUSES)),
  quantity: z.number(),
})
export type StockReservation = z.output<typeof stockReservation>

export const listReservations = get('/api/inventory/:id/reservations', 'signed-in', {
  summary: 'Reservations of an item: those without an order first, then by order number, at most 1,000',
  returns: z.array(stockReservation),
  errors: ['INVALID_INPUT'],
})

/** The destination: a location by its id, or by path and storage bin. The default is no location. */
const moveStockBody = z.object({
  location_id: clearableId('location_id'),
  location: clearableText(LOCATION_PATH_MAX_LENGTH, 'Location'),
  bin_location: clearableText(LOCATION_NAME_MAX_LENGTH, 'Bin location'),
  reason,
})
export type MoveStockBody = z.output<typeof moveStockBody>

/** A move to the current location of the item is also recorded. */
export const moveItem = change('move', 'Move an item to another location', {
  body: moveStockBody,
  errors: ['LOCATION_NOT_FOUND', 'LOCATION_INVALID'],
})

/**
 * Undoes a movement by adding a reverse movement. The undo is refused, with a reason, if it would make a later count or
 * move wrong, or an order or print job that counts the same pieces.
 */
export const undoMovement = movements.post('/api/stock-movements/:id/undo', 'staff', {
  summary: 'Undo a movement, unless later movements depend on it',
  returns: movedItem,
  errors: [
    'ITEM_NOT_FOUND',
    'ORDER_NOT_FOUND',
    'ORDER_STATE',
    'MOVEMENT_ALREADY_UNDONE',
    'MOVEMENT_NOT_UNDOABLE',
    'STOCK_LIMIT',
    'STOCK_NOT_FREE',
    'STOCK_NOT_RESERVED',
  ],
})
