/** The closed sets of states, how they are shown, and which follows which; both sides read them here. */

export const ITEM_STATUSES = ['In Stock', 'Low Stock', 'Out of Stock', 'On Hold', 'Reserved'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Set by a person; the others follow the quantity. */
export const HELD_ITEM_STATUSES = ['On Hold', 'Reserved'] as const
export type HeldItemStatus = (typeof HELD_ITEM_STATUSES)[number]

export const ORDER_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const PRINT_JOB_STATUSES = [
  'pending',
  'in_progress',
  'on_hold',
  'completed',
  'failed',
  'cancelled',
] as const
export type PrintJobStatus = (typeof PRINT_JOB_STATUSES)[number]

export const UNFINISHED_PRINT_JOB_STATUSES = [
  'pending',
  'in_progress',
  'on_hold',
] as const satisfies PrintJobStatus[]

export const SPOOL_STATUSES = ['active', 'low', 'empty', 'archived'] as const
export type SpoolStatus = (typeof SPOOL_STATUSES)[number]

export const PRODUCT_STATUSES = ['not_published', 'publishing', 'published', 'failed'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

/** Low stock is a fact of numbers, whatever the status says. */
export const isLowStock = (item: { quantity: number; reorder_point: number }): boolean =>
  item.quantity <= item.reorder_point

/** What a person decided, else what the quantity says. The database derives its column by the same rule. */
export function itemStatus(item: {
  quantity: number
  reorder_point: number
  held: HeldItemStatus | null
}): ItemStatus {
  if (item.held) return item.held
  if (item.quantity === 0) return 'Out of Stock'
  return isLowStock(item) ? 'Low Stock' : 'In Stock'
}

/** Of a full spool: at this share or below it is low. */
export const SPOOL_LOW_SHARE = 0.1

/** The one table of what may happen to a print job. A new attempt after a failure is a job of its own. */
export const PRINT_JOB_TRANSITIONS: Readonly<Record<PrintJobStatus, readonly PrintJobStatus[]>> = {
  pending: ['in_progress', 'on_hold', 'cancelled', 'completed'],
  in_progress: ['completed', 'failed', 'cancelled', 'on_hold', 'pending'],
  on_hold: ['pending', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export type StatusTone = 'green' | 'yellow' | 'red' | 'blue' | 'purple' | 'grey'

type AnyStatus = ItemStatus | OrderStatus | PrintJobStatus | SpoolStatus | ProductStatus

/** Colour and words of every status on the wire. */
export const STATUS_LOOKS: Readonly<Record<AnyStatus, { tone: StatusTone; label: string }>> = {
  'In Stock': { tone: 'green', label: 'In Stock' },
  'Low Stock': { tone: 'yellow', label: 'Low Stock' },
  'Out of Stock': { tone: 'red', label: 'Out of Stock' },
  'On Hold': { tone: 'blue', label: 'On Hold' },
  Reserved: { tone: 'purple', label: 'Reserved' },
  pending: { tone: 'yellow', label: 'Pending' },
  in_progress: { tone: 'blue', label: 'In progress' },
  on_hold: { tone: 'blue', label: 'On hold' },
  completed: { tone: 'green', label: 'Completed' },
  cancelled: { tone: 'red', label: 'Cancelled' },
  failed: { tone: 'red', label: 'Failed' },
  active: { tone: 'green', label: 'Active' },
  low: { tone: 'yellow', label: 'Low' },
  empty: { tone: 'red', label: 'Empty' },
  archived: { tone: 'grey', label: 'Archived' },
  not_published: { tone: 'grey', label: 'Not published' },
  publishing: { tone: 'blue', label: 'Publishing' },
  published: { tone: 'green', label: 'Published' },
}
