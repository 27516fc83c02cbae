import type { ReservationRow } from './reservations.queries.ts'

const MAX_NAMED = 3

const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** Returns the reservations of an item as text: `3 for order PO-00012, 2 for order PO-00013 and 1 without an order`. */
export function holdersOf(reservations: readonly ReservationRow[]): string {
  const orders = reservations.filter(({ order_id: orderId }) => orderId !== null)
  const named = orders.slice(0, MAX_NAMED)
  const others = orders.length - named.length
  const rest = orders.slice(MAX_NAMED).reduce((sum, { quantity }) => sum + quantity, 0)
  const without = reservations.find(({ order_id: orderId }) => orderId === null)?.quantity ?? 0
  return listOf([
    ...named.map(({ order_number: number, quantity }) => `${quantity} for order ${number}`),
    ...(others > 0 ? [`${rest} for ${others === 1 ? 'another order' : `${others} other orders`}`] : []),
    ...(without > 0 ? [`${without} without an order`] : []),
  ])
}
