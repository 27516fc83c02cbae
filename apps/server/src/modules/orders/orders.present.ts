import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { IntegrationOrder } from '@pegasus/contracts/integration'
import { fromMinor } from '@pegasus/contracts/money'
import type { ShippingAddress } from '@pegasus/contracts/orders/order-body'
import { type OrderStep, orderSteps } from '@pegasus/contracts/orders/order-steps'
import type { Order, SetPart } from '@pegasus/contracts/orders/orders'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import { SHIPMENT_REPORTED_WITHIN_MS } from '@pegasus/contracts/orders/order-changes'
import { addMs } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type OrderLineRow, type OrderRow, type ShipmentRow, findOrder } from './orders.queries.ts'
import type { MainSite } from '../products/index.ts'
import { isReportedToShop, sendsChangedTracking } from './sync/reports/reported-orders.ts'

export const presentAddress = (address: Partial<ShippingAddress>): ShippingAddress => ({
  name: address.name ?? null,
  company: address.company ?? null,
  line1: address.line1 ?? null,
  line2: address.line2 ?? null,
  postal_code: address.postal_code ?? null,
  city: address.city ?? null,
  region: address.region ?? null,
  country: address.country ?? null,
  phone: address.phone ?? null,
})

const COVERED = ['shipped_quantity', 'reserved_quantity', 'allocated_quantity', 'queued_quantity'] as const

type Account = Pick<OrderLineRow, (typeof COVERED)[number] | MostTerm>
/** The figures of a set that are above 0 as soon as they are above 0 for any of its parts. */
type MostTerm = 'returned_quantity' | 'short_by' | 'missing_quantity' | 'not_shipped_quantity'

/**
 * Returns the account of a set, counted in whole sets. A set counts as shipped only if all of its parts are shipped, as
 * reserved only if all parts are shipped or reserved, and so on. If any of its parts is returned, short, missing or not
 * shipped, the set counts as such, too.
 */
function accountOfSet(parts: readonly OrderLineRow[]): Account {
  const sets = (pieces: (part: OrderLineRow) => number, round = Math.floor) =>
    parts.map((part) => round(pieces(part) / (part.pieces_per_set ?? 1)))
  const covered = COVERED.map((_, step) =>
    Math.min(...sets((part) => COVERED.slice(0, step + 1).reduce((sum, term) => sum + part[term], 0))),
  )
  const [shipped = 0, reserved = 0, allocated = 0, queued = 0] = covered
  const most = (term: MostTerm) => Math.max(0, ...sets((part) => part[term], Math.ceil))
  return {
    shipped_quantity: shipped,
    reserved_quantity: reserved - shipped,
    allocated_quantity: allocated - reserved,
    queued_quantity: queued - allocated,
    returned_quantity: Math.min(shipped, most('returned_quantity')),
    short_by: most('short_by'),
    missing_quantity: most('missing_quantity'),
    not_shipped_quantity: most('not_shipped_quantity'),
  }
}

/** Returns the ordered lines. The line of a set contains the parts of the set. */
function presentLines({ lines, currency }: OrderRow) {
  const present = (line: OrderLineRow) => ({
    ...line,
    unit_price: fromMinor(line.unit_price_minor, currency),
  })
  const partsBySet = Map.groupBy(lines, (line) => line.set_line_id)
  return (partsBySet.get(null) ?? []).map((line) => {
    const parts = line.is_set ? (partsBySet.get(line.id) ?? []) : []
    const whole = line.is_set ? { ...line, ...accountOfSet(parts) } : line
    return {
      ...present(whole),
      parts: parts.map((part) => ({ ...present(part), pieces_per_set: part.pieces_per_set ?? 1 })),
    }
  })
}

/**
 * Returns a message about shipped pieces that the shop has refunded but that have not been returned, or null.
 */
function refundNote(lines: readonly Pick<OrderLineRow, 'name' | 'sku' | RefundColumn>[]): string | null {
  const out = lines.flatMap((line) => {
    const count = line.refunded_quantity - line.returned_quantity
    return count > 0 ? [`${count} × ${line.name || line.sku}`] : []
  })
  if (out.length === 0) return null
  return SHOP_NOTES.refunded(out.join(', '))
}
type RefundColumn = 'refunded_quantity' | 'returned_quantity'

/**
 * Returns a message if the status differs from the shop's: the order was cancelled only here (no adapter cancels orders
 * in a shop), or it is open here but completed in the shop, for example because pieces were added here. Returns null
 * for an order that no shop knows.
 */
