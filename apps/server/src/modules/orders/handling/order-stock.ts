import type { LinePart } from '@pegasus/contracts/orders/order-changes'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { type NewMovement, lockItems, moveStockOfOrder, readUnitCosts } from '../../inventory/index.ts'
import type { KnownOrder, StoredLine } from '../intake/order-intake.queries.ts'
import type { LineChanges } from '../intake/line-changes.ts'
import {
  type NewShipment,
  addShipped,
  advanceOrder,
  insertShipment,
  insertShipmentLines,
} from './shipments.queries.ts'

// All functions of this file change or read the stock for an order whose lock the caller holds. They lock items in the
// order of their ids, so that two orders with the same items cannot deadlock.

/** A line, and a number of its pieces. */
export interface PartOfLine {
  line: StoredLine
  quantity: number
}

export const remainingOf = (line: StoredLine): number => Math.max(0, line.quantity - line.shipped_quantity)
export const neededOf = (line: StoredLine): number => Math.max(0, remainingOf(line) - line.reserved_quantity)

/** Returns the name of a line for messages, such as `“Dragon” (DRG-1)`. */
export const titleOf = ({ name, sku }: Pick<StoredLine, 'name' | 'sku'>): string =>
  name === '' ? sku || 'A line without a name' : sku === '' ? `“${name}”` : `“${name}” (${sku})`

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { text: message, errors: [{ path, message }] })
}

/**
 * Finds the lines that a request names, with their quantities. Adds up the quantities of a line that is named twice,
 * and replaces a set by its parts. Throws ORDER_INVALID for a line of another order.
 */
export function findParts(order: KnownOrder, asked: readonly LinePart[]): PartOfLine[] {
  const parts = new Map<string, PartOfLine>()
  for (const [index, { line_id: id, quantity }] of asked.entries()) {
    const line = order.lines.find((each) => each.id === id)
    if (!line) return refuse(`items.${index}.line_id`, 'This line is not in the order.')
    for (const part of line.is_set ? partsOf(order, line) : [line]) {
      const earlier = parts.get(part.id)?.quantity ?? 0
      parts.set(part.id, {
        line: part,
        quantity: earlier + (part === line ? 1 : (part.pieces_per_set ?? 1)) * quantity,
      })
    }
  }
  return [...parts.values()]
}

const partsOf = (order: KnownOrder, set: StoredLine): StoredLine[] =>
  order.lines.filter((line) => line.set_line_id === set.id)

/** Returns the lines that have pieces themselves. Sets are left out, because only their parts have pieces. */
export const pieceLinesOf = (order: KnownOrder): StoredLine[] => order.lines.filter((line) => !line.is_set)

export const byItem = <T extends PartOfLine>(parts: readonly T[]): T[] =>
  parts.toSorted((a, b) => ((a.line.item_id ?? '') < (b.line.item_id ?? '') ? -1 : 1))

export const noItemMessage = (line: Pick<StoredLine, 'name' | 'sku'>): string =>
  `No inventory item has the SKU of ${titleOf(line)}. Add an item with this SKU first.`

/** Returns the item of a line. Throws ORDER_STATE if its SKU is unknown. */
function itemOf(line: StoredLine): string {
  if (line.item_id !== null) return line.item_id
  throw new AppError('ORDER_STATE', { text: noItemMessage(line) })
}

/** The pieces of an item in stock: the free ones, and all of them. More pieces can be reserved than are in stock. */
interface Shelf {
  free: number
  all: number
}

/** Locks the items of lines. Returns their pieces by item id, without items that are missing or in the trash. */
async function lockShelves(tx: Queryable, lines: readonly StoredLine[]): Promise<Map<string, Shelf>> {
  const items = await lockItems(
    tx,
    lines.flatMap(({ item_id: id }) => (id === null ? [] : [id])),
  )
  return new Map(
    [...items].map(([id, { quantity, reserved_quantity: reserved }]) => [
      id,
      { free: Math.max(0, quantity - reserved), all: quantity },
    ]),
  )
}

/**
 * Takes pieces for a line from a shelf: its reserved pieces first, then free ones. Returns the number of taken pieces,
 * at most `limit`.
 */
function takeFrom(shelf: Shelf, { line, quantity: limit }: PartOfLine): number {
  const reserved = line.is_ignored ? 0 : line.reserved_quantity
  const taken = Math.min(limit, reserved + shelf.free, shelf.all)
  shelf.free -= Math.max(0, taken - reserved)
  shelf.all -= taken
  return taken
}

export const pieces = (count: number): string => `${count} piece${count === 1 ? '' : 's'}`

/**
 * Reserves or releases the requested parts of an order, or all possible parts if `asked` is undefined. Returns the
 * changed parts.
 */
type MoveParts = (
  tx: Queryable,
  order: KnownOrder,
  asked: readonly LinePart[] | undefined,
  by: AuditContext,
) => Promise<PartOfLine[]>

