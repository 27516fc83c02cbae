import type { OrderSync } from '@pegasus/contracts/orders/orders'
import type { AuditContext } from '../../../platform/actor.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, DAY_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import { publish } from '../../events/index.ts'
import type { MainSite, ShopOrder } from '../../products/index.ts'
import type { OrderIntake } from '../intake/order-intake.service.ts'
import { changedFieldsOf } from '../intake/received-order.ts'
import {
  type SentOrder,
  findKnownUntil,
  findUnfinishedOrder,
  listSentOrders,
  writeKnownUntil,
  writeShopProblem,
} from './order-sync.queries.ts'
import { type ReceiveOrderBody, receiveOrderBody } from '@pegasus/contracts/orders/order-body'

type ReadShopOrder =
  | { body: ReceiveOrderBody; changedAt: Date | null; refundedSkus: string[] }
  | { number: string | null; detail: string }

const momentOf = (value: unknown): Date | null => {
  const moment = typeof value === 'string' ? new Date(value) : null
  return moment && !Number.isNaN(moment.getTime()) ? moment : null
}

/**
 * Checks an order from a shop by the rules of `POST /api/integration/orders`. Returns an error message if the
 * order breaks them.
 */
function readShopOrder(order: ShopOrder): ReadShopOrder {
  const parsed = receiveOrderBody.safeParse(order)
  const { order_number: number, refunded_skus: refunded, fault } = order
  if (parsed.success && typeof fault !== 'string')
    return {
      body: parsed.data,
      changedAt: momentOf(order['changed_at']),
      refundedSkus: Array.isArray(refunded) ? refunded.filter((sku) => typeof sku === 'string') : [],
    }
  const detail = typeof fault === 'string' ? fault : parsed.error?.issues[0]?.message
  const known = receiveOrderBody.shape.order_number.safeParse(number)
  return { number: known.data ?? null, detail: detail ?? 'This is no order.' }
}

/**
 * Returns whether an order equals the version that its shop sent last, so that receiving it again would
 * change nothing.
 */
function isAsSent(read: ReadShopOrder, sent: SentOrder | undefined): boolean {
  if (!('body' in read) || !sent?.source_told) return false
  const { order_number: _, ...body } = read.body
  const last = sent.source_changed_at === null ? null : new Date(sent.source_changed_at)
  const isNews = read.changedAt !== null && (last === null || read.changedAt > last)
  return !isNews && Object.keys(changedFieldsOf(body, sent.source_told)).length === 0
}

/** Period that the first sync covers. Older orders are received only if the shop sends them. */
const BACKFILL_MS = 90 * DAY_MS
/**
 * Each sync also covers this time before the previous sync, because the shop's clock may differ from ours.
 */
const OVERLAP_MS = 10 * MINUTE_MS
/** Maximum number of pages, in case a shop's list never ends. */
const MAX_PAGES = 1000

/** The result of receiving one order. */
export type OrderTakeResult =
  | { outcome: 'created' | 'updated' | 'unchanged' }
  | { outcome: 'failed'; order_number: string | null; detail: string }

/** Receives orders that the main site lists or sends. */
export interface ShopOrderIntake {
  /**
   * Fetches orders that have changed at the shop since the last call, and receives each order separately. The
   * first call covers the last 90 days. A missing site, or a site without a list of orders, is an outcome and
   * not an error. Throws MAIN_SITE_FAILED with the site's message.
   */
  fetch(by: AuditContext): Promise<OrderSync>
  /** Fetches orders for the regular sync. Does nothing if another process is fetching. */
  fetchAlone(): Promise<void>
  /** Receives one order. A refused order is an outcome and not an error. The page of the order shows the reason. */
  take(order: ShopOrder, by: AuditContext): Promise<OrderTakeResult>
  /** Cancels an order that was deleted in the shop. A completed order stays unchanged. */
  cancelRemoved(externalId: string, by: AuditContext): Promise<OrderTakeResult>
}

const NOTHING = { created: 0, updated: 0, unchanged: 0, failed: [] } satisfies Partial<OrderSync>

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function sentence({ created, updated, unchanged, failed }: Omit<OrderSync, 'outcome' | 'detail'>): string {
  const all = created + updated + unchanged + failed.length
  if (all === 0) return 'The main site has no orders that changed.'
  const refused = failed.length > 0 ? `, ${failed.length} could not be taken` : ''
  return `Looked at ${plural(all, 'order')}: ${created} new, ${updated} changed, ${unchanged} as before${refused}.`
}

