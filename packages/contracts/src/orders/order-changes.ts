import * as z from 'zod/mini'
import { clearableAddress, clearableText, optionalAddress, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_ITEM_QUANTITY } from '../inventory/items.ts'
import { REASON_MAX_LENGTH } from '../inventory/stock-movements.ts'
import { MAX_ORDER_LINES, clearableAmount, createOrderBody, updateOrderBody } from './order-body.ts'
import { order } from './orders.ts'

const { get, post, patch, declareWrites, declareTrash, declareActions } = declareEndpoints('orders', {
  notFound: 'ORDER_NOT_FOUND',
})

export const { create: createOrder, update: updateOrder } = declareWrites('/api/orders', 'staff', {
  returns: order,
  create: {
    summary: 'Enter an order by hand; an order without a number is given one',
    body: createOrderBody,
  },
  update: {
    summary: 'Change an order; `items` replaces all its lines',
    body: updateOrderBody,
    errors: ['CONFLICT'],
  },
  errors: ['ORDER_INVALID', 'ORDER_NUMBER_TAKEN', 'ORDER_EXTERNAL_ID_TAKEN', 'MALFORMED_REQUEST'],
})

export const { remove: deleteOrder, restore: restoreOrder } = declareTrash('/api/orders', 'staff', {
  name: 'an order without shipments',
  returns: order,
  remove: ['ORDER_STATE'],
  restore: ['ORDER_NUMBER_TAKEN', 'ORDER_EXTERNAL_ID_TAKEN'],
})

const linePart = z.object({
  line_id: z.uuid('line_id is not an id'),
  quantity: wholeNumber('quantity', 1, MAX_ITEM_QUANTITY),
})
const lineParts = <S extends z.ZodMiniType>(part: S) =>
  z
    .array(part, 'items must be a list')
    .check(
      z.minLength(1, 'Choose at least one line.'),
      z.maxLength(MAX_ORDER_LINES, `An order can have at most ${MAX_ORDER_LINES} lines`),
    )
export type LinePart = z.output<typeof linePart>

/** The pieces of each line. The default is as many pieces of all lines as possible. */
const someLines = z.nullish(z.object({ items: z.optional(lineParts(linePart)) }))

const act = declareActions('/api/orders/:id', 'staff', {
  returns: order,
  errors: ['MALFORMED_REQUEST', 'ORDER_STATE', 'ORDER_INVALID'],
})

export const reserveForOrder = act('reserve', 'Reserve free pieces for the lines of an order, all or none', {
  body: someLines,
  errors: ['STOCK_NOT_FREE', 'IDEMPOTENCY_KEY_REUSED'],
})

export const releaseFromOrder = act('release', 'Release reserved pieces of the lines of an order', {
  body: someLines,
  errors: ['STOCK_NOT_RESERVED', 'IDEMPOTENCY_KEY_REUSED'],
})

const parcelFields = {
  carrier: clearableText(100, 'carrier'),
  tracking_number: clearableText(200, 'tracking_number'),
  /** The postage that the shop pays for the parcel, in the currency of the order. Null means that it is unknown. */
  postage_amount: clearableAmount('postage_amount'),
}

const shipBody = z.object({
  /** The default is all remaining pieces. */
  items: z.optional(lineParts(linePart)),
  ...parcelFields,
  tracking_url: optionalAddress('tracking_url'),
  /** Whether the server reports the shipment to the shop. */
  notify_shop: z._default(z.boolean('notify_shop must be true or false'), true),
  /**
   * Number of the last shipment that the caller knows, or 0. If there is a later one, nothing is shipped
   * (`ORDER_STATE`), so that pieces are not shipped twice. Without this field, nothing is compared.
   */
  last_shipment_number: z.optional(wholeNumber('last_shipment_number', 0, MAX_ITEM_QUANTITY)),
})
export type ShipBody = z.output<typeof shipBody>

