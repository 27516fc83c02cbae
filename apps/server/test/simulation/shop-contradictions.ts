import { type Order, type OrderLine, pieceLines } from '@pegasus/contracts/orders/orders'
import { findWrongOrders, findWrongStock, sumOf, unitsShippedOf } from './order-invariants.ts'
import { OTHER_SKU, leftOf, orderNumberOf, totalOf } from './simulated-orders.ts'
import type { Trader, World } from './simulated-trader.ts'

const isWithoutItem = (line: OrderLine): boolean => !line.is_set && line.inventory_item_id === null

/** Returns a text for each contradiction between stock movements, order lines, parcels and the shop. */
export async function findContradictions(trader: Trader, world: World): Promise<string[]> {
  const { shop, orders, takenBack, sentByStaff, seen, items } = world
  const all = await trader.orders()
  const ours = new Map(all.map((order) => [order.order_number, order]))
  const staffed = new Set([...sentByStaff].map(orderNumberOf))
  const isSentByStaff = (order: Order) => staffed.has(order.order_number)
  const wrong = [
    ...(await findWrongStock(trader, items.dragon, all, isSentByStaff)),
    ...(await findWrongStock(trader, items.egg, all, isSentByStaff)),
    ...findWrongOrders(all),
  ]
  for (const sold of orders) {
    const { id, lines, isCancelled } = sold
    const order = ours.get(orderNumberOf(id))
    if (!order) {
      // The server does not add an order that was cancelled in the shop before its first message arrived.
      if (!isCancelled || seen.has(id)) wrong.push(`${orderNumberOf(id)} is missing`)
      continue
    }
    const inParcels = sumOf(
      order.shipments.flatMap((parcel) => parcel.items),
      (each) => each.quantity,
    )
    // The pieces were shipped before the server knew the change of the shop. The server refuses such a change, and the
    // order shows the problem.
    const isRefused = order.shop_problem !== null && (inParcels > 0 || takenBack.has(id))
    // The shop's staff took back their parcel, but these pieces count as part of our own parcel.
    const isWithdrawn = order.shop_problem?.includes('took back pieces') === true
    const isSentThere = lines.every(({ sku, refunded, quantity }) => {
      const there = shop.piecesSentOf(id, sku)
      if (there === null || isWithdrawn) return true
      const own = order.items.filter((line) => line.sku === sku)
      const here = sumOf(own, unitsShippedOf)
      // The staff can send pieces of a SKU that is ignored, or that nobody has mapped yet.
      if (own.some((line) => isWithoutItem(line) && line.shipped_quantity < there)) return true
      const undone = sumOf(
        (takenBack.get(id) ?? []).flat().filter((piece) => piece.sku === sku),
        (piece) => piece.quantity,
      )
      // The shop can count pieces of this SKU as sent although we still have to ship them: a report sent them while the
      // SKU was ignored, and now it is mapped. Or a person here undid the shipment of pieces that the staff sent.
      if (sku === OTHER_SKU && here < there && order.status !== 'completed')
        return shop.piecesOfStaff(id, sku) <= here + undone
      // The shop can refund pieces that were shipped here but not reported yet. It then counts only the other pieces as
      // sent. A problem can also be about a refund that was accepted, so the refunds that are known here count as well.
      const refundedHere = sumOf(own, (line) => line.refunded_quantity)
      const refused = isRefused ? Math.max(refunded, refundedHere) : refundedHere
      if (takenBack.has(id)) {
        // If parcels were taken back here, the shop may keep the pieces of these parcels, and no other pieces.
        const inShopOnly = Math.min(there, quantity) - here
        if (here > there || inShopOnly > undone) return false
        // While such pieces are still to be shipped, the order must show a problem.
        const isToShip = Math.min(there, quantity - refunded) > here && order.status !== 'cancelled'
        return !isToShip || sentByStaff.has(id) || order.shop_problem !== null
      }
      // The staff and a person here can send the same piece at the same time, so the shop can count more pieces than
      // ordered.
      return Math.min(there, quantity) <= here && there >= here - refused
    })
    const reported = order.shipments.filter((parcel) => parcel.told_at !== null).length
    // The shop can have more parcels than we have shipments: a parcel that was taken back may have been reported
    // before, and the report of a completion sends the pieces of an ignored SKU in a parcel of its own.
    const ofReports = Math.max(0, (shop.piecesSentOf(id, OTHER_SKU) ?? 0) - shop.piecesOfStaff(id, OTHER_SKU))
    const most = order.shipments.length + (takenBack.get(id)?.length ?? 0) + ofReports
    // A shop that counts pieces can have fewer parcels: it needs none for pieces that it already counts as sent, and it
    // combines parcels with different parts of the same set.
    const hasSets = order.items.some((line) => line.is_set)
    const least = (takenBack.has(id) || hasSets) && shop.sendPiece !== null ? 0 : order.shipments.length
    const isReported = sentByStaff.has(id) || (least <= shop.parcelsOf(id) && shop.parcelsOf(id) <= most)
    const areParcelsThere = shop.sendPiece !== null || reported <= shop.parcelsOf(id)
    const linesOf = (sku: string) => order.items.filter((line) => line.sku === sku)
    const isWhole =
      order.items.every((line) => line.is_ignored || line.shipped_quantity >= line.quantity) &&
      order.items.some((line) => line.shipped_quantity > 0)
    const checks = {
      lines:
        isRefused ||
        isCancelled ||
        (order.items.every((line) => lines.some(({ sku }) => sku === line.sku)) &&
          lines.every(
            (line) =>
              sumOf(linesOf(line.sku), (each) => each.quantity - each.refunded_quantity) === leftOf(line),
          )),
      amounts: isRefused || isCancelled || order.total_amount === totalOf(sold),
      cancelled:
        !isCancelled ||
        inParcels > 0 ||
        (order.status === 'cancelled' &&
          pieceLines(order.items).every((line) => line.reserved_quantity === 0)),
      parcels: isReported && areParcelsThere && isSentThere,
      completed: (order.status === 'completed') === isWhole || isCancelled,
    }
    for (const [name, isTrue] of Object.entries(checks))
      if (!isTrue)
        wrong.push(
          `${orderNumberOf(id)} ${name}: ${JSON.stringify({ sold, status: order.status, problem: order.shop_problem, total: order.total_amount, lines: order.items.map((line) => [line.sku, line.quantity, line.refunded_quantity, line.shipped_quantity, line.returned_quantity, line.is_ignored, line.parts.map((part) => [part.sku, part.pieces_per_set, part.quantity, part.shipped_quantity, part.returned_quantity])]), shipments: order.shipments.length, there: shop.parcelsOf(id), sentThere: lines.map(({ sku }) => shop.piecesSentOf(id, sku)), takenBack: takenBack.get(id), isStaffed: sentByStaff.has(id) })}`,
        )
  }
  return wrong
}
