import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { actor, nullable, timestamp } from '../fields.ts'

const { get } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

/**
 * Parts of a line's account for which the single rows are listed. The account says where the ordered pieces of a line
 * are.
 */
export const ACCOUNT_TERMS = ['shipped', 'reserved', 'allocated', 'queued'] as const

/** One row of a line's account. The quantities of all rows with the same `term` add up to that figure of the line. */
const accountRow = z.object({
  term: z.enum(ACCOUNT_TERMS),
  /** Negative for pieces that were released. */
  quantity: z.number(),
  /** The time of the change. Null for a current figure, such as free stock. */
  at: nullable.timestamp,
  actor_name: nullable.text,
  /**
   * Number of the shipment, counted from 1. Null if the pieces were shipped through a stock movement in the
   * inventory.
   */
  shipment_number: nullable.number,
  print_job_id: nullable.id,
  /** Label code of the job, such as `J-00003`. */
  print_job_code: nullable.text,
})
export type AccountRow = z.output<typeof accountRow>

/** Another order that gets free pieces of the item first, because it is due earlier. */
const earlierOrder = z.object({ order_id: z.uuid(), order_number: z.string(), quantity: z.number() })

const lineAccount = z.object({
  rows: z.array(accountRow),
  /** At most twenty orders, sorted by due time, then by the time of the purchase, then by number. */
  earlier_orders: z.array(earlierOrder),
})
export type LineAccount = z.output<typeof lineAccount>

export const getLineAccount = get('/api/orders/:id/lines/:line_id/account', 'signed-in', {
  summary: 'The rows that add up to each figure of an order line, and the orders that get free stock first',
  params: z.object({ id: z.uuid(), line_id: z.uuid() }),
  returns: lineAccount,
})

const orderEvent = z.object({
  id: z.uuid(),
  /**
   * Name of the action in the audit, such as `order.shipped`; `order.printed` for a finished plate with good pieces of a
   * print job of the order.
   */
  action: z.string(),
  actor,
  /** The pieces that the action moved, queued or printed, or the pieces that one piece of a mapped SKU stands for. */
  items: z.array(z.object({ sku: z.string(), name: z.string(), quantity: z.number() })),
  /** Names of the fields that changed. */
  changed_fields: z.array(z.string()),
  /** Why the server itself did this, in words for people, or why the customer returned the pieces. */
  reason: nullable.text,
  /** The SKU that a person mapped, ignored or no longer maps or ignores. Null for other events. */
  sku: nullable.text,
  /** The return that the event booked. Null for other events, and for a return that was undone or cannot be undone. */
  return_id: nullable.id,
  /** The print jobs that were queued, or the print job that printed the pieces. Jobs in the trash are left out. */
  jobs: z.array(z.object({ id: z.uuid(), code: z.string() })),
  /** Name of the printer or the agent that printed the pieces. Null for other events, and if it is unknown. */
  printer: nullable.text,
  created_at: timestamp,
})
export type OrderEvent = z.output<typeof orderEvent>

export const listOrderHistory = get('/api/orders/:id/history', 'signed-in', {
  summary: 'Events of an order, newest first, at most 1,000',
  returns: z.array(orderEvent),
})

export const listOrderLocations = get('/api/orders/:id/locations', 'signed-in', {
  summary: 'Where the pieces of an order are stored, for each line with an item in the inventory',
  returns: z.array(
    z.object({
      line_id: z.uuid(),
      /** SKU of the item in the inventory. The shop's SKU on the line may differ. */
      item_sku: z.string(),
      /** Path of the location or storage bin, starting at the root: `Workshop / Rack A3`. */
      location: nullable.text,
    }),
  ),
})