export const shipOrder = post('/api/orders/:id/ship', 'staff', {
  summary: 'Ship pieces of the lines of an order, reserved pieces first, all or none',
  body: z.nullish(shipBody),
  creates: order,
  errors: ['MALFORMED_REQUEST', 'ORDER_STATE', 'ORDER_INVALID', 'STOCK_NOT_FREE', 'IDEMPOTENCY_KEY_REUSED'],
})

/**
 * Number of milliseconds for which the app offers Undo after a shipment. The server reports the shipment to the shop
 * only after this time, because the shop then sends an email to the customer.
 */
export const UNDO_SHIPMENT_MS = 5000

/** Number of milliseconds after a shipment during which the server repeats a failed report to the shop. */
export const SHIPMENT_REPORTED_WITHIN_MS = 30 * 24 * 60 * 60 * 1000

export const undoShipment = act(
  'undo-shipment',
  'Undo a shipment: its pieces return to stock, and those that were reserved are reserved again',
  {
    body: z.object({ shipment_id: z.uuid('shipment_id is not an id') }),
  },
)

/** A field that is left out keeps its value. Null and an empty text clear a field. */
export const trackingBody = z.object({ ...parcelFields, tracking_url: clearableAddress('tracking_url') })
export type TrackingBody = z.output<typeof trackingBody>

export const changeTracking = patch('/api/orders/:id/shipments/:shipment_id', 'staff', {
  summary:
    'Add or correct the tracking or the postage of a shipment, with the revision of its order in If-Match; the shop keeps the tracking that was reported to it before',
  params: z.object({ id: z.uuid(), shipment_id: z.uuid() }),
  body: trackingBody,
  returns: order,
  errors: ['MALFORMED_REQUEST', 'ORDER_INVALID', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

/** Maximum number of suggested carriers. */
export const CARRIERS_LISTED = 10

export const listCarriers = get('/api/orders/carriers', 'staff', {
  summary: `The ${CARRIERS_LISTED} carriers that were used last, latest first`,
  returns: z.array(z.string()),
})

const returnBody = z.object({
  items: lineParts(
    z.object({
      ...linePart.shape,
      /** `stock` means that the pieces can be sold again. `scrap` means that they are thrown away. */
      to: z._default(z.enum(['stock', 'scrap'], 'to must be stock or scrap'), 'stock'),
      reason: clearableText(REASON_MAX_LENGTH, 'Reason'),
    }),
  ),
})
export type ReturnBody = z.output<typeof returnBody>

const bookedReturn = z.extend(order, {
  /** The id of the new return, with which the return can be undone. */
  return_id: z.uuid(),
})
export type BookedReturn = z.output<typeof bookedReturn>

export const returnToStock = post('/api/orders/:id/return', 'staff', {
  summary: 'Take back shipped pieces from the customer; the response names the return in `return_id`',
  body: returnBody,
  returns: bookedReturn,
  errors: ['MALFORMED_REQUEST', 'ORDER_STATE', 'ORDER_INVALID', 'IDEMPOTENCY_KEY_REUSED'],
})

export const undoReturn = act(
  'undo-return',
  'Undo a return that was booked by mistake; its pieces leave the stock again. The response to the return and the history name `return_id`',
  {
    body: z.object({ return_id: z.uuid('return_id is not an id') }),
  },
)

export const holdOrder = act('hold', 'Put an order on hold; it gets no free stock until it is resumed')
export const resumeOrder = act('resume', 'Resume an order that is on hold')

export const cancelOrder = post('/api/orders/:id/cancel', 'staff', {
  summary: 'Cancel an order and release its reservations',
  returns: order,
  errors: ['ORDER_STATE'],
})

export const completeOrder = act(
  'complete',
  'Complete an order; if pieces are unshipped, `close_short` must be true',
  {
    body: z.nullish(
      z.object({ close_short: z._default(z.boolean('close_short must be true or false'), false) }),
    ),
  },
)