/** Returns the movement that reserves or releases pieces for a line. */
const reservationOf = (
  kind: 'reserve' | 'release',
  { line, quantity }: PartOfLine,
): Omit<NewMovement, 'orderId'> => ({
  itemId: itemOf(line),
  kind,
  reservedDelta: kind === 'reserve' ? quantity : -quantity,
  orderLineId: line.id,
})

/**
 * Reserves the requested parts. If `asked` is undefined, reserves all free pieces that the order still needs. Throws
 * STOCK_NOT_FREE, ORDER_INVALID or ORDER_STATE.
 */
export const reserveParts: MoveParts = async (tx, order, asked, by) => {
  const asOrdered = pieceLinesOf(order).filter((line) => line.item_id !== null && !line.is_ignored)
  const wanted = byItem(
    asked ? findParts(order, asked) : asOrdered.map((line) => ({ line, quantity: neededOf(line) })),
  )
  const shelves = await lockShelves(
    tx,
    wanted.map(({ line }) => line),
  )
  const parts: PartOfLine[] = []
  for (const { line, quantity } of wanted) {
    const itemId = itemOf(line)
    const shelf = shelves.get(itemId) ?? { free: 0, all: 0 }
    const left = shelf.free
    if (asked && quantity > left)
      throw new AppError('STOCK_NOT_FREE', {
        text: `Only ${pieces(left)} of ${titleOf(line)} are free, so ${quantity} cannot be reserved.`,
      })
    if (asked && quantity > neededOf(line))
      refuse('items', `${titleOf(line)} needs only ${pieces(neededOf(line))} more.`)
    const taken = Math.min(quantity, left)
    if (taken === 0) continue
    shelf.free = left - taken
    parts.push({ line, quantity: taken })
  }
  const movements = parts.map((part) => reservationOf('reserve', part))
  await moveStockOfOrder(tx, order.id, movements, by)
  return parts
}

/**
 * Releases the requested parts. If `asked` is undefined, releases all pieces that are reserved for the order. Throws
 * STOCK_NOT_RESERVED or ORDER_INVALID.
 */
export const releaseParts: MoveParts = async (tx, order, asked, by) => {
  const all = order.lines.map((line) => ({ line, quantity: line.reserved_quantity }))
  const parts = byItem(asked ? findParts(order, asked) : all).filter(({ quantity }) => quantity > 0)
  for (const { line, quantity } of parts)
    if (quantity > line.reserved_quantity || line.item_id === null)
      throw new AppError('STOCK_NOT_RESERVED', {
        text: `Only ${pieces(line.reserved_quantity)} of ${titleOf(line)} are reserved, so ${quantity} cannot be released.`,
      })
  const movements = parts.map((part) => reservationOf('release', part))
  await moveStockOfOrder(tx, order.id, movements, by)
  return parts
}

/**
 * Releases pieces like `releaseParts`, because the order ends or needs fewer pieces, and writes an audit entry, so that
 * the history of the order shows these pieces.
 */
export async function releaseRest(
  tx: Queryable,
  order: KnownOrder,
  asked: readonly LinePart[] | undefined,
  by: AuditContext,
): Promise<void> {
  const items = auditItems(await releaseParts(tx, order, asked, by))
  const audited = { entity: 'order', entityId: order.id, entityName: order.order_number } as const
  if (items.length > 0) await writeAudit(tx, { action: 'order.released', ...audited, after: { items } }, by)
}

export type ShipmentDetails = Pick<
  NewShipment,
  'carrier' | 'tracking_number' | 'tracking_url' | 'postage_minor' | 'notify_shop' | 'made_at_shop'
>

/**
 * Ships the parts. Takes reserved pieces first, then free pieces. An ignored line takes no pieces from the stock.
 * Returns the shipment's id. Throws STOCK_NOT_FREE with the name of the line, ORDER_INVALID if more pieces are
 * requested than are left to ship, or ORDER_STATE.
 */
export async function shipParts(
  tx: Queryable,
  order: KnownOrder,
  parts: readonly PartOfLine[],
  details: ShipmentDetails,
  by: AuditContext,
): Promise<string> {
  const id = uuidv7()
  await insertShipment(tx, { id, orderId: order.id, ...details, by: actorColumns(by.actor), now: by.now })
  const itemIds = parts.flatMap(({ line }) => (line.item_id === null ? [] : [line.item_id]))
  const costs = await readUnitCosts(tx, itemIds, order.currency)
  const movementIds = await takePieces(tx, order.id, parts, by)
  const lines = parts.map(({ line, quantity }) => ({
    shipment_id: id,
    order_line_id: line.id,
    quantity,
    from_reserved: fromReservedOf({ line, quantity }),
    unit_cost_minor: line.item_id === null ? null : (costs.get(line.item_id) ?? null),
    movement_id: movementIds.get(line.id) ?? null,
  }))
  // The order gets its new status first: if this shipment ends the order, its lines get the rest of the fees.
  await advanceOrder(tx, order.id, false, by.now)
  await insertShipmentLines(tx, lines)
  return id
}

