import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { undoReturn } from './order-events.ts'
import { piecesInParcel } from './order-invariants.ts'
import type { SimulatedOrder } from './simulated-orders.ts'
import type { World } from './simulated-trader.ts'

/**
 * One or two people perform a random action on an order. `orderOfShop` is its counterpart in the shop, or null for an
 * order that was entered by hand.
 */
export async function handle(
  below: (limit: number) => number,
  { trader, takenBack, deleted, deletedOfShop }: World,
  known: Order,
  orderOfShop: SimulatedOrder | null,
): Promise<void> {
  const act = (action: string, body: object = {}) =>
    trader.send('POST', `/api/orders/${known.id}/${action}`, body)
  // A person can choose a whole set, or one of its parts.
  const some = known.items
    .flatMap((line) => [line, ...line.parts])
    .filter(() => below(2) === 0)
    .map((line) => ({ line_id: line.id, quantity: 1 + below(line.quantity) }))
  const choice = some.length > 0 && below(2) === 0 ? { items: some } : {}
  const step = below(100)
  if (step < 20) return void (await act('reserve', choice))
  if (step < 32) return void (await act('release', choice))
  // Two people ship the same pieces at the same time.
  if (step < 62) return void (await Promise.all([1, 2].map(() => act('ship', choice))))
  const parcel = known.shipments[below(known.shipments.length)]
  if (step < 70 && parcel) {
    const answer = (await act('undo-shipment', { shipment_id: parcel.id })) as { code?: string } | null
    // Without a response, the server was killed before or after it took the parcel back, so count the parcel as taken
    // back.
    if (!orderOfShop || answer?.code !== undefined) return
    const pieces = piecesInParcel(known, parcel)
    return void takenBack.set(orderOfShop.id, [...(takenBack.get(orderOfShop.id) ?? []), pieces])
  }
  if (step < 73) {
    // A person deletes the order, sometimes while another person ships it. The server deletes no order with shipped
    // pieces.
    const others = below(2) === 0 ? [act('ship', choice)] : []
    deleted.add(known.id)
    if (orderOfShop) deletedOfShop.add(known.id)
    return void (await Promise.all([trader.send('DELETE', `/api/orders/${known.id}`), ...others]))
  }
  if (step < 81) {
    const items = pieceLines(known.items).map((line) => ({
      line_id: line.id,
      quantity: 1,
      to: below(2) ? 'stock' : 'scrap',
    }))
    return void (await act('return', { items: items.slice(0, 1 + below(items.length)) }))
  }
  if (step < 84) return undoReturn(trader, known.id)
  if (step < 87) return void (await act(below(2) ? 'hold' : 'resume'))
  const due = [null, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'][below(3)]
  const lines = known.items.map(({ sku, name, unit_price }) => ({
    sku,
    name,
    unit_price,
    quantity: 1 + below(4),
  }))
  const edit = [
    { due_at: due },
    { fee_amount: below(5) / 4 },
    { notes: `Note ${below(9)}` },
    { items: lines },
  ]
  // The lines of an order from the shop can be changed only in the shop.
  const change = () =>
    trader.send('PUT', `/api/orders/${known.id}`, edit[below(orderOfShop ? 3 : 4)], known.revision)
  // Two people who read the same revision edit the order. The second edit is refused.
  await Promise.all(below(3) === 0 ? [change(), change()] : [change()])
  if (!orderOfShop && below(3) === 0) await act(below(2) ? 'cancel' : 'complete', { close_short: true })
}
