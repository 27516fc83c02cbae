import { type OrderStatus, isOpenOrder } from '../statuses.ts'

/** The next steps of an order that its page, the scan box and labels offer. */
export const ORDER_STEPS = ['reserve', 'pick', 'ship', 'resume'] as const
export type OrderStep = (typeof ORDER_STEPS)[number]

interface LineState {
  quantity: number
  shipped_quantity: number
  reserved_quantity: number
  allocated_quantity: number
  is_ignored: boolean
}

/** The fields of an order that decide which steps are possible. */
export interface OrderState {
  status: OrderStatus
  items: readonly (LineState & { is_set: boolean; parts: readonly LineState[] })[]
}

/**
 * Returns the next steps that are possible for an order, for people who may change orders. An order can be shipped as
 * soon as some of its pieces are available, because it can be shipped in parts.
 */
export function orderSteps({ status, items }: OrderState): OrderStep[] {
  if (status === 'on_hold') return ['resume']
  if (!isOpenOrder(status)) return []
  const lines = items.flatMap((line) => (line.is_set ? line.parts : [line]))
  const sum = (of: (line: LineState) => number) => lines.reduce((total, line) => total + of(line), 0)
  const inStock = sum((line) => line.allocated_quantity)
  // Lines of ignored SKUs take no pieces from the stock, so they can always be shipped.
  const canShip =
    inStock + sum((line) => line.reserved_quantity) > 0 ||
    lines.some((line) => line.is_ignored && line.shipped_quantity < line.quantity)
  return [...(inStock > 0 ? (['reserve'] as const) : []), ...(canShip ? (['pick', 'ship'] as const) : [])]
}
