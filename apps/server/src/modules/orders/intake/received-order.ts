import { isDeepStrictEqual } from 'node:util'
import { toMinor } from '@pegasus/contracts/money'
import type { CreateOrderBody, ShippingAddress } from '@pegasus/contracts/orders/order-body'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { KnownLine, KnownOrder, OrderChange, StoredLine } from './order-intake.queries.ts'

/** An order's body, as a shop sends it or a person writes it. */
export type OrderBody = Omit<CreateOrderBody, 'order_number'>

/** The amounts of an order in minor units. An omitted field is undefined; null means that there is none. */
export interface ReceivedAmounts {
  total_minor: number | undefined
  shipping_minor: number | null | undefined
  tax_minor: number | null | undefined
  discount_minor: number | null | undefined
  fee_minor: number | null | undefined
}

/** An order as it was sent, with amounts in minor units. Omitted lines are undefined. */
export interface ReceivedOrder {
  amounts: ReceivedAmounts
  lines: KnownLine[] | undefined
}

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { say: message, errors: [{ path, message }] })
}

/** Throws ORDER_INVALID for another currency, and for an amount with too many decimals. */
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

/** The sum of the lines, shipping and tax, less the discount: the total of an order that came without one. */
export function sumOf({ amounts, lines = [] }: ReceivedOrder): number {
  const ofLines = lines.reduce((sum, line) => sum + line.quantity * line.unit_price_minor, 0)
  const { shipping_minor: shipping, tax_minor: tax, discount_minor: discount } = amounts
  return Math.max(0, ofLines + (shipping ?? 0) + (tax ?? 0) - (discount ?? 0))
}

/** Compares moments, because the same moment can be written in many ways. */
const inUtc = (moment: string): string => new Date(moment).toISOString()

/** An address without empty fields; null if nothing is left. */
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

/** The fields that the sender sent, as JSON values, with times in UTC. */
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

/** The fields that are new or differ from what the sender sent before; none for a repeated body. */
export function changedFieldsOf(body: OrderBody, before: KnownOrder['source_told']): OrderBody {
  if (before === null) return body
  const told = sourceFieldsOf(body)
  const news = Object.entries(body).filter(([name]) => !isDeepStrictEqual(told[name], before[name]))
  return Object.fromEntries(news) as OrderBody
}

/** The same body without an early status that was sent before, so that it does not undo later work of people. */
export const withoutOldStatus = (body: OrderBody, before: KnownOrder['source_told']): OrderBody =>
  isEarly(body.status) && body.status === before?.['status'] ? { ...body, status: undefined } : body

/** A sender may not know yet that people work on an order or put it on hold; its early status undoes neither. */
function statusOf({ status }: OrderBody, known: KnownOrder): OrderBody['status'] {
  return isEarly(status) && (known.is_begun || known.status === 'on_hold') ? undefined : status
}

/** The fields that were sent with other values than ours. */
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
  /** The lines to write, each with the existing one that it continues; a new one has none. */
  written: { line: KnownLine; stored: StoredLine | undefined }[]
  /** Existing lines that are no longer ordered. */
  removed: StoredLine[]
  /** Whether an existing line has another place now. Then all lines are written. */
  isMoved: boolean
}

/**
 * Compares the lines that were sent with the existing ones, those that were ordered. A line continues the existing one
 * of its SKU, at the same place or else the first that is left, because reservations, shipments and print jobs belong
 * to it.
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
