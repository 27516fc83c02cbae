import { fieldOf } from '../main-site-answer.ts'
import type { ShopOrder } from '../shop-orders.ts'
import type { ShopifyAsk } from './shopify-graphql.ts'
import { listOf, numberIn, textIn } from './shopify-order.ts'

const FEES = `query Fees($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order { id transactions(first: 10) { status fees { amount { amount currencyCode } } } }
  }
}`

/** Returns the payment fees of an order in its currency, or undefined if the shop reports none. */
function feeOf(order: unknown, currency: unknown): number | undefined {
  const amounts = listOf(fieldOf(order, 'transactions'))
    .filter((transaction) => textIn(transaction, 'status') === 'SUCCESS')
    .flatMap((transaction) => listOf(fieldOf(transaction, 'fees')))
    .map((fee) => fieldOf(fee, 'amount'))
  if (amounts.length === 0 || amounts.some((amount) => textIn(amount, 'currencyCode') !== currency))
    return undefined
  // Sums of decimal numbers have small errors, so the sum is rounded. No currency has more than three decimals.
  return (
    Math.round(amounts.reduce<number>((sum, amount) => sum + numberIn(amount, 'amount'), 0) * 1000) / 1000
  )
}

/**
 * Adds the fees that Shopify charged for payments to orders. Shopify reports them only for its own payment service. If
 * they cannot be read, for example without the permission, the orders keep the fees that they have here, and the
 * comparison continues.
 */
export async function addShopifyFees(ask: ShopifyAsk, orders: readonly ShopOrder[]): Promise<ShopOrder[]> {
  if (orders.length === 0) return []
  const ids = orders.map((order) => `gid://shopify/Order/${String(order['external_id'])}`)
  const outcome = await ask(FEES, { ids })
  const nodes = outcome.ok ? listOf(fieldOf(outcome.data, 'nodes')) : []
  const paid = new Map(nodes.map((node) => [textIn(node, 'id'), node]))
  return orders.map((order, index) => {
    const fee = feeOf(paid.get(ids[index] ?? ''), order['currency'])
    return fee === undefined ? order : { ...order, fee_amount: fee }
  })
}
