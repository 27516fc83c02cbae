import { isDeepStrictEqual } from 'node:util'
import { toMinor } from '@pegasus/contracts/money'
import type { CreateOrderBody, ShippingAddress } from '@pegasus/contracts/orders/order-body'
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

/**
 * Converts the amounts and lines of a body. Throws ORDER_INVALID for another currency, and for an amount with
 * too many decimals.
 */
export function readReceivedOrder(body: OrderBody, currency: string): ReceivedOrder {
  const minor = (path: string, name: string, amount: number): number =>
    toMinor(amount, currency) ?? refuse(path, `${name} has more decimals than ${currency} has`)
  const read = <T extends number | null | undefined>(path: string, amount: T) =>
    typeof amount === 'number' ? minor(path, path, amount) : (amount as Exclude<T, number>)
  if (body.currency !== undefined && body.currency !== currency)
    refuse('currency', `Orders come in ${currency}`)
  return {
    amounts: {
      total_minor: read('total_amount', body.total_amount),
      shipping_minor: read('shipping_amount', body.shipping_amount),
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

/** Returns the total for an order that has none: lines plus shipping plus tax minus discount. */
export function sumOf({ amounts, lines = [] }: ReceivedOrder): number {
  const ofLines = lines.reduce((sum, line) => sum + line.quantity * line.unit_price_minor, 0)
  const { shipping_minor: shipping, tax_minor: tax, discount_minor: discount } = amounts
  return Math.max(0, ofLines + (shipping ?? 0) + (tax ?? 0) - (discount ?? 0))
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
 * Removes the status `pending` or `in_progress` from a body if the sender has sent the same status before.
 * Otherwise, a repeated body would undo later changes by people.
 */
export const withoutOldStatus = (body: OrderBody, before: KnownOrder['source_told']): OrderBody =>
  isEarly(body.status) && body.status === before?.['status'] ? { ...body, status: undefined } : body

/**
 * Returns the status to save, or undefined to keep the current one. The sender may not know yet that people
 * are working on the order or have put it on hold. In these cases, `pending` and `in_progress` are ignored.
 */
function statusOf({ status }: OrderBody, known: KnownOrder): OrderBody['status'] {
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

/** The changes of an order's lines. */
export interface LineChanges {
  /** The lines to write. `stored` is the existing line that the line continues, or undefined for a new line. */
  written: { line: KnownLine; stored: StoredLine | undefined }[]
  /** Existing lines that are no longer ordered. */
  removed: StoredLine[]
  /** Whether an existing line has another position now. If so, all lines are written. */
  isMoved: boolean
}

/**
 * Compares received lines with the existing ordered lines. A received line continues an existing line with
 * the same SKU: the one at the same position, otherwise the first one that is still unmatched. Existing lines
 * are kept in this way because reservations, shipments and print jobs belong to them.
 */
export function findLineChanges(lines: readonly KnownLine[], known: readonly StoredLine[]): LineChanges {
  const left = new Set(known)
  const isSameSku = (a: KnownLine, b: KnownLine) => a.sku.toUpperCase() === b.sku.toUpperCase()
  const take = (stored: StoredLine | undefined) => {
    if (stored) left.delete(stored)
    return stored
  }
  const inPlace = lines.map((line) =>
    take(known.find((stored) => stored.position === line.position && isSameSku(stored, line))),
  )
  const bySku = Map.groupBy(left, ({ sku }) => sku.toUpperCase())
  const pairs = lines.map((line, index) => ({
    line,
    stored: inPlace[index] ?? take(bySku.get(line.sku.toUpperCase())?.shift()),
  }))
  const isMoved = pairs.some(({ line, stored }) => stored !== undefined && stored.position !== line.position)
  const written = pairs.filter(
    ({ line, stored }) =>
      isMoved ||
      stored?.sku !== line.sku ||
      stored.name !== line.name ||
      stored.quantity !== line.quantity ||
      stored.unit_price_minor !== line.unit_price_minor,
  )
  return { written, removed: [...left], isMoved }
}
