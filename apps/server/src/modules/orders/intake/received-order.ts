import { isDeepStrictEqual } from 'node:util'
import { currencyDecimals, fromMinor, toMinor } from '@pegasus/contracts/money'
import type { CreateOrderBody, ShippingAddress } from '@pegasus/contracts/orders/order-body'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { KnownLine, KnownOrder, OrderChange, StoredLine } from './order-intake.queries.ts'

/** The body of an order, sent by a shop or entered by a person. */
export type OrderBody = Omit<CreateOrderBody, 'order_number'>

/**
 * The amounts of an order in minor units. Undefined means that the field was omitted. Null means that there
 * is no such amount.
 */
export interface ReceivedAmounts {
  total_minor: number | undefined
  shipping_minor: number | null | undefined
  surcharge_minor: number | null | undefined
  tax_minor: number | null | undefined
  discount_minor: number | null | undefined
  fee_minor: number | null | undefined
}

/** A received order with amounts in minor units. `lines` is undefined if the lines were omitted. */
export interface ReceivedOrder {
  amounts: ReceivedAmounts
  lines: KnownLine[] | undefined
}

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { say: message, errors: [{ path, message }] })
}

/** Converts an amount to minor units. Throws ORDER_INVALID if it has more decimals than the currency. */
const minorOf = (path: string, name: string, amount: number, currency: string): number =>
  toMinor(amount, currency) ?? refuse(path, `${name} has more decimals than ${currency} has`)

/** Converts the postage of a parcel to minor units. Throws ORDER_INVALID if it has more decimals than the currency. */
export const readPostage = <T extends number | null | undefined>(amount: T, currency: string) =>
  typeof amount === 'number'
    ? minorOf('postage_amount', 'postage_amount', amount, currency)
    : (amount as Exclude<T, number>)

/**
 * Converts the amounts and lines of a body. Throws ORDER_INVALID for another currency, and for an amount with
 * too many decimals.
 */
export function readReceivedOrder(body: OrderBody, currency: string): ReceivedOrder {
  const minor = (path: string, name: string, amount: number): number => minorOf(path, name, amount, currency)
  const read = <T extends number | null | undefined>(path: string, amount: T) =>
    typeof amount === 'number' ? minor(path, path, amount) : (amount as Exclude<T, number>)
  if (body.currency !== undefined && body.currency !== currency)
    refuse('currency', `Orders must use the currency ${currency}`)
  return {
    amounts: {
      total_minor: read('total_amount', body.total_amount),
      shipping_minor: read('shipping_amount', body.shipping_amount),
      surcharge_minor: read('surcharge_amount', body.surcharge_amount),
      tax_minor: read('tax_amount', body.tax_amount),
      discount_minor: read('discount_amount', body.discount_amount),
      fee_minor: read('fee_amount', body.fee_amount),
    },
    lines: body.items?.map(({ sku, name, quantity, unit_price: price }, position) => ({
      position,
      sku,
      name,
      quantity,
      unit_price_minor: minor(`items.${position}.unit_price`, 'unit_price', price),
    })),
  }
}

/** The amounts that make up a total together with the lines. */
type TotalParts = Partial<
  Pick<ReceivedAmounts, 'shipping_minor' | 'surcharge_minor' | 'tax_minor' | 'discount_minor'>
>

/** Returns lines plus shipping plus surcharges plus tax minus discount. */
function addUp(
  lines: readonly Pick<KnownLine, 'quantity' | 'unit_price_minor'>[],
  {
    shipping_minor: shipping,
    surcharge_minor: surcharge,
    tax_minor: tax,
    discount_minor: discount,
  }: TotalParts,
): number {
  const ofLines = lines.reduce((sum, line) => sum + line.quantity * line.unit_price_minor, 0)
  return ofLines + (shipping ?? 0) + (surcharge ?? 0) + (tax ?? 0) - (discount ?? 0)
}

/** Maximum total of an order in minor units. Larger numbers are not exact. */
const MAX_TOTAL_MINOR = 9_000_000_000_000_000

/** Throws ORDER_INVALID if a total is too high. */
const assertTotal = (total: number, currency: string): number =>
  total <= MAX_TOTAL_MINOR
    ? total
    : refuse('total_amount', `total_amount must be at most ${fromMinor(MAX_TOTAL_MINOR, currency)}`)

const DISCOUNT_TOO_HIGH = 'The discount is more than the lines, shipping and tax together'

/**
 * Returns the total for an order that has none: lines plus shipping, surcharges and tax minus discount. Throws
 * ORDER_INVALID if the discount is more than the rest, or the total is too high.
 */