const fromReservedOf = ({ line, quantity }: PartOfLine): number =>
  line.is_ignored ? 0 : Math.min(quantity, line.reserved_quantity)

/**
 * Removes the shipped pieces from stock. Returns the id of the movement of each line. An ignored line has no
 * movement.
 */
async function takePieces(
  tx: Queryable,
  orderId: string,
  parts: readonly PartOfLine[],
  by: AuditContext,
): Promise<Map<string, string>> {
  const ignored = parts.filter(({ line }) => line.is_ignored)
  const takenByItem = byItem(parts.filter(({ line }) => !line.is_ignored))
  const shelves = await lockShelves(
    tx,
    takenByItem.map(({ line }) => line),
  )
  for (const { line, quantity } of byItem(parts)) {
    if (quantity > remainingOf(line))
      refuse('items', `Only ${pieces(remainingOf(line))} of ${titleOf(line)} are left to ship.`)
    if (line.is_ignored) continue
    const there = takeFrom(shelves.get(itemOf(line)) ?? { free: 0, all: 0 }, { line, quantity })
    if (there < quantity)
      throw new AppError('STOCK_NOT_FREE', {
        text: `${titleOf(line)}: ${pieces(quantity)} should be shipped, but only ${there} are available for this order. Nothing was shipped.`,
      })
  }
  const movements = takenByItem.map((part) => ({
    itemId: itemOf(part.line),
    kind: 'ship' as const,
    delta: -part.quantity,
    reservedDelta: -fromReservedOf(part),
    orderLineId: part.line.id,
  }))
  await addShipped(tx, ignored)
  const ids = await moveStockOfOrder(tx, orderId, movements, by)
  return new Map(takenByItem.map(({ line }, index) => [line.id, ids[index] ?? '']))
}

/**
 * Returns the parts with as many pieces as the stock has for them: their reserved pieces, and free pieces. Parts
 * without any are left out.
 */
export async function partsInStock(tx: Queryable, asked: readonly PartOfLine[]): Promise<PartOfLine[]> {
  const parts: PartOfLine[] = []
  const withItem = asked.filter(({ line }) => line.item_id !== null)
  const shelves = await lockShelves(
    tx,
    withItem.map(({ line }) => line),
  )
  for (const part of byItem(withItem)) {
    const quantity = takeFrom(shelves.get(itemOf(part.line)) ?? { free: 0, all: 0 }, part)
    if (quantity > 0) parts.push({ line: part.line, quantity })
  }
  return parts
}

/**
 * Books an order that the shop has completed. Ships all pieces that are available for the order. Other pieces stay
 * unshipped, and no piece stays reserved. Returns the shipped parts.
 */
export async function shipAvailable(
  tx: Queryable,
  order: KnownOrder,
  by: AuditContext,
): Promise<PartOfLine[]> {
  const all = order.lines.map((line) => ({ line, quantity: remainingOf(line) }))
  const parts = await partsInStock(
    tx,
    all.filter(({ line }) => !line.is_ignored),
  )
  if (parts.length > 0) await shipParts(tx, order, parts, { notify_shop: false, made_at_shop: true }, by)
  const shipped = new Map(parts.map(({ line, quantity }) => [line.id, quantity]))
  const left = order.lines.map((line) => ({
    ...line,
    reserved_quantity: Math.max(0, line.reserved_quantity - (shipped.get(line.id) ?? 0)),
  }))
  await releaseRest(tx, { ...order, lines: left }, undefined, by)
  return parts
}

/** Returns the parts as the audit stores them. */
export const auditItems = (parts: readonly PartOfLine[]) =>
  parts.map(({ line, quantity }) => ({ sku: line.sku, name: line.name, quantity }))

/**
 * Releases reserved pieces before lines are changed: all pieces of a removed line, and the pieces that a reduced line
 * no longer needs. Throws CONFLICT if a removed line has shipped pieces.
 */
export async function releaseBeforeChange(
  tx: Queryable,
  order: KnownOrder,
  { written, removed }: Pick<LineChanges, 'written' | 'removed'>,
  by: AuditContext,
): Promise<void> {
  const surplus: LinePart[] = []
  const leave = (line: StoredLine, ordered: number) => {
    const kept = Math.max(0, ordered - line.shipped_quantity)
    const quantity = line.reserved_quantity - kept
    if (quantity > 0) surplus.push({ line_id: line.id, quantity })
  }
  const withParts = (line: StoredLine) => (line.is_set ? [line, ...partsOf(order, line)] : [line])
  for (const line of removed.flatMap(withParts)) {
    if (line.shipped_quantity > 0)
      throw new AppError('CONFLICT', {
        text: `${titleOf(line)}: ${pieces(line.shipped_quantity)} already shipped, so this line cannot be replaced.`,
      })
    leave(line, 0)
  }
  for (const { line, stored } of written)
    for (const each of stored ? withParts(stored) : [])
      leave(each, line.quantity * (each.pieces_per_set ?? 1))
  if (surplus.length > 0) await releaseRest(tx, order, surplus, by)
}