function statusNote(row: OrderRow, shopKind: MainSite['kind'] | null): string | null {
  if (row.source !== 'main_site' && !isReportedToShop(row, shopKind)) return null
  if (row.status === 'cancelled' && row.told_status !== 'cancelled') return SHOP_NOTES.notCancelled()
  if (!isFinishedOrder(row.status) && row.told_status === 'completed') return SHOP_NOTES.openHere()
  return null
}

/**
 * Converts an order to its API fields, with amounts in its own currency. The result has no pictures, because
 * only people may see them. `shopKind` is null without a shop.
 */
export function presentIntegrationOrder(
  row: OrderRow,
  { now, shopKind }: { now: Date; shopKind: MainSite['kind'] | null },
): IntegrationOrder {
  const amount = (minor: number | null) => (minor === null ? null : fromMinor(minor, row.currency))
  const items = presentLines(row)
  const isTrackingSent = sendsChangedTracking(row, shopKind)
  return {
    ...row,
    shipping_address: row.shipping_address && presentAddress(row.shipping_address),
    total_amount: fromMinor(row.total_minor, row.currency),
    shipping_amount: amount(row.shipping_minor),
    surcharge_amount: amount(row.surcharge_minor),
    kept_amount: amount(row.kept_minor),
    tax_amount: amount(row.tax_minor),
    discount_amount: amount(row.discount_minor),
    fee_amount: amount(row.fee_minor),
    is_overdue: isOpenOrder(row.status) && row.due_at !== null && new Date(row.due_at) < now,
    // The end is unknown while some missing pieces are in no job.
    expected_end: items.some((line) => line.missing_quantity > 0) ? null : row.expected_end,
    shop_problem: row.shop_problem ?? statusNote(row, shopKind) ?? refundNote(items),
    ready_to_pack: isReadyToPack(row.status, items),
    shipments: row.shipments.map((shipment) => ({
      ...shipment,
      postage_amount: amount(shipment.postage_minor),
      sends_changed_tracking: isTrackingSent && shipment.notify_shop,
      is_tracking_due: isTrackingSent && isTrackingDue(shipment, now),
    })),
    items,
  }
}

const isTrackingDue = ({ tracking_due_since: since }: ShipmentRow, now: Date): boolean =>
  since !== null && new Date(since) > addMs(now, -SHIPMENT_REPORTED_WITHIN_MS)

const isReadyToPack = (status: OrderRow['status'], items: readonly { short_by: number }[]): boolean =>
  isOpenOrder(status) && items.every((line) => line.short_by === 0)

/** Returns the next steps that a person can take on an order. Returns none for an unknown order. */
export async function findOrderSteps(sql: Queryable, id: string): Promise<OrderStep[]> {
  const row = await findOrder(sql, id)
  if (!row) return []
  const items = presentLines(row)
  return orderSteps({ status: row.status, items })
}

/**
 * Returns the due time of an open order, until which it is in time. Returns null if the order has no due time, is
 * already overdue, or cannot become overdue in its status.
 */
export function lastMomentInTime({ status, due_at: due }: OrderRow, now: Date): Date | null {
  if (due === null || !isOpenOrder(status)) return null
  const end = new Date(due)
  return end < now ? null : end
}

/** Returns the ids of the rows that the data of an order come from: the order, its items and their models. */
export const dependenciesOf = ({ id, lines }: OrderRow): Set<string> =>
  new Set([id, ...lines.flatMap((line) => [line.inventory_item_id ?? id, line.stl_file_id ?? id])])

/** Converts an order to the format that people get. */
export type PresentOrder = (row: OrderRow) => Order

/** Converts an order to the format that people get, with signed paths of its pictures. `shopKind` is null without a shop. */
export function presentOrder(
  row: OrderRow,
  { signer, now, shopKind }: { signer: PathSigner; now: Date; shopKind: MainSite['kind'] | null },
): Order {
  const order = presentIntegrationOrder(row, { now, shopKind })
  const rowById = new Map(row.lines.map((line) => [line.id, line]))
  const withPicture = <L extends { id: string }>(line: L) => {
    const { has_picture: hasPicture, stl_file_id: modelId, color_hex } = rowById.get(line.id) ?? {}
    const picture = hasPicture && modelId ? signer.sign(`/api/stl-files/${modelId}/thumbnail`) : null
    return { ...line, color_hex: color_hex ?? null, stl_thumbnail_path: picture }
  }
  return {
    ...order,
    is_reported_to_shop: isReportedToShop(row, shopKind),
    items: order.items.map((line) => ({
      ...withPicture(line),
      parts: line.parts.map((part): SetPart => withPicture(part)),
    })),
  }
}
