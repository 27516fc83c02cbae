/**
 * The statuses of all entities and their display, and the allowed transitions of print jobs. The server and
 * the web app share them.
 */

export const ITEM_STATUSES = ['In Stock', 'Low Stock', 'Out of Stock', 'On Hold', 'Reserved'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Statuses that a person sets. The others follow from the quantity. */
export const HELD_ITEM_STATUSES = ['On Hold', 'Reserved'] as const
export type HeldItemStatus = (typeof HELD_ITEM_STATUSES)[number]

export const ORDER_STATUSES = ['pending', 'in_progress', 'on_hold', 'completed', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Returns whether people are still working on the order. Free stock is shared among these orders. */
export const isOpenOrder = (status: OrderStatus): boolean => status === 'pending' || status === 'in_progress'

/** Returns whether the order is finished, so that nothing more has to be shipped. */
export const isFinishedOrder = (status: OrderStatus): boolean =>
  status === 'completed' || status === 'cancelled'

export const UNFINISHED_PRINT_JOB_STATUSES = ['pending', 'in_progress', 'on_hold'] as const

export const PRINT_JOB_STATUSES = [
  ...UNFINISHED_PRINT_JOB_STATUSES,
  'completed',
  'failed',
  'cancelled',
] as const
export type PrintJobStatus = (typeof PRINT_JOB_STATUSES)[number]

export const SPOOL_STATUSES = ['active', 'low', 'empty', 'archived'] as const
export type SpoolStatus = (typeof SPOOL_STATUSES)[number]

export const PRODUCT_STATUSES = ['not_published', 'publishing', 'published', 'failed'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

export const PUBLICATION_STATUSES = ['pending', 'sending', 'published', 'failed'] as const
type PublicationStatus = (typeof PUBLICATION_STATUSES)[number]

/** Allowed transitions of a print job. A new attempt after a failure is a new job. */
export const PRINT_JOB_TRANSITIONS: Readonly<Record<PrintJobStatus, readonly PrintJobStatus[]>> = {
  pending: ['in_progress', 'on_hold', 'cancelled', 'completed'],
  in_progress: ['completed', 'failed', 'cancelled', 'on_hold', 'pending'],
  on_hold: ['pending', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Actions on a job, and the status to which each one leads. */
export const PRINT_JOB_ACTIONS = {
  start: 'in_progress',
  complete: 'completed',
  fail: 'failed',
  hold: 'on_hold',
  cancel: 'cancelled',
} as const satisfies Record<string, PrintJobStatus>
export type PrintJobAction = keyof typeof PRINT_JOB_ACTIONS

/**
 * Returns how a job goes back to the queue. `itself` means that the job returns to pending. `next_attempt` means that a
 * new job is created, because this one failed, was cancelled, or was completed with too few good pieces. Null means
 * that neither is possible.
 */
export function requeueMode(job: {
  status: PrintJobStatus
  quantity: number
  good_quantity: number
}): 'itself' | 'next_attempt' | null {
  if (PRINT_JOB_TRANSITIONS[job.status].includes('pending')) return 'itself'
  if (job.status === 'failed' || job.status === 'cancelled') return 'next_attempt'
  return job.status === 'completed' && job.good_quantity < job.quantity ? 'next_attempt' : null
}

/**
 * Returns whether an action on a print job is allowed in its current status. The server and the buttons both use this
 * function.
 */
export const isPrintJobActionAllowed = (action: PrintJobAction, status: PrintJobStatus): boolean =>
  PRINT_JOB_TRANSITIONS[status].includes(PRINT_JOB_ACTIONS[action])

export type StatusTone = 'green' | 'yellow' | 'red' | 'blue' | 'purple' | 'grey'

type AnyStatus = ItemStatus | OrderStatus | PrintJobStatus | SpoolStatus | ProductStatus | PublicationStatus

/** The color and label of every status. */
export const STATUS_DISPLAY: Readonly<Record<AnyStatus, { tone: StatusTone; label: string }>> = {
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
  sending: { tone: 'blue', label: 'Sending' },
  published: { tone: 'green', label: 'Published' },
}