export function createShopOrderIntake(deps: {
  database: Database
  clock: Clock
  intake: Pick<OrderIntake, 'take'>
  site: Pick<MainSite, 'url' | 'orders'> | null
}): ShopOrderIntake {
  const { database, clock, intake, site } = deps

  const showProblem = (orderNumber: string, problem: string): Promise<void> =>
    database.transaction(async (tx) => {
      const id = await writeShopProblem(tx, orderNumber, problem)
      if (id !== null) await publish(tx, { type: 'updated', entity: 'order', id })
    })

  const take = async (read: ReadShopOrder, by: AuditContext): Promise<OrderTakeResult> => {
    if (!('body' in read)) {
      if (read.number !== null) await showProblem(read.number, read.detail)
      return { outcome: 'failed', order_number: read.number, detail: read.detail }
    }
    const { body, ...shop } = read
    try {
      return { outcome: await intake.take(body, shop, by) }
    } catch (error) {
      const { code, say } = toAppError(error)
      // A server error would affect all orders, so end the call.
      if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
      await showProblem(body.order_number, say)
      return { outcome: 'failed', order_number: body.order_number, detail: say }
    }
  }

  /**
   * Receives the orders of a page. Most of them are unchanged since the shop sent them last, and one
   * statement finds all of these.
   */
  const takePage = async (page: readonly ReadShopOrder[], by: AuditContext): Promise<OrderTakeResult[]> => {
    const numbers = page.flatMap((read) => ('body' in read ? [read.body.order_number] : []))
    const sent = new Map(
      (await listSentOrders(database.sql, numbers)).map((order) => [order.order_number, order]),
    )
    const results: OrderTakeResult[] = []
    for (const read of page) {
      const number = 'body' in read ? read.body.order_number : ''
      results.push(isAsSent(read, sent.get(number)) ? { outcome: 'unchanged' } : await take(read, by))
      // The page may contain an order twice.
      sent.delete(number)
    }
    return results
  }

  const takePages = async (since: Date, by: AuditContext): Promise<OrderSync | null> => {
    const result: Omit<OrderSync, 'outcome' | 'detail'> = { ...NOTHING, failed: [] }
    let page: string | null = null
    for (let pages = 0; site && pages < MAX_PAGES; pages += 1) {
      const answer = await site.orders.list(since, page)
      if (!answer.ok) {
        if (answer.isNotOffered) return null
        throw new AppError('MAIN_SITE_FAILED', { say: answer.message })
      }
      for (const taken of await takePage(answer.orders.map(readShopOrder), by)) {
        if (taken.outcome === 'failed')
          result.failed.push({ order_number: taken.order_number, detail: taken.detail })
        else result[taken.outcome] += 1
      }
      if (answer.next === null || answer.next === page) break
      page = answer.next
    }
    return { outcome: 'synced', detail: sentence(result), ...result }
  }

  const fetch = async (by: AuditContext): Promise<OrderSync> => {
    if (!site)
      return {
        outcome: 'not_configured',
        detail: 'No main site is configured, so there is nowhere to fetch orders from.',
        ...NOTHING,
      }
    const begunAt = clock.now()
    const known = await findKnownUntil(database.sql, site.url)
    const synced = await takePages(known ? addMs(known, -OVERLAP_MS) : addMs(begunAt, -BACKFILL_MS), by)
    if (!synced)
      return {
        outcome: 'not_offered',
        detail: 'The main site has no list of orders at /api/admin/orders. It can send its orders instead.',
        ...NOTHING,
      }
    await writeKnownUntil(database.sql, site.url, begunAt)
    return synced
  }

  return {
    take: (order, by) => take(readShopOrder(order), by),
    async cancelRemoved(externalId, by) {
      const order = await findUnfinishedOrder(database.sql, externalId)
      if (!order) return { outcome: 'unchanged' }
      const { order_number, source_told } = order
      return take(readShopOrder({ ...source_told, order_number, status: 'cancelled' }), by)
    },
    fetch,
    fetchAlone: () =>
      tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shopOrders, async () => {
        await fetch({ actor: SYSTEM_ACTOR, now: clock.now() })
      }),
  }
}
