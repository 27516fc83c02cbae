import type { MovementKind } from '@pegasus/contracts/inventory/stock-movements'
import type { OrderStatus } from '@pegasus/contracts/statuses'
import type { DemoCustomer } from './customers.ts'
import type { DemoFilament } from './filaments.ts'
import type { DemoItem } from './items.ts'

/** An item with the data of its model. */
export interface StockedItem extends DemoItem {
  weightGrams: number
  printMinutes: number
  /** When the model of the item was uploaded. The item is added after it. */
  modelAt: Date
}

export interface DemoOrder {
  number: string
  customer: DemoCustomer
  placedAt: Date
  status: OrderStatus
  dueAt: Date | null
  notes: string | null
  totalMinor: number
  /** The price that the customer paid for shipping. */
  shippingMinor: number
  /** The postage that the shop pays to the carrier for the parcel. */
  postageMinor: number
  carrier: string
  trackingNumber: string
  lines: { item: StockedItem; quantity: number; unitPriceMinor: number }[]
}

export interface DemoSpool {
  key: string
  filament: DemoFilament
  arrivedAt: Date
  archivedAt: Date | null
  remainingGrams: number
}

export interface DemoJob {
  key: string
  item: StockedItem
  quantity: number
  priority: number
  orderNumber: string | null
  dueAt: Date | null
  notes: string | null
  /** Progress of a print that is running now. */
  progress: number
}

/** The filament and the time of an ended print. */
interface UsedByPrint {
  spoolKey: string
  grams: number
  minutes: number
}

/** The events of the shop. Replaying the steps in order creates today's shop. */
export type Step = { at: Date; by: 'admin' | 'staff' | 'employee' | 'system' } & (
  | { do: 'keep item'; item: StockedItem }
  | { do: 'shelve spool'; spool: DemoSpool }
  | { do: 'take order'; order: DemoOrder }
  /** Ships the order in one parcel, with the pieces that were reserved for it. */
  | { do: 'ship order'; order: DemoOrder }
  | {
      do: 'move'
      sku: string
      kind: MovementKind
      delta: number
      reservedDelta: number
      orderNumber: string | null
      reason: string | null
    }
  | { do: 'count'; sku: string; quantity: number }
  | { do: 'queue print'; job: DemoJob }
  | { do: 'start print'; job: DemoJob; printer: string; spoolKey: string }
  | ({ do: 'finish print'; job: DemoJob; good: number; rejected: number; isWeighed: boolean } & UsedByPrint)
  | ({ do: 'fail print'; job: DemoJob; reason: string } & UsedByPrint)
  | { do: 'hold print' | 'cancel print'; job: DemoJob; reason: string }
  | { do: 'use filament' | 'throw out'; spoolKey: string; grams: number; reason: string }
)
