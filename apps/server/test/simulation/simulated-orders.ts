import type { SiteBehavior } from '../servers/main-site-server.ts'
import { WEBHOOK_SECRET } from '../support/webhooks.ts'

/** A line of an order. A shop has one line for each SKU. */
export interface SimulatedLine {
  sku: string
  quantity: number
  /** Pieces that the shop has refunded. */
  refunded: number
}

/** An order as the shop stores it. Amounts are whole dollars. */
export interface SimulatedOrder {
  id: number
  lines: SimulatedLine[]
  shipping: number
  surcharge: number
  discount: number
  isCancelled: boolean
  placedAt: Date
  changedAt: Date
}

/** A shop of one kind. The simulation places and changes its orders. */
export interface SimulatedShop {
  kind: 'pegasus' | 'woocommerce' | 'shopify'
  /** The variables that configure a server to trade with this shop. */
  variables: Record<string, string>
  /** Whether the shop can refund pieces. In other shops, the simulation refunds nothing. */
  hasRefunds: boolean
  /** Stores a new or changed order. If it changes how many pieces were sold, the stock of the product changes, too. */
  put(order: SimulatedOrder): void
  /**
   * Returns when an order was changed last, possibly by our report of a parcel. Undefined if the shop has no such
   * order.
   */
  changedAt(id: number): Date | undefined
  /** Returns the event about an order, with a current signature. */
  eventOf(order: SimulatedOrder): { body: string; headers: Record<string, string> }
  /** Returns the number of an order's parcels that were reported to the shop. */
  parcelsOf(id: number): number
  /**
   * Returns the number of pieces of a SKU of an order that the shop counts as sent, in our parcels and in those of its
   * own staff. Returns null for a shop that only lists parcels.
   */
  piecesSentOf(id: number, sku: string): number | null
  /** Returns the number of pieces of a SKU of an order that the shop's own staff have sent. */
  piecesOfStaff(id: number, sku: string): number
  /**
   * Lets the shop's staff send a piece of an order, and returns whether they did. Null for a shop that counts no
   * pieces.
   */
  sendPiece: ((order: SimulatedOrder, sku: string) => boolean) | null
  /** Lets the shop's staff take back their last parcel with a SKU. Returns whether there was one. */
  cancelSent(order: SimulatedOrder, sku: string): boolean
  /** Returns the stock of the product in the shop, or undefined before the first stock update. */
  stock(): number | undefined
  /** Sets how the shop responds from now on. If it is null, the shop works normally. */
  behave(behavior: SiteBehavior | null): void
}

/** The product of the simulated shops. */
export const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 20,
  stock: 5,
  description: 'Breathes fire',
  images: ['https://cdn.example/dragon.jpg'],
  license: 'cc0',
}

export const SKU = 'DRG'
/** Another SKU of the shop. People map it to items or ignore it, and forget this decision again. */
export const OTHER_SKU = 'DRG-GIFT'
/** A SKU of the shop whose item belongs to no published product, so the shop has no stock of it. */
export const EGG_SKU = 'EGG'
const PRICES: Readonly<Record<string, number>> = { [SKU]: 20, [OTHER_SKU]: 25, [EGG_SKU]: 5 }
export const priceOf = (sku: string): number => PRICES[sku] ?? 1
/**
 * Returns the number of an order. All numbers have the same length, so that a search for one number finds no
 * other.
 */
export const orderNumberOf = (id: number): string => `SIM-${String(id).padStart(5, '0')}`

export const leftOf = ({ quantity, refunded }: SimulatedLine): number => quantity - refunded

/** Returns the total of an order after its refunds. A cancelled order keeps its total. */
export const totalOf = ({ lines, shipping, surcharge, discount }: SimulatedOrder): number =>
  lines.reduce((sum, line) => sum + leftOf(line) * priceOf(line.sku), 0) + shipping + surcharge - discount

/** Calculates the shop's stock of the product from its orders. Other SKUs do not change this stock. */
export function createSales() {
  const sold = new Map<number, number>()
  return {
    /** Remembers how many pieces the order sells now. Returns the new stock, calculated from the previous stock. */
    stockAfter({ id, lines, isCancelled }: SimulatedOrder, stock: number): number {
      const before = sold.get(id) ?? 0
      const after = isCancelled ? 0 : (lines.find((line) => line.sku === SKU)?.quantity ?? 0)
      sold.set(id, after)
      return Math.max(0, stock + before - after)
    },
  }
}

/** Formats a time as the shop sends it. */
export const wire = (date: Date): string => date.toISOString()

/** Returns the variables that connect a server to this shop. */
export const settings = (kind: SimulatedShop['kind'], url: string, key: string) => ({
  MAIN_SITE_KIND: kind,
  MAIN_SITE_URL: url,
  MAIN_SITE_ADMIN_KEY: key,
  MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
})
