import {
  EGG_SKU,
  OTHER_SKU,
  SKU,
  leftOf,
  type SimulatedLine,
  type SimulatedOrder,
} from './simulated-orders.ts'

/** Returns the lines of a new order: one to three SKUs. */
export const someLines = (below: (limit: number) => number): SimulatedLine[] => {
  const skus = [SKU, EGG_SKU, OTHER_SKU].filter(() => below(2) === 0)
  return (skus.length > 0 ? skus : [SKU]).map((sku) => ({ sku, quantity: 1 + below(4), refunded: 0 }))
}

/** The shop refunds one piece of an order, unless it is the last one. Returns whether it did. */
export function refundPiece(order: SimulatedOrder, below: (limit: number) => number): boolean {
  const left = order.lines.reduce((sum, line) => sum + leftOf(line), 0)
  const line = order.lines[below(order.lines.length)]
  if (!line || left < 2 || leftOf(line) < 1) return false
  line.refunded += 1
  return true
}

/** The shop changes an order: the pieces of a line, its lines, or its amounts. */
export function editInShop(order: SimulatedOrder, below: (limit: number) => number): void {
  const line = order.lines[below(order.lines.length)]
  const missing = [SKU, EGG_SKU].find((sku) => order.lines.every((each) => each.sku !== sku))
  const what = below(4)
  if (what === 0 && line) line.quantity = line.refunded + 1 + below(4)
  else if (what === 1 && missing) order.lines.push({ sku: missing, quantity: 1 + below(2), refunded: 0 })
  else if (what === 2 && order.lines.length > 1 && order.lines.at(-1)?.refunded === 0) order.lines.pop()
  else Object.assign(order, { shipping: below(6), discount: below(3) })
}
