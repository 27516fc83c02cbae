import { orderSteps } from '@pegasus/contracts/orders/order-steps'
import type { Order } from '@pegasus/contracts/orders/orders'

/** Returns whether the packing slip is the most likely next action of an order. */
export const isSlipNext = ({ status, shipments }: Order): boolean =>
  status === 'completed' && shipments.length > 0

/** Returns whether the page of an order shows an action as a button, outside its menu. */
export const hasNextStep = (order: Order): boolean => orderSteps(order).length > 0 || isSlipNext(order)
