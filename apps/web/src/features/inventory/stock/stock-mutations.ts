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

/** What is asked before stock is changed by a dialog. */
export interface StockForm {
  pieces: number
  reason: string | null
  location: string
  bin: string
  /** Whose reserved pieces are meant; null where free ones are. */
  holder: Holder | null
}

/** Whoever holds reserved pieces: an order, or (null) none in particular. */
export type Holder = Pick<StockReservation, 'order_id' | 'quantity'>

export interface StockMutation {
  /** On its button. */
  verb: string
  title: string
  Icon: LucideIcon
  /** Label of the number; null where none is asked. */
  pieces: string | null
  least: 0 | 1
  /** The number that it begins with. */
  start: (item: InventoryItem, holder: Holder | null) => number | null
  /** Whether a place is asked. */
  hasPlace?: true
  /** Whether it can be, or always is, about pieces that somebody holds reserved. */
  ofReserved?: 'can be' | 'is'
  reasons: readonly string[]
  /** What the item will hold; null where that does not change. */
  after: (item: InventoryItem, pieces: number) => number | null
  isOffered: (item: InventoryItem) => boolean
  send: (item: InventoryItem, form: StockForm, headers: Record<string, string>) => Promise<MovedItem>
}

const always = () => true

const adjust =
  (kind: 'receive' | 'adjust' | 'scrap', sign: 1 | -1): StockMutation['send'] =>
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

/** Everything that changes stock by hand, in the order in which it is offered. */
export const STOCK_DEEDS: readonly StockMutation[] = [
  {
    verb: 'Receive',
    title: 'Receive pieces',
    Icon: PackagePlus,
    pieces: 'Pieces received',
    least: 1,
    start: () => 1,
    reasons: ['Delivery', 'Received, not recorded', 'Found elsewhere'],
    after: ({ quantity }, pieces) => quantity + pieces,
    isOffered: always,
    send: adjust('receive', 1),
  },
  {
    verb: 'Take',
    title: 'Take pieces',
    Icon: PackageMinus,
    pieces: 'Pieces taken',
    least: 1,
    start: () => 1,
    ofReserved: 'can be',
    reasons: ADJUST_REASONS,
    after: ({ quantity }, pieces) => quantity - pieces,
    isOffered: ({ quantity }) => quantity > 0,
    send: adjust('adjust', -1),
  },
  {
    verb: 'Count',
    title: 'Count stock',
    Icon: ClipboardCheck,
    pieces: 'Pieces counted',
    least: 0,
    start: ({ quantity }) => quantity,
    reasons: ['Stocktake', 'Data-entry error'],
    after: (_, pieces) => pieces,
    isOffered: always,
    send: ({ id }, { pieces, reason }, headers) =>
      callApi(countItemStock, { params: { id }, body: { quantity: pieces, reason }, headers }),
  },
  {
    verb: 'Reserve',
    title: 'Reserve pieces',
    Icon: Bookmark,
    pieces: 'Pieces to reserve',
    least: 1,
    start: () => 1,
    reasons: [],
    after: () => null,
    isOffered: ({ available_quantity: free }) => free > 0,
    send: ({ id }, { pieces, reason }, headers) =>
      callApi(reserveStock, { params: { id }, body: { quantity: pieces, reason }, headers }),
  },
  {
    verb: 'Release',
    title: 'Release reserved pieces',
    Icon: BookmarkX,
    pieces: 'Pieces to release',
    least: 1,
    ofReserved: 'is',
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
    verb: 'Move',
    title: 'Move somewhere else',
    Icon: MapPin,
    pieces: null,
    least: 0,
    start: () => null,
    hasPlace: true,
    reasons: [],
    after: () => null,
    isOffered: always,
    send: ({ id }, { location, bin, reason }, headers) =>
      callApi(moveItem, { params: { id }, body: { location, bin_location: bin, reason }, headers }),
  },
  {
    verb: 'Scrap',
    title: 'Scrap pieces',
    Icon: Trash,
    pieces: 'Pieces scrapped',
    least: 1,
    start: () => 1,
    ofReserved: 'can be',
    reasons: ['Damaged', 'Failed print', 'Sample or test'],
    after: ({ quantity }, pieces) => quantity - pieces,
    isOffered: ({ quantity }) => quantity > 0,
    send: adjust('scrap', -1),
  },
]
