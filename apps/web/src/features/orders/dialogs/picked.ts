import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'

/** Number of picked pieces by the id of the line. */
export type Picked = Readonly<Record<string, number>>

export const leftOf = (line: OrderLine | SetPart): number => line.quantity - line.shipped_quantity

/** Returns the lines whose pieces can be picked. */
export const pickable = (order: Order): (OrderLine | SetPart)[] =>
  pieceLines(order.items).filter((line) => leftOf(line) > 0)
