import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'

/** Picked pieces by the id of the line. */
export type Picked = Readonly<Record<string, number>>

export const leftOf = (line: OrderLine | SetPart): number => line.quantity - line.shipped_quantity

/** The lines that pieces are picked for. */
export const pickable = (order: Order): (OrderLine | SetPart)[] =>
  pieceLines(order.items).filter((line) => leftOf(line) > 0)
