import { fieldOf } from '../main-site-answer.ts'
import { listOf, moneyIn, numberIn, numberText, textIn } from './shopify-order.ts'

/**
 * The status of an order's fulfillment in the GraphQL API, by the value of `fulfillment_status` in an event. The value is
 * null, here an empty text, if nothing was sent. `restocked` is the value of a cancelled order whose pieces are back in
 * stock. The GraphQL API shows such an order as unfulfilled.
 */
const FULFILLMENT_STATUSES: Readonly<Record<string, string>> = {
  '': 'UNFULFILLED',
  restocked: 'UNFULFILLED',
  partial: 'PARTIALLY_FULFILLED',
  fulfilled: 'FULFILLED',
}

/**
 * Converts an order from a webhook, which has the field names of the older REST API, to the field names of
 * the GraphQL API.
 */
export function inGraphqlWords(order: unknown): Record<string, unknown> {
  const money = (amount: unknown) => ({ shopMoney: { amount } })
  const address = fieldOf(order, 'shipping_address')
  /** Returns an amount after refunds. */
  const now = (field: string) => fieldOf(order, `current_${field}`) ?? fieldOf(order, field)
  const taxesOf = (line: unknown) =>
    listOf(fieldOf(line, 'tax_lines')).map((tax) => ({
      rate: fieldOf(tax, 'rate'),
      priceSet: money(fieldOf(tax, 'price')),
    }))
  const soldIn = (line: unknown) => ({
    id: numberText(fieldOf(line, 'id')),
    sku: fieldOf(line, 'sku'),
    name: fieldOf(line, 'name'),
    variant: { id: numberText(fieldOf(line, 'variant_id')) },
    product: { id: numberText(fieldOf(line, 'product_id')) },
  })
  const fulfillments = fieldOf(order, 'fulfillments')
  const moneyOf = (field: string) => fieldOf(fieldOf(fieldOf(order, field), 'shop_money'), 'amount')
  const refunds = listOf(fieldOf(order, 'refunds')).map((refund) => ({
    createdAt: fieldOf(refund, 'created_at'),
    orderAdjustments: {
      // API versions before 2024-10 also list refunded shipping as such an adjustment.
      nodes: listOf(fieldOf(refund, 'order_adjustments'))
        .filter((each) => textIn(each, 'kind') !== 'shipping_refund')
        .map((each) => ({
          amountSet: money(fieldOf(each, 'amount')),
          taxAmountSet: money(fieldOf(each, 'tax_amount')),
        })),
    },
  }))
  const adjustments = refunds.flatMap((refund) => refund.orderAdjustments.nodes)
  /** Returns the price of a shipping line after the discounts on it. */
  const discountedPriceOf = (line: unknown) =>
    listOf(fieldOf(line, 'discount_allocations')).reduce<number>(
      (price, each) => price - numberIn(each, 'amount'),
      numberIn(line, 'price'),
    )
  return {
    id: fieldOf(order, 'admin_graphql_api_id') ?? numberText(fieldOf(order, 'id')),
    name: fieldOf(order, 'name'),
    email: fieldOf(order, 'email'),
    note: fieldOf(order, 'note'),
    createdAt: fieldOf(order, 'created_at'),
    updatedAt: fieldOf(order, 'updated_at'),
    cancelledAt: fieldOf(order, 'cancelled_at'),
    displayFinancialStatus: textIn(order, 'financial_status').toUpperCase(),
    displayFulfillmentStatus: FULFILLMENT_STATUSES[textIn(order, 'fulfillment_status')],
    currencyCode: fieldOf(order, 'currency'),
    taxesIncluded: fieldOf(order, 'taxes_included'),
    currentTotalPriceSet: money(now('total_price')),
    currentTotalTaxSet: money(now('total_tax')),
    currentTotalDiscountsSet: money(now('total_discounts')),
    totalDiscountsSet: money(fieldOf(order, 'total_discounts')),
    subtotalPriceSet: fieldOf(order, 'subtotal_price') && money(fieldOf(order, 'subtotal_price')),
    currentShippingPriceSet: money(
      moneyOf('current_shipping_price_set') ?? moneyOf('total_shipping_price_set'),
    ),
    refundDiscrepancySet: money(
      adjustments.reduce<number>(
        (sum, each) => sum + moneyIn(each, 'amountSet') + moneyIn(each, 'taxAmountSet'),
        0,
      ),
    ),
    refunds,
    totalTipReceivedSet: money(fieldOf(order, 'total_tip_received')),
    originalTotalDutiesSet: money(moneyOf('original_total_duties_set')),
    originalTotalAdditionalFeesSet: money(moneyOf('original_total_additional_fees_set')),
    billingAddress: fieldOf(order, 'billing_address'),
    shippingAddress: address && {
      ...address,
      provinceCode: fieldOf(address, 'province_code'),
      countryCodeV2: fieldOf(address, 'country_code'),
    },
    lineItems: {
      nodes: listOf(fieldOf(order, 'line_items')).map((line) => ({
        ...soldIn(line),
        requiresShipping: fieldOf(line, 'requires_shipping'),
        quantity: fieldOf(line, 'quantity'),
        currentQuantity: fieldOf(line, 'current_quantity') ?? fieldOf(line, 'quantity'),
        originalUnitPriceSet: money(fieldOf(line, 'price')),
        taxLines: taxesOf(line),
      })),
    },
    ...(Array.isArray(fulfillments) && {
      fulfillments: fulfillments.map((fulfillment) => ({
        status: textIn(fulfillment, 'status').toUpperCase(),
        fulfillmentLineItems: {
          nodes: listOf(fieldOf(fulfillment, 'line_items')).map((line) => ({
            quantity: fieldOf(line, 'quantity'),
            lineItem: soldIn(line),
          })),
        },
      })),
    }),
    shippingLines: {
      nodes: listOf(fieldOf(order, 'shipping_lines')).map((line) => ({
        originalPriceSet: money(fieldOf(line, 'price')),
        discountedPriceSet: money(discountedPriceOf(line)),
        taxLines: taxesOf(line),
      })),
    },
  }
}
