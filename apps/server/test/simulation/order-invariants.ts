import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { type Order, type OrderLine, pieceLines } from '@pegasus/contracts/orders/orders'

/** Reads lists and objects from the server. */
interface Reader {
  send<T>(method: string, path: string): Promise<T | null>
  /** Returns all rows of a list. */
  all<T>(path: string): Promise<T[]>
}

export const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('the product did not answer')
  return value
}

export const sumOf = <T>(list: readonly T[], numberOf: (each: T) => number): number =>
  list.reduce((sum, each) => sum + numberOf(each), 0)

/** Returns the contradictions between an item, its movements and the lines of the orders. */
export async function findWrongStock(
  trader: Reader,
  itemId: string,
  orders: readonly Order[],
  /** Returns whether the shop's staff sent pieces of an order. These pieces need not have been in stock here. */
  isSentByStaff: (order: Order) => boolean = () => false,
): Promise<string[]> {
  const item = must(await trader.send<InventoryItem>('GET', `/api/inventory/${itemId}`))
  const movements = await trader.all<StockMovement>(`/api/inventory/${itemId}/movements?limit=1000`)
  const wrong: string[] = []
  const check = (what: string, stored: number, counted: number) => {
    if (stored !== counted) wrong.push(`${item.sku} ${what}: ${stored}, but ${counted} counted`)
  }
  check(
    'quantity',
    item.quantity,
    sumOf(movements, (each) => each.delta),
  )
  check(
    'reserved',
    item.reserved_quantity,
    sumOf(movements, (each) => each.reserved_delta),
  )
  if (item.quantity < item.reserved_quantity) wrong.push(`${item.sku}: more reserved than there is`)
  let after = { quantity: item.quantity, reserved: item.reserved_quantity }
  for (const each of movements) {
    check('quantity after a movement', each.quantity_after, after.quantity)
    check('reserved after a movement', each.reserved_after, after.reserved)
    after = { quantity: after.quantity - each.delta, reserved: after.reserved - each.reserved_delta }
  }
  check('quantity before the first movement', after.quantity, 0)
  const lines = orders.flatMap((order) =>
    pieceLines(order.items)
      .filter((each) => each.inventory_item_id === itemId)
      .map((line) => ({ ...line, order })),
  )
  const ships = new Set(movements.filter(({ kind }) => kind === 'ship').map(({ id }) => id))
  const isShipped = ({ kind, undoes_id: undone }: StockMovement) =>
    kind === 'ship' || (undone !== null && ships.has(undone))
  const kinds = new Map(movements.map(({ id, kind }) => [id, kind]))
  /** Returns the movements of a kind, and the movements that undo them. */
  const ofKind = (kind: StockMovement['kind']) =>
    movements.filter((each) => each.kind === kind || kinds.get(each.undoes_id ?? '') === kind)
  const byHand = movements.filter(({ document }) => document === null)
  // Stock = initial and printed pieces − sold pieces + returned pieces − returned pieces that were scrapped.
  const takenFor = (order: Order) =>
    -sumOf(
      movements.filter((each) => each.document?.id === order.id && isShipped(each)),
      (each) => each.delta,
    )
  const shipped = sumOf(orders, (order) =>
    isSentByStaff(order)
      ? takenFor(order)
      : sumOf(
          lines.filter((line) => line.order === order),
          (line) => line.shipped_quantity,
        ),
  )
  const returned = sumOf(ofKind('return'), (each) => each.delta)
  const scrapped = -sumOf(ofKind('scrap'), (each) => each.delta)
  check('stock', item.quantity, sumOf(byHand, (each) => each.delta) - shipped + returned - scrapped)
  check(
    'returned pieces',
    sumOf(lines, (line) => line.returned_quantity),
    returned,
  )
  // An order that is not in the list was deleted. Only orders without shipped pieces can be deleted.
  const listed = new Set(orders.map(({ id }) => id))
  const ofDeleted = movements.filter(({ document }) => document !== null && !listed.has(document.id))
  check(
    'pieces taken for deleted orders',
    sumOf(ofDeleted, (each) => each.delta),
    0,
  )
  check(
    'pieces reserved for deleted orders',
    sumOf(ofDeleted, (each) => each.reserved_delta),
    0,
  )
  for (const order of orders) {
    const own = lines.filter((line) => line.order === order)
    const moved = movements.filter(({ document }) => document?.id === order.id)
    const sent = sumOf(own, (line) => line.shipped_quantity)
    // If the staff sent pieces that were not in stock here, more pieces count as shipped than were taken from the
    // stock.
    check(
      `shipped for ${order.order_number}`,
      isSentByStaff(order) ? Math.min(sent, takenFor(order)) : sent,
      takenFor(order),
    )
    check(
      `reserved for ${order.order_number}`,
      sumOf(own, (line) => line.reserved_quantity),
      sumOf(moved, (each) => each.reserved_delta),
    )
  }
  return wrong
}

