import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'

/** Number of picked pieces by the id of the line. */
export type Picked = Readonly<Record<string, number>>

export const leftOf = (line: OrderLine | SetPart): number => line.quantity - line.shipped_quantity

/** Returns the number of the latest shipment of an order that was not undone, or 0. */
export const lastShipmentOf = ({ shipments }: Order): number => shipments.at(-1)?.number ?? 0

/**
 * Returns the pieces of each line that were shipped after a given shipment. The pieces are found by the numbers of
 * their shipments, because an undone shipment lowers the line's number of shipped pieces again.
 */
export function shippedAfter({ shipments }: Order, lastShipment: number): Picked {
  const pieces: Record<string, number> = {}
  for (const { number, items } of shipments)
    for (const { line_id: id, quantity } of number > lastShipment ? items : [])
      pieces[id] = (pieces[id] ?? 0) + quantity
  return pieces
}

export const sumOfPicked = (picked: Picked): number =>
  Object.values(picked).reduce((sum, count) => sum + count, 0)

/** Returns the lines whose pieces can be picked. */
export const pickable = (order: Order): (OrderLine | SetPart)[] =>
  pieceLines(order.items).filter((line) => leftOf(line) > 0)
