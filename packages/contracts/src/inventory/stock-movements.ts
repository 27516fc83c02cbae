import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { wholeNumber } from './item-changes.ts'
import { MAX_ITEM_QUANTITY, inventoryItem, stockMovement } from './items.ts'
import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from './locations.ts'
import { ORDER_STATUSES } from '../statuses.ts'
import { clearableText } from '../stl-library/upload.ts'

const { get, post } = declareEndpoints('inventory')

export const REASON_MAX_LENGTH = 500

/** What a change by so many pieces can be. Printing (`produce`) is told by the print queue. */
export const ADJUST_KINDS = ['adjust', 'receive', 'ship', 'return', 'scrap'] as const
export type AdjustKind = (typeof ADJUST_KINDS)[number]

/** Reasons that are offered for a correction; any other text is as good. */
export const ADJUST_REASONS = [
  'Damaged',
  'Found elsewhere',
  'Data-entry error',
  'Lost or stolen',
  'Received, not recorded',
  'Shipped, not recorded',
  'Sample or test',
] as const

/** Reasons that the product itself gives, which the history has words of its own for. */
export const OPENING_REASON = 'Opening stock'
export const SCANNED_REASON = 'Scanned'
export const EDITED_REASON = 'Edited'
export const UNDONE_REASON = 'Undone'

const reason = clearableText(REASON_MAX_LENGTH, 'Reason')
const orderId = z.optional(z.nullable(z.uuid('order_id is not an id')))

/** The item as it is now, with the movement that made it so: what can be undone, and a count's variance. */
const movedItem = z.extend(inventoryItem, { movement: stockMovement })
export type MovedItem = z.output<typeof movedItem>

const MOVE_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'ITEM_NOT_FOUND',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
] as const

const DELTA = `delta must be a whole number from -${MAX_ITEM_QUANTITY} to ${MAX_ITEM_QUANTITY}, and not 0`

export const adjustStockBody = z.object({
  /** Pieces in (positive) or out (negative). */
  delta: z.number(DELTA).check(
    z.int(DELTA),
    z.gte(-MAX_ITEM_QUANTITY, DELTA),
    z.lte(MAX_ITEM_QUANTITY, DELTA),
    z.refine((delta) => delta !== 0, DELTA),
  ),
  reason,
  /** `receive` and `return` bring pieces in, `ship` and `scrap` take them out. */
  kind: z._default(z.enum(ADJUST_KINDS, `kind is one of ${ADJUST_KINDS.join(', ')}`), 'adjust'),
  order_id: orderId,
  /**
   * Take reserved pieces first, ending their reservation: those of the order, or without an order those that are reserved
   * without one. Otherwise only free pieces are taken, but for scrap.
   */
  from_reserved: z._default(z.boolean('from_reserved is true or false'), false),
})
export type AdjustStockBody = z.output<typeof adjustStockBody>

export const adjustStock = post('/api/inventory/:id/adjust', 'staff', {
  summary: 'Bring pieces in or take pieces out; never below nothing',
  body: adjustStockBody,
  returns: movedItem,
  errors: [...MOVE_ERRORS, 'STOCK_LIMIT', 'STOCK_NOT_FREE', 'MOVEMENT_INVALID', 'ORDER_NOT_FOUND'],
})

export const countStockBody = z.object({
  /** What is there. The movement's `delta` is the variance, 0 where the count confirms. */
  quantity: wholeNumber('quantity', 0, MAX_ITEM_QUANTITY),
  reason,
})
export type CountStockBody = z.output<typeof countStockBody>

export const countItemStock = post('/api/inventory/:id/count', 'staff', {
  summary: 'Write down how many pieces a count has found',
  body: countStockBody,
  returns: movedItem,
  errors: MOVE_ERRORS,
})

export const reserveStockBody = z.object({
  quantity: wholeNumber('quantity', 1, MAX_ITEM_QUANTITY),
  reason,
  /**
   * The order that they are promised to. What is released for an order is at most what is reserved for it; without an
   * order, at most what is reserved without one.
   */
  order_id: orderId,
})
export type ReserveStockBody = z.output<typeof reserveStockBody>

export const reserveStock = post('/api/inventory/:id/reserve', 'staff', {
  summary: 'Promise free pieces',
  body: reserveStockBody,
  returns: movedItem,
  errors: [...MOVE_ERRORS, 'STOCK_NOT_FREE', 'ORDER_NOT_FOUND'],
})

export const releaseStock = post('/api/inventory/:id/release', 'staff', {
  summary: 'Free reserved pieces again',
  body: reserveStockBody,
  returns: movedItem,
  errors: [...MOVE_ERRORS, 'STOCK_NOT_RESERVED', 'ORDER_NOT_FOUND'],
})

/** Who holds reserved pieces of an item. */
const stockReservation = z.object({
  /** Null for what was promised to no order in particular, as is all of its order below. */
  order_id: z.nullable(z.uuid()),
  order_number: z.nullable(z.string()),
  customer_name: z.nullable(z.string()),
  order_status: z.nullable(z.enum(ORDER_STATUSES)),
  quantity: z.number(),
})
export type StockReservation = z.output<typeof stockReservation>

export const listReservations = get('/api/inventory/:id/reservations', 'signed-in', {
  summary: 'Who holds what is reserved: what no order has first, then the orders by number, 1000 at most',
  returns: z.array(stockReservation),
  errors: ['INVALID_INPUT', 'ITEM_NOT_FOUND'],
})

/** Where to: a location by its id, or by path and bin. None of them: nowhere. */
export const moveStockBody = z.object({
  location_id: z.optional(z.nullable(z.uuid('location_id is not an id'))),
  location: clearableText(LOCATION_PATH_MAX_LENGTH, 'Location'),
  bin_location: clearableText(LOCATION_NAME_MAX_LENGTH, 'Bin location'),
  reason,
})
export type MoveStockBody = z.output<typeof moveStockBody>

/** An item that lies there already stays; that is written down as well. */
export const moveItem = post('/api/inventory/:id/move', 'staff', {
  summary: 'Put an item somewhere else',
  body: moveStockBody,
  returns: movedItem,
  errors: [...MOVE_ERRORS, 'LOCATION_NOT_FOUND', 'LOCATION_INVALID'],
})

/**
 * Takes a movement back by a further one. Refused, with the reason, where that would falsify what came after: a count,
 * another move, or a document that tells the same.
 */
export const undoMovement = post('/api/stock-movements/:id/undo', 'staff', {
  summary: 'Take back a movement, where that is safe',
  returns: movedItem,
  errors: [
    'MOVEMENT_NOT_FOUND',
    'ITEM_NOT_FOUND',
    'MOVEMENT_ALREADY_UNDONE',
    'MOVEMENT_NOT_UNDOABLE',
    'STOCK_LIMIT',
    'STOCK_NOT_FREE',
    'STOCK_NOT_RESERVED',
  ],
})
