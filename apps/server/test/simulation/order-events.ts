import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { Order } from '@pegasus/contracts/orders/orders'

interface Caller {
  /** Sends a request. Returns null if the server was killed during the request. */
  send<T>(method: string, path: string, body?: object): Promise<T | null>
}

/** Undoes the latest return of an order, if there is one. Two people do so at the same time. */
export async function undoReturn(trader: Caller, orderId: string): Promise<void> {
  const path = `/api/orders/${orderId}`
  const history = (await trader.send<OrderEvent[]>('GET', `${path}/history`)) ?? []
  const booked = history.find((event) => event.return_id !== null)
  if (!booked) return
  const body = { return_id: booked.return_id }
  await Promise.all([1, 2].map(() => trader.send('POST', `${path}/undo-return`, body)))
}

/** Applies one bulk action to some of the latest orders. */
export async function actOnMany(trader: Caller, below: (limit: number) => number): Promise<void> {
  const listed = (await trader.send<Order[]>('GET', '/api/orders?limit=20')) ?? []
  const ids = listed.map(({ id }) => id).filter(() => below(3) === 0)
  const action = (['reserve', 'release', 'hold', 'resume', 'ship'] as const)[below(5)]
  if (ids.length > 0) await trader.send('POST', '/api/orders/bulk', { ids, action })
}

/** A person maps a SKU to one item or to one of two sets, ignores the SKU, or forgets the earlier decision. */
export async function decideSku(
  trader: Caller,
  { sku, dragon, egg }: { sku: string; dragon: string; egg: string },
  below: (limit: number) => number,
): Promise<void> {
  const part = (itemId: string, quantity: number) => ({ inventory_item_id: itemId, quantity })
  const mappings = [[part(dragon, 1)], [part(dragon, 1), part(egg, 2)], [part(egg, 3)]]
  const decision = below(7)
  const items = mappings[decision % 4]
  if (decision === 6) await trader.send('POST', '/api/orders/unknown-skus/forget', { sku })
  else if (items) await trader.send('POST', '/api/orders/unknown-skus/map', { sku, items })
  else await trader.send('POST', '/api/orders/unknown-skus/ignore', { sku })
}

/** Restores deleted orders. */
export async function restoreOrders(trader: Caller, ids: Iterable<string>): Promise<void> {
  for (const id of ids) await trader.send('POST', `/api/orders/${id}/restore`)
}
