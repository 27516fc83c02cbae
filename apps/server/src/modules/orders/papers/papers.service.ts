import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { orderCode, labelPayload } from '@pegasus/contracts/labels/scan-codes'
import { readLabelSize } from '@pegasus/contracts/labels/label-papers'
import { addressLines } from '@pegasus/contracts/orders/address-lines'
import type { SlipPaper } from '@pegasus/contracts/orders/papers'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { DrawPdf } from '../../../platform/pdf/pdf-workers.ts'
import { listLineLocations } from '../account/order-account.queries.ts'
import { type OrderLineRow, type OrderRow, findOrder } from '../orders.queries.ts'
import type { PackingSlip, PaperRequest, SlipLine } from './papers.protocol.ts'

/** The paper of the slips, and the time zone for the days on them. */
interface SlipStyle {
  paper: SlipPaper
  timeZone: string
}

/** The wanted packing slips: that of one shipment or, without a shipment, those that the order needs now. */
interface WantedSlip extends SlipStyle {
  shipmentId?: string | undefined
}

/**
 * Draws the papers of orders as PDF. Each call throws ORDER_NOT_FOUND, and UNAVAILABLE while too many papers
 * are being drawn.
 */
export interface Papers {
  /**
   * Draws the slip of one shipment. Without a shipment, draws the slip of the pieces that are left to ship or, if none
   * are left, a slip for each shipment. Throws ORDER_INVALID if the order has no such shipment, and ORDER_STATE if it
   * has no pieces for a slip.
   */
  packingSlip(id: string, wanted: WantedSlip): Promise<{ pdf: Buffer; orderNumber: string }>
  /**
   * Draws the slips of several orders. Leaves out deleted orders, and orders without pieces for a slip. Throws
   * ORDER_NOT_FOUND if all orders are deleted, and ORDER_STATE if none has pieces for a slip.
   */
  packingSlips(ids: readonly string[], style: SlipStyle): Promise<Buffer>
  /**
   * Draws the address label of an order. `size` is a label size that `readLabelSize` accepts. Throws ORDER_STATE if the
   * order has no address, or if the address would be too small to read on a label of this size.
   */
  addressLabel(id: string, size: string): Promise<{ pdf: Buffer; orderNumber: string }>
}

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region' })

/** Returns the name of a country in English and in capitals, as postal services require. */
const countryOf = (code: string): string => (REGIONS.of(code) ?? code).toUpperCase()

/** Returns the lines of an order's address for a parcel, or the customer's name if there is no address. */
function addressOf({ shipping_address: address, customer_name: customer }: OrderRow): string[] {
  return addressLines({ ...address, name: address?.name ?? customer }, countryOf)
}

type Shipment = OrderRow['shipments'][number]

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

const shippedOf = (shipment: Shipment, line: OrderLineRow): number =>
  shipment.items.find((item) => item.line_id === line.id)?.quantity ?? 0

/**
 * Returns the number of pieces that were still to follow when a shipment left: those of later shipments and, while the
 * order is open, those that are left to ship. So a slip that is printed again later still says the same.
 */
function piecesAfter(order: OrderRow, shipment: Shipment): number {
  const later = order.shipments.filter(({ number }) => number > shipment.number)
  const left = isFinishedOrder(order.status)
    ? 0
    : sumOf(
        order.lines
          .filter((line) => !line.is_set)
          .map((line) => Math.max(0, line.quantity - line.shipped_quantity)),
      )
  return sumOf(later.flatMap(({ items }) => items.map(({ quantity }) => quantity))) + left
}

/**
 * An order with the SKU of the item of each line. The line itself may have another SKU, for example the slug of a
 * product.
 */
interface OrderWithSkus extends OrderRow {
  skus: ReadonlyMap<string, string>
}

/** Returns the lines of the slip. The line of a set comes first, then the lines of its parts that are in the parcel. */
function slipLines(order: OrderWithSkus, piecesOf: (line: OrderLineRow) => number): SlipLine[] {
  return order.lines.flatMap((line): SlipLine[] => {
    const isPart = line.set_line_id !== null
    const { name } = line
    const sku = order.skus.get(line.id) ?? line.sku
    if (!line.is_set) {
      const quantity = piecesOf(line)
      return quantity > 0 ? [{ sku, name: name || sku, quantity, isPart }] : []
    }
    const parts = order.lines.filter((part) => part.set_line_id === line.id)
    const sets = parts.map((part) => Math.ceil(piecesOf(part) / (part.pieces_per_set ?? 1)))
    const quantity = Math.max(0, ...sets)
    return quantity > 0 ? [{ sku, name: name || sku, quantity, isPart: false }] : []
  })
}

