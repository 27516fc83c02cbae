import type { AccountRow, LineAccount, OrderEvent } from '@pegasus/contracts/orders/order-account'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type EntityEvent, listEntityEvents } from '../../audit/index.ts'
import { type OrderPrintRow, listOrderPrints, listQueuedJobs } from '../../print-queue/index.ts'
import { listUndoableReturns } from '../handling/returns.queries.ts'
import { findOrder } from '../orders.queries.ts'
import {
  type InventoryEventRow,
  type LineLocation,
  listAccountRows,
  listEarlierOrders,
  listInventoryEvents,
  listLineLocations,
} from './order-account.queries.ts'

const EARLIER_ORDERS_SHOWN = 20
const EVENTS_SHOWN = 1000
const PRINTS_QUEUED = 'order.prints_queued'

/**
 * Explains the quantities of an order, its history, and where its items are stored. Each call throws ORDER_NOT_FOUND.
 */
export interface OrderAccounts {
  /**
   * Returns the rows that explain each quantity in a line's account. They add up to that quantity. Also throws
   * ORDER_NOT_FOUND for a line of another order.
   */
  ofLine(orderId: string, lineId: string): Promise<LineAccount>
  /** Returns the events of an order, newest first. */
  history(orderId: string): Promise<OrderEvent[]>
  /** Returns the location of each line's item, if it has one. */
  locations(orderId: string): Promise<LineLocation[]>
}

const NO_SOURCE = {
  at: null,
  actor_name: null,
  shipment_number: null,
  print_job_id: null,
  print_job_code: null,
} as const

const sumOf = (rows: readonly AccountRow[], term: AccountRow['term']): number =>
  rows.reduce((sum, row) => (row.term === term ? sum + row.quantity : sum), 0)

const isSameTime = (one: { created_at: string }, other: { created_at: string }): boolean =>
  new Date(one.created_at).getTime() === new Date(other.created_at).getTime()

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Returns the pieces listed in an audit entry. Entries about created or edited orders list none. */
function itemsIn({ action, after }: EntityEvent): OrderEvent['items'] {
  if (action === 'order.created' || action === 'order.updated') return []
  return (listOf(after?.['items']) as OrderEvent['items']).map(({ sku, name, quantity }) => ({
    sku,
    name,
    quantity,
  }))
}

/** The jobs that were queued for an order, each with the time at which it was queued. */
type QueuedJobs = Awaited<ReturnType<typeof listQueuedJobs>>

/** Returns the jobs in the form of an event, without those in the trash. */
const jobsOf = (rows: readonly (QueuedJobs[number] | OrderPrintRow)[]): OrderEvent['jobs'] =>
  rows.filter((row) => !row.is_job_deleted).map((row) => ({ id: row.job_id, code: row.job_code }))

const present = (event: EntityEvent, undoable: ReadonlySet<string>, queued: QueuedJobs): OrderEvent => ({
  id: event.id,
  action: event.action,
  actor: event.actor,
  items: itemsIn(event),
  changed_fields: event.action === 'order.updated' ? Object.keys(event.after ?? {}) : [],
  reason: typeof event.after?.['reason'] === 'string' ? event.after['reason'] : null,
  sku: skuIn(event),
  return_id: returnIn(event, undoable),
  // All jobs that were queued by one plan have the same time as the event.
  jobs:
    event.action === PRINTS_QUEUED ? jobsOf(queued.filter((job) => isSameTime(job, event)).toReversed()) : [],
  printer: null,
  created_at: new Date(event.created_at).toISOString(),
})

/** Returns the SKU if the event is a decision about a SKU, otherwise null. */
function skuIn({ action, after }: EntityEvent): string | null {
  const sku = action.startsWith('order.sku_') ? after?.['sku'] : null
  return typeof sku === 'string' ? sku : null
}

/** Returns the id of the return that the event booked, if that return can be undone. */
function returnIn({ action, after }: EntityEvent, undoable: ReadonlySet<string>): string | null {
  const id = action === 'order.returned' ? after?.['return_id'] : null
  return typeof id === 'string' && undoable.has(id) ? id : null
}

/** Returns an event about pieces of one item, for rows that are not audit entries of the order. */
const presentPieces = (
  row: Omit<InventoryEventRow, 'action'>,
  { action, jobs = [], printer = null }: { action: string } & Partial<Pick<OrderEvent, 'jobs' | 'printer'>>,
): OrderEvent => ({
  id: row.id,
  action,
  actor: actorOfColumns(row),
  items: [{ sku: row.sku, name: row.name, quantity: row.quantity }],
  changed_fields: [],
  reason: null,
  sku: null,
  return_id: null,
  jobs,
  printer,
  created_at: new Date(row.created_at).toISOString(),
})

export function createOrderAccounts({ database: { sql } }: { database: Database }): OrderAccounts {
  return {
    async ofLine(orderId, lineId) {
      const line = (await findOrder(sql, orderId))?.lines.find(({ id }) => id === lineId)
      if (!line) throw new AppError('ORDER_NOT_FOUND')
      const [rows, earlier] = await Promise.all([
        listAccountRows(sql, { orderId, lineId }),
        listEarlierOrders(sql, { orderId, lineId }, EARLIER_ORDERS_SHOWN),
      ])
      // Free pieces have no rows, and neither have pieces that were booked for the whole order. One extra row for each
      // quantity shows the rest.
      const terms = [
        ['shipped', line.shipped_quantity],
        ['reserved', line.reserved_quantity],
        ['allocated', line.allocated_quantity],
        ['queued', line.queued_quantity],
      ] as const
      const rest = terms.map(([term, quantity]) => ({
        ...NO_SOURCE,
        term,
        quantity: quantity - sumOf(rows, term),
      }))
      return { rows: [...rows, ...rest.filter(({ quantity }) => quantity !== 0)], earlier_orders: earlier }
    },

    async history(orderId) {
      if (!(await findOrder(sql, orderId))) throw new AppError('ORDER_NOT_FOUND')
      const [events, booked, undoable, queued, prints] = await Promise.all([
        listEntityEvents(sql, { entity: 'order', entityId: orderId, limit: EVENTS_SHOWN }),
        listInventoryEvents(sql, orderId, EVENTS_SHOWN),
        listUndoableReturns(sql, orderId),
        listQueuedJobs(sql, orderId, EVENTS_SHOWN),
        listOrderPrints(sql, orderId, EVENTS_SHOWN),
      ])
      const plans = events.filter(({ action }) => action === PRINTS_QUEUED)
      const byHand = queued.filter((job) => !plans.some((plan) => isSameTime(plan, job)))
      return [
        ...events.map((event) => present(event, undoable, queued)),
        ...booked.map((row) => presentPieces(row, row)),
        ...byHand.map((row) => presentPieces(row, { action: PRINTS_QUEUED, jobs: jobsOf([row]) })),
        ...prints.map((row) =>
          presentPieces(row, { action: 'order.printed', jobs: jobsOf([row]), printer: row.printer }),
        ),
      ]
        .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0))
        .slice(0, EVENTS_SHOWN)
    },

    async locations(orderId) {
      if (!(await findOrder(sql, orderId))) throw new AppError('ORDER_NOT_FOUND')
      return listLineLocations(sql, orderId)
    },
  }
}
