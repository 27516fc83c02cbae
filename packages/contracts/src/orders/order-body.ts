import * as z from 'zod/mini'
import {
  clearableMoment,
  clearableText,
  isWellFormed,
  moment,
  nullable,
  numberBetween,
  requiredText,
  text,
  wholeNumber,
} from '../fields.ts'
import { MAX_ITEM_QUANTITY, SKU_MAX_LENGTH } from '../inventory/items.ts'
import { ORDER_STATUSES } from '../statuses.ts'
import { EMAIL_MAX_LENGTH } from '../users/users.ts'

export const ORDER_NUMBER_MAX_LENGTH = 64
export const CUSTOMER_MAX_LENGTH = 200
const EXTERNAL_ID_MAX_LENGTH = 200
const NOTES_MAX_LENGTH = 10_000
const LINE_NAME_MAX_LENGTH = 500
export const MAX_ORDER_LINES = 1000
/** Maximum number of pieces of a line that a person enters, the same as for a print job. Shops can sell more. */
export const MAX_TYPED_QUANTITY = 1_000_000
const ADDRESS_LINE_MAX_LENGTH = 200

const amount = (name: string) => numberBetween(name, 0, 1_000_000_000)
/** An optional amount of an order. Null clears the field. If it is missing, the field stays unchanged. */
export const clearableAmount = (name: string) => z.optional(z.nullable(amount(name)))

const lineWith = (mostPieces: number) =>
  z.object({
    sku: z._default(text(SKU_MAX_LENGTH, 'sku', isWellFormed), ''),
    name: z._default(text(LINE_NAME_MAX_LENGTH, 'name', isWellFormed), ''),
    quantity: wholeNumber('quantity', 1, mostPieces),
    unit_price: amount('unit_price'),
  })
/** All lines of an order, in sequence. The list may be empty. */
const linesWith = (mostPieces: number) =>
  z.optional(
    z
      .array(lineWith(mostPieces), 'items must be a list')
      .check(z.maxLength(MAX_ORDER_LINES, `An order can have at most ${MAX_ORDER_LINES} items`)),
  )

const COUNTRY = 'country must be two letters, such as DE'
const addressLine = (name: string) => clearableText(ADDRESS_LINE_MAX_LENGTH, name, isWellFormed)

/** The shipping address of an order. Every field may be missing. */
const shippingAddressBody = z.object({
  name: addressLine('name'),
  company: addressLine('company'),
  line1: addressLine('line1'),
  line2: addressLine('line2'),
  postal_code: addressLine('postal_code'),
  city: addressLine('city'),
  region: addressLine('region'),
  country: z.optional(
    z.nullable(z.string(COUNTRY).check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, COUNTRY))),
  ),
  phone: addressLine('phone'),
})

/** The shipping address in responses. It contains every field. Empty fields are null. */
export const shippingAddress = z.object({
  name: nullable.text,
  company: nullable.text,
  line1: nullable.text,
  line2: nullable.text,
  postal_code: nullable.text,
  city: nullable.text,
  region: nullable.text,
  country: nullable.text,
  phone: nullable.text,
})
export type ShippingAddress = z.output<typeof shippingAddress>

/** The fields of an order that its sender or a person writes. Missing fields stay unchanged. */
const orderFields = {
  customer_name: z.optional(text(CUSTOMER_MAX_LENGTH, 'customer_name', isWellFormed)),
  customer_email: clearableText(EMAIL_MAX_LENGTH, 'customer_email', isWellFormed),
  shipping_address: z.optional(z.nullable(shippingAddressBody)),
  shipping_amount: clearableAmount('shipping_amount'),
  /** An amount that the customer pays besides lines, shipping and tax, such as a fee for gift wrap. */
  surcharge_amount: clearableAmount('surcharge_amount'),
  /**
   * The part of `surcharge_amount` that the shop kept when it refunded pieces, such as a cancellation fee. It counts as
   * revenue. It must be at most `surcharge_amount` or, for a cancelled order, at most `total_amount`, because the
   * surcharges of a cancelled order need not contain it.
   */
  kept_amount: clearableAmount('kept_amount'),
  tax_amount: clearableAmount('tax_amount'),
  discount_amount: clearableAmount('discount_amount'),
  /** Fees of the shop or the payment provider. They are not part of the total. */
  fee_amount: clearableAmount('fee_amount'),
  /** If the currency is given, it must be the configured one. */
  currency: z.optional(z.string('currency must be a code such as USD')),
  /** Time of the purchase. For a new order, the default is the current time. */
  placed_at: z.optional(moment('placed_at')),
  due_at: clearableMoment('due_at'),
  notes: clearableText(NOTES_MAX_LENGTH, 'notes', isWellFormed),
  items: linesWith(MAX_ITEM_QUANTITY),
}

/**
 * An order as a shop sends it. Sending the same number again updates the order. Missing fields stay
 * unchanged; in a new order, they get their defaults. The total need not equal the sum of the lines.
 */
export const receiveOrderBody = z.object({
  order_number: requiredText(ORDER_NUMBER_MAX_LENGTH, 'order_number', undefined, isWellFormed),
  ...orderFields,
  /** For a new order, the default is `pending`. */
  status: z.optional(z.enum(ORDER_STATUSES, `status must be one of ${ORDER_STATUSES.join(', ')}`)),
  /** An amount in the configured currency, with at most the currency's number of decimals. */
  total_amount: amount('total_amount'),
  /** The id that the shop uses for the order. */
  external_id: clearableText(EXTERNAL_ID_MAX_LENGTH, 'external_id', isWellFormed),
})
export type ReceiveOrderBody = z.output<typeof receiveOrderBody>

/**
 * An order that a person enters. Its status has the same effects as the status of an order from a shop. The default
 * total is the sum of the lines, shipping, surcharges and tax, minus the discount.
 */
export const createOrderBody = z.object({
  ...receiveOrderBody.shape,
  order_number: z.optional(text(ORDER_NUMBER_MAX_LENGTH, 'order_number', isWellFormed)),
  items: linesWith(MAX_TYPED_QUANTITY),
  total_amount: z.optional(amount('total_amount')),
})
export type CreateOrderBody = z.output<typeof createOrderBody>

/**
 * A change by a person. If no total is sent, it changes by the same amount as the lines, shipping, tax and discount.
 * The price and the discount of shipped pieces cannot change.
 */
export const updateOrderBody = z.object({
  ...orderFields,
  items: linesWith(MAX_TYPED_QUANTITY),
  total_amount: z.optional(amount('total_amount')),
})
export type UpdateOrderBody = z.output<typeof updateOrderBody>