export function createPapers(deps: {
  database: Database
  publicUrl: string
  locale: string | null
  /** The name and the address of the shop, line by line. */
  sender: readonly string[]
  drawPaper: DrawPdf<PaperRequest>
}): Papers {
  const { database, publicUrl, drawPaper } = deps

  const readOrder = async (id: string) => orThrow(await findOrder(database.sql, id), 'ORDER_NOT_FOUND')

  const withSkus = async (order: OrderRow): Promise<OrderWithSkus> => {
    const items = await listLineLocations(database.sql, order.id)
    return { ...order, skus: new Map(items.map((item) => [item.line_id, item.item_sku])) }
  }

  const slipOf = (
    order: OrderWithSkus,
    { shipment, paper, timeZone }: SlipStyle & { shipment?: Shipment },
  ): PackingSlip => {
    const day = new Intl.DateTimeFormat(deps.locale ?? 'en', { dateStyle: 'medium', timeZone })
    const dayOf = (moment: string): string => day.format(new Date(moment))
    const leftOf = (line: OrderLineRow) => Math.max(0, line.quantity - line.shipped_quantity)
    const following = shipment ? piecesAfter(order, shipment) : 0
    const facts: [string, string][] = [
      ['Order', order.order_number],
      ['Placed', dayOf(order.placed_at)],
    ]
    if (order.due_at) facts.push(['Due', dayOf(order.due_at)])
    if (shipment) facts.push(['Parcel', String(shipment.number)])
    const carrier = [shipment?.carrier, shipment?.tracking_number].filter(Boolean).join(' ')
    if (carrier) facts.push(['Sent with', carrier])
    return {
      paper,
      orderNumber: order.order_number,
      payload: labelPayload(orderCode(order.id), publicUrl),
      sender: deps.sender,
      address: addressOf(order),
      facts,
      lines: slipLines(order, shipment ? (line) => shippedOf(shipment, line) : leftOf),
      note:
        following > 0
          ? `${following === 1 ? '1 more piece follows' : `${following} more pieces follow`} in another parcel.`
          : null,
    }
  }

  /**
   * Returns the slip of the pieces that are left to ship. If none are left, or the order is finished, returns a slip
   * for each shipment, so the result may be empty.
   */
  const slipsOf = (order: OrderWithSkus, style: SlipStyle): PackingSlip[] => {
    const rest = slipOf(order, style)
    if (!isFinishedOrder(order.status) && rest.lines.length > 0) return [rest]
    return order.shipments.map((shipment) => slipOf(order, { ...style, shipment }))
  }

  const slipOfShipment = (order: OrderWithSkus, id: string, style: SlipStyle): PackingSlip => {
    const shipment = order.shipments.find((each) => each.id === id)
    if (shipment) return slipOf(order, { ...style, shipment })
    const message = 'This order has no such shipment, or the shipment has already been undone.'
    throw new AppError('ORDER_INVALID', { text: message, errors: [{ path: 'shipment_id', message }] })
  }

  return {
    async packingSlip(id, { shipmentId, ...style }) {
      const order = await withSkus(await readOrder(id))
      const slips =
        shipmentId === undefined ? slipsOf(order, style) : [slipOfShipment(order, shipmentId, style)]
      if (slips.length === 0)
        throw new AppError('ORDER_STATE', { text: `Order ${order.order_number} has no pieces to pack.` })
      return { pdf: await drawPaper({ slips }), orderNumber: order.order_number }
    },

    async packingSlips(ids, style) {
      const orders = await Promise.all(ids.map((id) => findOrder(database.sql, id)))
      if (orders.every((order) => order === null)) throw new AppError('ORDER_NOT_FOUND')
      const known = await Promise.all(orders.flatMap((order) => (order ? withSkus(order) : [])))
      const slips = known.flatMap((order) => slipsOf(order, style))
      if (slips.length === 0)
        throw new AppError('ORDER_STATE', { text: 'None of these orders has pieces to pack.' })
      return drawPaper({ slips })
    },

    async addressLabel(id, size) {
      const order = await readOrder(id)
      if (!order.shipping_address)
        throw new AppError('ORDER_STATE', { text: `Order ${order.order_number} has no address.` })
      const { width_mm: widthMm, height_mm: heightMm } = readLabelSize(size) ?? {
        width_mm: 62,
        height_mm: 100,
      }
      const { order_number: orderNumber } = order
      const { sender } = deps
      const pdf = await drawPaper({
        label: { orderNumber, sender, address: addressOf(order), widthMm, heightMm },
      })
      if (pdf.length === 0)
        throw new AppError('ORDER_STATE', {
          text: `The address of order ${orderNumber} is too long for a label of ${widthMm} × ${heightMm} mm. Choose a larger label.`,
        })
      return { pdf, orderNumber }
    },
  }
}
