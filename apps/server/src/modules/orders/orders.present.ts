import type { IntegrationOrder } from '@pegasus/contracts/integration'
import { fromMinor } from '@pegasus/contracts/money'
import type { ShippingAddress } from '@pegasus/contracts/orders/order-body'
import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { OrderLineRow, OrderRow } from './orders.queries.ts'

/** Ordered pieces that neither shipment, reservation nor free stock covers. */
function shortOf(line: OrderLineRow, status: OrderRow['status']): number {
  if (isFinishedOrder(status) || line.is_ignored) return 0
  const covered = line.shipped_quantity + line.reserved_quantity + line.allocated_quantity
  return Math.max(0, line.quantity - covered)
}

const presentAddress = (address: Partial<ShippingAddress>): ShippingAddress => ({
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

/** An order with the fields of the wire, in its own currency; without pictures, which only people may see. */
export function presentIntegrationOrder(row: OrderRow, now: Date): IntegrationOrder {
  const amount = (minor: number | null) => (minor === null ? null : fromMinor(minor, row.currency))
  const items = row.lines.map((line) => {
    const short = shortOf(line, row.status)
    return {
      ...line,
      unit_price: fromMinor(line.unit_price_minor, row.currency),
      short_by: short,
      missing_quantity: Math.max(0, short - line.queued_quantity),
    }
  })
  return {
    ...row,
    shipping_address: row.shipping_address && presentAddress(row.shipping_address),
    total_amount: fromMinor(row.total_minor, row.currency),
    shipping_amount: amount(row.shipping_minor),
    tax_amount: amount(row.tax_minor),
    discount_amount: amount(row.discount_minor),
    fee_amount: amount(row.fee_minor),
    is_overdue: !isFinishedOrder(row.status) && row.due_at !== null && new Date(row.due_at) < now,
    ready_to_pack: isOpenOrder(row.status) && items.length > 0 && items.every((line) => line.short_by === 0),
    items,
  }
}

/** Makes the order that people get. */
export type PresentOrder = (row: OrderRow) => Order

/** An order as people get it, with signed paths of its pictures. */
export function presentOrder(row: OrderRow, { signer, now }: { signer: PathSigner; now: Date }): Order {
  const order = presentIntegrationOrder(row, now)
  return {
    ...order,
    items: order.items.map((line, index): OrderLine => {
      const { has_picture: hasPicture = false, stl_file_id: modelId, color_hex } = row.lines[index] ?? {}
      const picture = hasPicture && modelId ? signer.sign(`/api/stl-files/${modelId}/thumbnail`) : null
      return { ...line, color_hex: color_hex ?? null, stl_thumbnail_path: picture }
    }),
  }
}