export function sumOf({ amounts, lines = [] }: ReceivedOrder, currency: string): number {
  const total = addUp(lines, amounts)
  return total < 0 ? refuse('discount_amount', DISCOUNT_TOO_HIGH) : assertTotal(total, currency)
}

/**
 * Returns the edit of a person with the total that follows from it. The total changes by the same amount as lines,
 * shipping, surcharges, tax and discount together, so that a difference that the shop did not explain stays. A total
 * that the person sends is kept. Throws ORDER_INVALID if the discount is more than the rest, or the total is too high.
 */
export function withNewTotal(received: ReceivedOrder, known: KnownOrder): ReceivedOrder {
  const { amounts, lines = orderedLinesOf(known) } = received
  if (amounts.total_minor !== undefined) return received
  const given = Object.entries(amounts).filter(([, amount]) => amount !== undefined)
  const sum = addUp(lines, { ...known, ...(Object.fromEntries(given) as TotalParts) })
  const total = known.total_minor + sum - addUp(orderedLinesOf(known), known)
  if (total < 0 && sum < 0) refuse('discount_amount', DISCOUNT_TOO_HIGH)
  const total_minor = assertTotal(Math.max(0, total), known.currency)
  return { ...received, amounts: { ...amounts, total_minor } }
}

/** Normalizes a time for comparison, because the same time can be written in many ways. */
const inUtc = (moment: string): string => new Date(moment).toISOString()