/**
 * Returns a text for each order whose amounts do not add up to its total, for each line that differs from the parcels,
 * and for each wrong set.
 */
export function findWrongOrders(orders: readonly Order[]): string[] {
  return orders.flatMap((order) => {
    const sum =
      sumOf(order.items, (line) => (line.quantity - line.refunded_quantity) * line.unit_price) +
      (order.shipping_amount ?? 0) +
      (order.surcharge_amount ?? 0) +
      (order.tax_amount ?? 0) -
      (order.discount_amount ?? 0)
    const inParcels = (id: string) =>
      sumOf(
        order.shipments.flatMap((parcel) => parcel.items).filter((each) => each.line_id === id),
        (each) => each.quantity,
      )
    const lines = pieceLines(order.items).filter(
      (line) => line.shipped_quantity !== inParcels(line.id) || line.shipped_quantity > line.quantity,
    )
    return [
      ...(Math.abs(sum - order.total_amount) > 0.001
        ? [`${order.order_number}: total ${order.total_amount}, but its terms are ${sum}`]
        : []),
      ...lines.map((line) => `${order.order_number}: the parcels differ from ${JSON.stringify(line)}`),
      ...findWrongSets(order),
    ]
  })
}

/** Returns a text for each line whose parts do not match it: a set with wrong parts, or a simple line with parts. */
function findWrongSets({ order_number: number, items }: Order): string[] {
  return items.flatMap((line) => {
    const isWrong = line.is_set
      ? line.parts.length === 0 ||
        line.inventory_item_id !== null ||
        line.parts.some((part) => part.quantity !== line.quantity * part.pieces_per_set)
      : line.parts.length > 0
    return isWrong ? [`${number}: wrong parts in ${JSON.stringify(line)}`] : []
  })
}

/**
 * Returns how many pieces of a line were shipped. A set counts as soon as one of its parts was shipped, as in a shop.
 */
export const unitsShippedOf = (line: OrderLine): number =>
  line.is_set
    ? Math.max(0, ...line.parts.map((part) => Math.ceil(part.shipped_quantity / part.pieces_per_set)))
    : line.shipped_quantity

/**
 * Returns the pieces in a parcel of an order, by the SKU that the customer ordered. A set counts as soon as the parcel
 * contains one of its parts.
 */
export function piecesInParcel(
  order: Order,
  parcel: Order['shipments'][number],
): { sku: string; quantity: number }[] {
  const inParcel = (id: string) =>
    sumOf(
      parcel.items.filter((each) => each.line_id === id),
      (each) => each.quantity,
    )
  return order.items.map((line) => ({
    sku: line.sku,
    quantity: line.is_set
      ? Math.max(0, ...line.parts.map((part) => Math.ceil(inParcel(part.id) / part.pieces_per_set)))
      : inParcel(line.id),
  }))
}
