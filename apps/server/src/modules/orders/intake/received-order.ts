import { isDeepStrictEqual } from 'node:util'
import { fromMinor, toMinor } from '@pegasus/contracts/money'
import type { CreateOrderBody, ShippingAddress } from '@pegasus/contracts/orders/order-body'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { AppError } from '../../../platform/errors/app-error.ts'
import { orderedLinesOf } from './line-changes.ts'
import { LINE_IDS } from './line-skus.ts'
import type { NewOrderLine } from '../orders.service.ts'
import type { KnownLine, KnownOrder, OrderChange } from './order-intake.queries.ts'

/** The body of an order, sent by a shop or entered by a person. */
export type OrderBody = Omit<CreateOrderBody, 'order_number'>

/** The amounts of an order in minor units. Undefined means that the field was omitted. Null removes the amount. */
export interface ReceivedAmounts {
  total_minor: number | undefined
  shipping_minor: number | null | undefined
  surcharge_minor: number | null | undefined
  kept_minor: number | null | undefined
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
  throw new AppError('ORDER_INVALID', { text: message, errors: [{ path, message }] })
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
 * Converts the amounts and lines of a body. `lineIds` are the shop's ids of the lines, in the same sequence. Throws
 * ORDER_INVALID for another currency, and for an amount with too many decimals.
 */
export function readReceivedOrder(
  body: OrderBody,
  currency: string,
  lineIds: readonly (string | null)[] = [],
): ReceivedOrder {
  const minor = (path: string, name: string, amount: number): number => minorOf(path, name, amount, currency)
  const readAmount = <T extends number | null | undefined>(path: string, amount: T) =>
    typeof amount === 'number' ? minor(path, path, amount) : (amount as Exclude<T, number>)
  if (body.currency !== undefined && body.currency !== currency)
    refuse('currency', `Orders must use the currency ${currency}`)
  return {
    amounts: {
      total_minor: readAmount('total_amount', body.total_amount),
      shipping_minor: readAmount('shipping_amount', body.shipping_amount),
      surcharge_minor: readAmount('surcharge_amount', body.surcharge_amount),
      kept_minor: readAmount('kept_amount', body.kept_amount),
      tax_minor: readAmount('tax_amount', body.tax_amount),
      discount_minor: readAmount('discount_amount', body.discount_amount),
      fee_minor: readAmount('fee_amount', body.fee_amount),
    },
    lines: body.items?.map(({ sku, name, quantity, unit_price: price }, position) => ({
      external_line_id: lineIds[position] ?? null,
      position,
      sku,
      name,
      quantity,
      unit_price_minor: minor(`items.${position}.unit_price`, 'unit_price', price),
    })),
  }
}

/** Converts a received line to a line of a new order. */
export const newLineOf = ({
  external_line_id: externalLineId,
  unit_price_minor: unitPriceMinor,
  ...line
}: KnownLine): NewOrderLine => ({ ...line, externalLineId, unitPriceMinor })

/** The amounts from which a total is computed, besides the lines. */
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
 * Returns a person's edit with the new total of the order. The total changes by as much as the sum of lines, shipping,
 * surcharges, tax and discount changes. A difference between the total and the sum that the shop did not explain
 * therefore stays. If the edit contains a total, that total is kept. Throws ORDER_INVALID if the discount is more than
 * the rest, or the total is too high.
 */
function withNewTotal(received: ReceivedOrder, known: KnownOrder): ReceivedOrder {
  const { amounts, lines = orderedLinesOf(known) } = received
  if (amounts.total_minor !== undefined) return received
  const given = Object.entries(amounts).filter(([, amount]) => amount !== undefined)
  const sum = addUp(lines, { ...known, ...(Object.fromEntries(given) as TotalParts) })
  const total = known.total_minor + sum - addUp(orderedLinesOf(known), known)
  if (total < 0 && sum < 0) refuse('discount_amount', DISCOUNT_TOO_HIGH)
  const total_minor = assertTotal(Math.max(0, total), known.currency)
  return { ...received, amounts: { ...amounts, total_minor } }
}

/** Returns a time in UTC for comparison, because the same time can be written with different offsets. */
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
 * Returns the fields that are new or differ from the values that the sender sent before: none for a repeated body.
 * Items with other ids than before (`lineIds`) count as new, even if they look the same.
 */
export function changedFieldsOf(
  body: OrderBody,
  before: KnownOrder['source_told'],
  lineIds: readonly (string | null)[] = [],
): OrderBody {
  if (before === null) return body
  const received = sourceFieldsOf(body)
  const oldIds = before[LINE_IDS]
  const hasNewLines = lineIds.length > 0 && oldIds !== undefined && !isDeepStrictEqual(oldIds, lineIds)
  const news = Object.entries(body).filter(
    ([name]) => !isDeepStrictEqual(received[name], before[name]) || (name === 'items' && hasNewLines),
  )
  return Object.fromEntries(news) as OrderBody
}

/**
 * Returns whether the sender has changed the order since it last sent it, even if a person has made the same change
 * here.
 */
export function isSentAnew(
  { body, changedAt }: { body: OrderBody; changedAt: Date | null },
  {
    source_told: sourceFields,
    source_changed_at: last,
  }: Pick<KnownOrder, 'source_told' | 'source_changed_at'>,
): boolean {
  if (changedAt !== null && (last === null || changedAt > new Date(last))) return true
  return Object.keys(changedFieldsOf(body, sourceFields)).length > 0
}

/**
 * Removes the status `pending` or `in_progress` from a body if the sender sent the same status before. A repeated body
 * would otherwise undo later changes of the status by people.
 */
export const withoutOldStatus = (body: OrderBody, before: KnownOrder['source_told']): OrderBody =>
  isEarly(body.status) && body.status === before?.['status'] ? { ...body, status: undefined } : body

/** Returns whether the shop itself has put the order on hold, for example until it is paid. */
export const isHeldByShop = ({ status, source_told: sourceFields }: KnownOrder): boolean =>
  status === 'on_hold' && sourceFields?.['status'] === 'on_hold'

/** Data that a shop or a program sent about an existing order. */
export interface Sent {
  orderNumber: string
  status: OrderBody['status']
  refundedSkus: readonly string[]
  /** When the sender changed the order, or null if this is not known. */
  changedAt: Date | null
}

/**
 * Returns whether a shop opens an order that it had cancelled itself. Returns false if the time of the change is
 * unknown, because the status may then be older than the cancellation.
 */
export const isReopened = (
  { status: told, changedAt }: Pick<Sent, 'status' | 'changedAt'>,
  { status, source_told: sourceFields, is_history }: KnownOrder,
): boolean =>
  changedAt !== null &&
  !is_history &&
  status === 'cancelled' &&
  sourceFields?.['status'] === 'cancelled' &&
  told !== undefined &&
  !isFinishedOrder(told)

/**
 * Returns whether the shop gives an order its first known status, after the order was imported as completed because its
 * status was unknown. An order whose shop has not sent anything since, for example one of an earlier version, stays
 * completed.
 */
export const isOpenedByShop = (
  status: OrderBody['status'],
  { is_history, source_told: sourceFields }: KnownOrder,
): boolean =>
  is_history &&
  status !== undefined &&
  !isFinishedOrder(status) &&
  sourceFields !== null &&
  sourceFields['status'] === undefined

/**
 * Returns the status to save, or undefined to keep the current one.
 * - `pending` and `in_progress` are ignored if people have begun to work on the order or have put it on hold: the
 *   sender may not know that yet.
 * - An order from before the first comparison stays completed, unless it is cancelled, or gets its first known status.
 * - An order that the shop itself cancelled is opened if the shop opens it.
 */
function statusOf({ status }: OrderBody, known: KnownOrder, sent: Sent | null): OrderBody['status'] {
  if (known.is_history && status !== 'cancelled') return isOpenedByShop(status, known) ? status : undefined
  if (!isEarly(status)) return status
  if (isHeldByShop(known)) return known.is_begun ? 'in_progress' : 'pending'
  if (sent && isReopened(sent, known)) return known.is_begun ? 'in_progress' : status
  return known.is_begun || known.status === 'on_hold' ? undefined : status
}

/** Returns the received fields whose values differ from the stored ones. `sent` is null for a person's edit. */
export function findChanges(
  body: OrderBody,
  amounts: ReceivedAmounts,
  known: KnownOrder,
  sent: Sent | null,
): OrderChange {
  const said = {
    customer_name: body.customer_name,
    customer_email: body.customer_email,
    shipping_address: storedAddress(body.shipping_address),
    status: statusOf(body, known, sent),
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

/**
 * Throws CONFLICT if a person changes the discount of an order with shipped pieces, because the discount is part of the
 * price at which they were sold.
 */
function assertDiscountKept(
  { amounts: { discount_minor: discount } }: ReceivedOrder,
  known: KnownOrder,
): void {
  const isSame = discount === undefined || (discount ?? 0) === (known.discount_minor ?? 0)
  if (isSame || known.lines.every((line) => line.shipped_quantity === 0)) return
  const message =
    'Pieces of this order were shipped with its discount, so the discount cannot change. Undo the shipment first, or enter a later reduction as fees.'
  throw new AppError('CONFLICT', { text: message, errors: [{ path: 'discount_amount', message }] })
}

/**
 * Throws ORDER_INVALID if a change raises the kept money of an order above its limit: the surcharges or, for a
 * cancelled order, the total. Amounts that were not received keep their values.
 */
export function assertKeptMoney(received: ReceivedAmounts, body: OrderBody, known: KnownOrder | null): void {
  const amountOf = (name: 'kept_minor' | 'surcharge_minor' | 'total_minor'): number =>
    (received[name] === undefined ? known?.[name] : received[name]) ?? 0
  const [kept, surcharge] = [amountOf('kept_minor'), amountOf('surcharge_minor')]
  if (kept === (known?.kept_minor ?? 0) && surcharge === (known?.surcharge_minor ?? 0)) return
  const status = known
    ? (statusOf(withoutOldStatus(body, known.source_told), known, null) ?? known.status)
    : body.status
  const isCancelled = status === 'cancelled'
  if (kept <= (isCancelled ? amountOf('total_minor') : surcharge)) return
  refuse(
    'kept_amount',
    isCancelled
      ? 'The money kept from refunds must be at most the total of the cancelled order.'
      : 'The money kept from refunds must be at most the surcharges.',
  )
}

/** Converts a new order that a person enters. Throws ORDER_INVALID for invalid amounts. */
export function readEnteredOrder(body: OrderBody, currency: string): ReceivedOrder {
  const received = readReceivedOrder(body, currency)
  const { amounts } = received
  assertKeptMoney({ ...amounts, total_minor: amounts.total_minor ?? sumOf(received, currency) }, body, null)
  return received
}

/**
 * Converts a person's edit, and adds the new total. Throws ORDER_INVALID for invalid amounts, and CONFLICT for a
 * changed discount of shipped pieces.
 */
export function readEditedOrder(body: OrderBody, currency: string, known: KnownOrder): ReceivedOrder {
  const read = readReceivedOrder(body, currency)
  assertDiscountKept(read, known)
  const received = withNewTotal(read, known)
  assertKeptMoney(received.amounts, body, known)
  return received
}