/** Returns an address without empty fields, or null if no field is left. */
export function storedAddress(
  address: OrderBody['shipping_address'],
): Partial<ShippingAddress> | null | undefined {
  if (!address) return address
  const filled = Object.entries(address).filter(([, value]) => value)
  return filled.length === 0 ? null : Object.fromEntries(filled.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const sortedJson = (value: object): string =>
  JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const isSame = (said: unknown, was: unknown): boolean =>
  said === was ||
  (typeof said === 'object' && typeof was === 'object' && said && was
    ? sortedJson(said) === sortedJson(was)
    : false)

const isEarly = (status: OrderBody['status']): boolean => status === 'pending' || status === 'in_progress'

/** Returns the fields of a body as JSON values, with times in UTC. */
export const sourceFieldsOf = ({
  placed_at: placedAt,
  due_at: dueAt,
  ...body
}: OrderBody): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify({
      ...body,
      placed_at: placedAt && inUtc(placedAt),
      due_at: dueAt && inUtc(dueAt),
    }),
  ) as Record<string, unknown>

/**
 * Returns the fields that are new or differ from the values that the sender sent before. For a repeated body,
 * the result is empty.
 */
export function changedFieldsOf(body: OrderBody, before: KnownOrder['source_told']): OrderBody {
  if (before === null) return body
  const told = sourceFieldsOf(body)
  const news = Object.entries(body).filter(([name]) => !isDeepStrictEqual(told[name], before[name]))
  return Object.fromEntries(news) as OrderBody
}

/**
 * Returns whether the sender has changed an order since it sent the order last. The change may be the same as a change
 * that a person has made here.
 */
export function isSentAnew(
  { body, changedAt }: { body: OrderBody; changedAt: Date | null },
  { source_told: told, source_changed_at: last }: Pick<KnownOrder, 'source_told' | 'source_changed_at'>,
): boolean {
  if (changedAt !== null && (last === null || changedAt > new Date(last))) return true
  return Object.keys(changedFieldsOf(body, told)).length > 0
}

/**
 * Removes the status `pending` or `in_progress` from a body if the sender has sent the same status before.
 * Otherwise, a repeated body would undo later changes by people.
 */
export const withoutOldStatus = (body: OrderBody, before: KnownOrder['source_told']): OrderBody =>
  isEarly(body.status) && body.status === before?.['status'] ? { ...body, status: undefined } : body

/** Returns whether the shop itself has put the order on hold, for example until it is paid. */
export const isHeldByShop = ({ status, source_told: told }: KnownOrder): boolean =>
  status === 'on_hold' && told?.['status'] === 'on_hold'

/** Returns whether a status is the first known one of an order that was imported as completed because it had none. */
export const isOpenedByShop = (
  status: OrderBody['status'],
  { is_history, source_told: told }: KnownOrder,
): boolean => is_history && status !== undefined && !isFinishedOrder(status) && told?.['status'] === undefined

/**
 * Returns the status to save, or undefined to keep the current one. `pending` and `in_progress` are ignored if people
 * are already working on the order or have put it on hold, because the sender may not have noticed that yet. An order
 * from before the first comparison stays completed, unless it is cancelled, or was imported with an unknown status and gets
 * its first known one.
 */
function statusOf({ status }: OrderBody, known: KnownOrder): OrderBody['status'] {
  if (known.is_history && status !== 'cancelled') return isOpenedByShop(status, known) ? status : undefined
  if (isEarly(status) && isHeldByShop(known)) return known.is_begun ? 'in_progress' : 'pending'
  return isEarly(status) && (known.is_begun || known.status === 'on_hold') ? undefined : status
}

/** Returns the received fields whose values differ from the stored ones. */
export function findChanges(body: OrderBody, amounts: ReceivedAmounts, known: KnownOrder): OrderChange {
  const said = {
    customer_name: body.customer_name,
    customer_email: body.customer_email,
    shipping_address: storedAddress(body.shipping_address),
    status: statusOf(body, known),
    ...amounts,
    placed_at: body.placed_at && inUtc(body.placed_at),
    due_at: body.due_at && inUtc(body.due_at),
    external_id: body.external_id,
    notes: body.notes,
  } as OrderChange
  const was: OrderChange = {
    ...known,
    placed_at: inUtc(known.placed_at),
    due_at: known.due_at && inUtc(known.due_at),
  }
  const names = Object.keys(said) as (keyof OrderChange)[]
  const differing = names.filter((name) => said[name] !== undefined && !isSame(said[name], was[name]))
  return Object.fromEntries(differing.map((name) => [name, said[name]]))
}

/** A received line, and the number of its pieces that were refunded after they had been shipped. */
export interface ChangedLine extends KnownLine {
  refunded_quantity: number
}

/** The changes of an order's lines. */
export interface LineChanges {
  /** The lines to write. `stored` is the existing line that the line continues, or undefined for a new line. */
  written: { line: ChangedLine; stored: StoredLine | undefined }[]
  /** Existing lines that are no longer ordered. */
  removed: StoredLine[]
  /** Whether an existing line has another position now. If so, all lines are written. */
  isMoved: boolean
}

/** Returns whether lines are added, or get more pieces. */
export const hasMorePieces = ({ written }: LineChanges): boolean =>
  written.some(({ line, stored }) => line.quantity > (stored?.quantity ?? 0))

/** Returns the pieces of an order that are still to be shipped from the stock. */
export const owedPieces = ({ lines }: KnownOrder): number =>
  lines.reduce(
    (sum, line) =>
      sum + (line.is_set || line.is_ignored ? 0 : Math.max(0, line.quantity - line.shipped_quantity)),
    0,
  )

/** Returns the shipped pieces that were not returned. */
export const piecesOut = ({ lines }: KnownOrder): number =>
  lines.reduce((sum, line) => sum + line.shipped_quantity - line.returned_quantity, 0)

/** Returns the lines as they were ordered, without the parts of sets. */
export const orderedLinesOf = (order: KnownOrder) => order.lines.filter((line) => line.set_line_id === null)

/**
 * Returns the number of shipped pieces of an ordered line. For a set, returns the number of sets of which at
 * least one piece was shipped.
 */
export function shippedOf(order: KnownOrder, line: StoredLine): number {
  if (!line.is_set) return line.shipped_quantity
  const parts = order.lines.filter((part) => part.set_line_id === line.id)
  return Math.max(0, ...parts.map((part) => Math.ceil(part.shipped_quantity / (part.pieces_per_set ?? 1))))
}

/** Formats an amount for a message: `10.00 USD`. */
export const amountText = (minor: number, currency: string): string =>
  `${fromMinor(minor, currency).toFixed(currencyDecimals(currency))} ${currency}`

const titleOf = ({ name, sku }: Pick<KnownLine, 'name' | 'sku'>): string => name || sku || 'A line'

/** Throws CONFLICT, because the price of shipped pieces is part of the sales report. */
function refusePrice(order: KnownOrder, line: StoredLine): never {
  const message = `${titleOf(line)}: ${shippedOf(order, line)} shipped already at ${amountText(line.unit_price_minor, order.currency)}, so this price cannot change. Take the shipment back first, or add another line for pieces at another price.`
  throw new AppError('CONFLICT', { say: message, errors: [{ path: 'items', message }] })
}

/**
 * Throws CONFLICT if a person changes the discount of an order with shipped pieces, because the discount is part of
 * the price at which they were sold.
 */
export function assertDiscountKept(
  { amounts: { discount_minor: discount } }: ReceivedOrder,
  known: KnownOrder,
): void {
  const isSame = discount === undefined || (discount ?? 0) === (known.discount_minor ?? 0)
  if (isSame || known.lines.every((line) => line.shipped_quantity === 0)) return
  const message =
    'Pieces of this order were shipped with its discount, so the discount cannot change. Take the shipment back first, or enter a later reduction as fees.'
  throw new AppError('CONFLICT', { say: message, errors: [{ path: 'discount_amount', message }] })
}

const upper = ({ sku }: Pick<KnownLine, 'sku'>): string => sku.toUpperCase()

/**
 * Matches received lines with existing ordered lines. A received line continues an existing line with the
 * same SKU: the one at the same position, otherwise the first one that is still unmatched. Otherwise, it continues an
 * existing line of the same name that has no SKU, which an earlier version stored. Existing lines are kept in this way because reservations, shipments and print jobs belong to them.
 */
export function matchLines(lines: readonly KnownLine[], known: readonly StoredLine[]) {
  const left = new Set(known)
  const take = (stored: StoredLine | undefined) => {
    if (stored) left.delete(stored)
    return stored
  }
  const inPlace = lines.map((line) =>
    take(known.find((stored) => stored.position === line.position && upper(stored) === upper(line))),
  )
  const bySku = Map.groupBy(left, upper)
  const pairs = lines.map((line, index) => ({
    line,
    stored: inPlace[index] ?? take(bySku.get(upper(line))?.shift()),
  }))
  const named = pairs.map((pair) => ({
    ...pair,
    stored: pair.stored ?? take([...left].find(({ sku, name }) => sku === '' && name === pair.line.name)),
  }))
  return { pairs: named, left: [...left] }
}

/**
 * Compares received lines with the ordered lines of an order. With `refunds`, the lines come from a shop, and the shop
 * may have refunded shipped pieces. These pieces stay in their line, as `refunded_quantity`, until they are returned. A
 * shipped line that the shop no longer lists stays if its SKU is in `refunds`. Without `refunds`, throws CONFLICT for a
 * line with fewer pieces than were shipped. A line with shipped pieces keeps its price: a shop's new price is ignored
 * here (`findRefusedPrices` reports it), and a person's new price throws CONFLICT.
 */
export function findLineChanges(
  lines: readonly KnownLine[],
  order: KnownOrder,
  refunds: readonly string[] | null,
): LineChanges {
  const { pairs, left } = matchLines(lines, orderedLinesOf(order))
  const refundedSkus = new Set(refunds?.map((sku) => sku.toUpperCase()))
  const kept = left.filter((stored) => refundedSkus.has(upper(stored)) && shippedOf(order, stored) > 0)
  const end = Math.max(-1, ...lines.map(({ position }) => position)) + 1
  const all = [
    ...pairs,
    ...kept.map((stored, index) => ({ line: { ...stored, position: end + index, quantity: 0 }, stored })),
  ].map(({ line: { position, sku, name, quantity, unit_price_minor }, stored }) => {
    const lacking = stored ? Math.max(0, shippedOf(order, stored) - quantity) : 0
    if (lacking > 0 && stored && !refunds)
      throw new AppError('CONFLICT', {
        say: `${titleOf({ name, sku })}: ${quantity + lacking} shipped already, so ${quantity} is not enough.`,
      })
    const isSold = stored !== undefined && shippedOf(order, stored) > 0
    if (isSold && !refunds && stored.unit_price_minor !== unit_price_minor) refusePrice(order, stored)
    const line: ChangedLine = {
      position,
      sku,
      name,
      quantity: quantity + lacking,
      unit_price_minor: isSold ? stored.unit_price_minor : unit_price_minor,
      refunded_quantity: refunds ? lacking : (stored?.refunded_quantity ?? 0),
    }
    return { line, stored }
  })
  const isMoved = all.some(({ line, stored }) => stored !== undefined && stored.position !== line.position)
  const written = all.filter(
    ({ line, stored }) =>
      isMoved ||
      stored?.sku !== line.sku ||
      stored.name !== line.name ||
      stored.quantity !== line.quantity ||
      stored.unit_price_minor !== line.unit_price_minor ||
      stored.refunded_quantity !== line.refunded_quantity,
  )
  return { written, removed: left.filter((stored) => !kept.includes(stored)), isMoved }
}

/**
 * Returns the changes to the lines after a shipment was undone: refunded pieces that are no longer shipped
 * are removed from their lines. Null if there are no changes.
 */
export function findUnshippedRefunds(order: KnownOrder): LineChanges | null {
  const lowered = orderedLinesOf(order).flatMap((stored) => {
    const gone = Math.min(stored.refunded_quantity, stored.quantity - shippedOf(order, stored))
    if (gone <= 0) return []
    const { quantity, refunded_quantity: refunded } = stored
    const line: ChangedLine = { ...stored, quantity: quantity - gone, refunded_quantity: refunded - gone }
    return [{ line, stored }]
  })
  if (lowered.length === 0) return null
  return {
    written: lowered.filter(({ line }) => line.quantity > 0),
    removed: lowered.filter(({ line }) => line.quantity === 0).map(({ stored }) => stored),
    isMoved: false,
  }
}
