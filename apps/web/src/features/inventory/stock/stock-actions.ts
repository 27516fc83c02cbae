import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import {
  ADJUST_REASONS,
  adjustStock,
  countItemStock,
  type MovedItem,
  moveItem,
  releaseStock,
  reserveStock,
  type StockReservation,
} from '@pegasus/contracts/inventory/stock-movements'
import {
  Bookmark,
  BookmarkX,
  ClipboardCheck,
  type LucideIcon,
  MapPin,
  PackageMinus,
  PackagePlus,
  Trash,
} from 'lucide-react'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The values entered in a stock dialog. */
export interface StockForm {
  pieces: number
  reason: string | null
  location: string
  bin: string
  /** The holder of the reserved pieces to use; null for free pieces. */
  holder: Holder | null
}

/** The holder of reserved pieces: an order, or null in `order_id` for pieces reserved without an order. */
export type Holder = Pick<StockReservation, 'order_id' | 'quantity'>

export interface StockAction {
  /** Text of the button that performs the action. */
  verb: string
  title: string
  Icon: LucideIcon
  /** Label of the number field; null if the action needs no number. */
  pieces: string | null
  min: 0 | 1
  /** Returns the initial number of pieces for an item, or for the reserved pieces of a holder. */
  start: (item: InventoryItem, holder: Holder | null) => number | null
  /** True if the dialog asks for a location. */
  hasLocation?: true
  /** Whether the action uses reserved pieces: `optional` means sometimes, `required` means always. */
  reserved?: 'optional' | 'required'
  reasons: readonly string[]
  /** Returns the stock after the action; null if the action does not change it. */
  after: (item: InventoryItem, pieces: number) => number | null
  isOffered: (item: InventoryItem) => boolean
  send: (item: InventoryItem, form: StockForm, headers: Record<string, string>) => Promise<MovedItem>
}

const always = () => true

const adjust =
  (kind: 'receive' | 'adjust' | 'scrap', sign: 1 | -1): StockAction['send'] =>
  ({ id }, { pieces, reason, holder }, headers) =>
    callApi(adjustStock, {
      params: { id },
      body: {
        delta: sign * pieces,
        kind,
        reason,
        ...(holder && { from_reserved: true, order_id: holder.order_id }),
      },
      headers,
    })

/** All manual stock actions, in the order of their buttons. */
export const STOCK_ACTIONS: readonly StockAction[] = [
  {
    verb: t('Receive'),
    title: t('Receive pieces'),
    Icon: PackagePlus,
    pieces: t('Pieces received'),
    min: 1,
    start: () => 1,
    reasons: [t('Delivery'), t('Received, not recorded'), t('Found elsewhere')],
    after: ({ quantity }, pieces) => quantity + pieces,
    isOffered: always,
    send: adjust('receive', 1),
  },
  {
    verb: t('Take'),
    title: t('Take pieces'),
    Icon: PackageMinus,
    pieces: t('Pieces taken'),
    min: 1,
    start: () => 1,
    reserved: 'optional',
    reasons: ADJUST_REASONS,
    after: ({ quantity }, pieces) => quantity - pieces,
    isOffered: ({ quantity }) => quantity > 0,
    send: adjust('adjust', -1),
  },
  {
    verb: t('Count'),
    title: t('Count stock'),
    Icon: ClipboardCheck,
    pieces: t('Pieces counted'),
    min: 0,
    start: ({ quantity }) => quantity,
    reasons: [t('Stocktake'), t('Data-entry error')],
    after: (_, pieces) => pieces,
    isOffered: always,
    send: ({ id }, { pieces, reason }, headers) =>
      callApi(countItemStock, { params: { id }, body: { quantity: pieces, reason }, headers }),
  },
  {
    verb: t('Reserve'),
    title: t('Reserve pieces'),
    Icon: Bookmark,
    pieces: t('Pieces to reserve'),
    min: 1,
    start: () => 1,
    reasons: [],
    after: () => null,
    isOffered: ({ available_quantity: free }) => free > 0,
    send: ({ id }, { pieces, reason }, headers) =>
      callApi(reserveStock, { params: { id }, body: { quantity: pieces, reason }, headers }),
  },
  {
    verb: t('Release'),
    title: t('Release reserved pieces'),
    Icon: BookmarkX,
    pieces: t('Pieces to release'),
    min: 1,
    reserved: 'required',
    start: ({ reserved_quantity: reserved }, holder) => holder?.quantity ?? reserved,
    reasons: [],
    after: () => null,
    isOffered: ({ reserved_quantity: reserved }) => reserved > 0,
    send: ({ id }, { pieces, reason, holder }, headers) =>
      callApi(releaseStock, {
        params: { id },
        body: { quantity: pieces, reason, order_id: holder?.order_id ?? null },
        headers,
      }),
  },
  {
    verb: t('Move'),
    title: t('Move to another location'),
    Icon: MapPin,
    pieces: null,
    min: 0,
    start: () => null,
    hasLocation: true,
    reasons: [],
    after: () => null,
    isOffered: always,
    send: ({ id }, { location, bin, reason }, headers) =>
      callApi(moveItem, { params: { id }, body: { location, bin_location: bin, reason }, headers }),
  },
  {
    verb: t('Scrap'),
    title: t('Scrap pieces'),
    Icon: Trash,
    pieces: t('Pieces scrapped'),
    min: 1,
    start: () => 1,
    reserved: 'optional',
    reasons: [t('Damaged'), t('Failed print'), t('Sample or test')],
    after: ({ quantity }, pieces) => quantity - pieces,
    isOffered: ({ quantity }) => quantity > 0,
    send: adjust('scrap', -1),
  },
]
