import type { OrderPlan, PlanLine } from '@pegasus/contracts/orders/order-plan'
import { MAX_JOB_QUANTITY, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { planPlates, queuePlannedJobs, readPlateSizes, writeSentence } from '../../print-queue/index.ts'
import { writeAudit } from '../../audit/index.ts'
import { titleOf } from '../handling/order-stock.ts'
import { lockOrder } from '../intake/order-intake.queries.ts'
import { type OrderRow, findOrder } from '../orders.queries.ts'
import { proposeReductions } from './propose-reductions.ts'

/** Plans print jobs for orders. */
export interface OrderPlans {
  /** Returns the plan of an order. Throws ORDER_NOT_FOUND. */
  get(orderId: string): Promise<OrderPlan>
  /**
   * Queues print jobs for the missing pieces. A repeated call queues only the pieces that are still missing.
   * Queued jobs stay, even if the order now needs fewer pieces. Throws ORDER_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, or
   * ORDER_STATE for an order that is not open, or a line that needs more pieces than a job can have.
   */
  make(orderId: string, by: IdempotentCaller): Promise<HttpResult<OrderPlan & { jobs: PrintJob[] }>>
}

async function readPlan(sql: Queryable, order: OrderRow) {
  // Sets are left out, because their parts are planned instead.
  const lines = order.lines.filter((line) => !line.is_set)
  const itemIds = lines.flatMap(({ inventory_item_id: id }) => (id === null ? [] : [id]))
  const sizes = await readPlateSizes(sql, itemIds)
  const items = lines.map((line): PlanLine => {
    const { missing_quantity: missing } = line
    const onShelf = line.reserved_quantity + line.allocated_quantity
    const isPlanned = isOpenOrder(order.status) && line.inventory_item_id !== null
    const plan = planPlates(isPlanned ? missing : 0, sizes.get(line.inventory_item_id ?? ''))
    const extra = isPlanned ? Math.max(0, line.queued_quantity - line.short_by) : 0
    const sum = {
      wanted: { pieces: line.quantity, what: 'ordered' },
      less: [
        { pieces: line.shipped_quantity, what: 'shipped' },
        { pieces: onShelf, what: 'on the shelf' },
        { pieces: line.queued_quantity, what: 'queued' },
      ],
      extra,
    }
    const isUnknown = line.inventory_item_id === null && !line.is_ignored
    return {
      line_id: line.id,
      inventory_item_id: line.inventory_item_id,
      name: line.name,
      sku: line.sku || null,
      ordered: line.quantity,
      shipped: line.shipped_quantity,
      on_shelf: onShelf,
      queued: line.queued_quantity,
      missing,
      extra_queued: extra,
      is_unknown: isUnknown,
      ...plan,
      sentence: isUnknown
        ? 'No item has this SKU, so it cannot be planned.'
        : writeSentence(sum, missing, plan),
    }
  })
  const reductions = await proposeReductions(sql, order)
  return { sizes, plan: { order_id: order.id, items, proposed_reductions: reductions } }
}

export function createOrderPlans(deps: {
  database: Database
  clock: Clock
  signer: PathSigner
  currency: string
}): OrderPlans {
  const { database, clock } = deps

  const getOrder = async (sql: Queryable, id: string) => orThrow(await findOrder(sql, id), 'ORDER_NOT_FOUND')

  return {
    get: async (id) => (await readPlan(database.sql, await getOrder(database.sql, id))).plan,

    make: (id, by) =>
      writeOnce({ database, clock }, by, ['orders/plan', id], async (tx, { audit }) => {
        if (!(await lockOrder(tx, id))) throw new AppError('ORDER_NOT_FOUND')
        const order = await getOrder(tx, id)
        if (!isOpenOrder(order.status))
          throw new AppError('ORDER_STATE', {
            text: 'Only an order that is pending or in progress can be planned.',
          })
        const { plan, sizes } = await readPlan(tx, order)
        for (const item of plan.items)
          if (item.inventory_item_id !== null && item.missing > MAX_JOB_QUANTITY)
            throw new AppError('ORDER_STATE', {
              text: `${titleOf({ ...item, sku: item.sku ?? '' })} needs ${item.missing} pieces, but a print job can have at most ${MAX_JOB_QUANTITY}.`,
            })
        const dueAt = order.due_at === null ? null : new Date(order.due_at)
        const planned = plan.items.flatMap(
          ({ inventory_item_id: itemId, missing: quantity, plates, line_id: orderLineId }) =>
            itemId === null || plates === 0
              ? []
              : [{ itemId, quantity, size: sizes.get(itemId), orderId: id, orderLineId, dueAt }],
        )
        const jobs = await queuePlannedJobs(tx, planned, deps, audit)
        if (jobs.length > 0) {
          const items = plan.items.flatMap(
            ({ inventory_item_id: itemId, sku, name, missing: quantity, plates }) =>
              itemId === null || plates === 0 ? [] : [{ sku, name, quantity }],
          )
          const audited = { entity: 'order', entityId: id, entityName: order.order_number } as const
          await writeAudit(tx, { action: 'order.prints_queued', ...audited, after: { items } }, audit)
        }
        const body = { ...(await readPlan(tx, await getOrder(tx, id))).plan, jobs }
        return { status: jobs.length > 0 ? 201 : 200, body }
      }),
  }
}
