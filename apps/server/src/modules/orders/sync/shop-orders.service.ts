import type { OrderSync } from '@pegasus/contracts/orders/orders'
import type { AuditContext } from '../../../platform/actor.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { ServiceLog } from '../../../platform/service-log.ts'
import { publish } from '../../events/index.ts'
import { type MainSite, ORDERS_AT_ONCE, type ShopOrder } from '../../products/index.ts'
import {
  findDeletedHere,
  findWaitingChange,
  forgetWaitingChange,
  listOrdersToCatchUp,
  saveRefusedCancellation,
} from '../intake/order-intake.queries.ts'
import type { OrderIntake } from '../intake/order-intake.service.ts'
import { changedFieldsOf } from '../intake/received-order.ts'
import {
  type SentOrder,
  findDeletionsCheckedAt,
  findKnownUntil,
  listOrdersToCheck,
  listSentOrders,
  writeDeletionsCheckedAt,
  writeKnownUntil,
  writeShopProblem,
} from './order-sync.queries.ts'
import { deleteRefusedOrder, listOrdersToRetry, saveRefusedOrder } from './refused-orders.ts'
import {
  ORDER_NUMBER_MAX_LENGTH,
  type ReceiveOrderBody,
  receiveOrderBody,
} from '@pegasus/contracts/orders/order-body'

type ReadShopOrder =
  | { body: ReceiveOrderBody; changedAt: Date | null; refundedSkus: string[] }
  | {
      /** The order's number, or else the shop's id, for messages to people. */
      shownNumber: string | null
      number: string | null
      externalId: string | null
      detail: string
      /** The time of the order's last change, if the order must be read again from this time on. */
      readAgainFrom: Date | null
    }

/** Returns an id or a number of a shop as text that can be stored, or null if there is none. */
const nameIn = (value: unknown): string | null =>
  (typeof value === 'string' ? value : '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, ORDER_NUMBER_MAX_LENGTH)
    .toWellFormed() || null

/** Returns an imported order as JSON in the format that shops send, or null if it cannot be stored. */
function sentOrderOf({ body, changedAt, refundedSkus }: Extract<ReadShopOrder, { body: unknown }>) {
  const text = JSON.stringify({ ...body, changed_at: changedAt, refunded_skus: refundedSkus })
  return text.includes('\\u0000') ? null : (JSON.parse(text) as Record<string, unknown>)
}

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
  const changedAt = momentOf(order['changed_at'])
  if (parsed.success && typeof fault !== 'string')
    return {
      body: parsed.data,
      changedAt,
      refundedSkus: Array.isArray(refunded) ? refunded.filter((sku) => typeof sku === 'string') : [],
    }
  const detail = typeof fault === 'string' ? fault : parsed.error?.issues[0]?.message
  const known = receiveOrderBody.shape.order_number.safeParse(number)
  const externalId = nameIn(order['external_id'])
  return {
    shownNumber: nameIn(number) ?? externalId,
    number: known.data ?? null,
    externalId,
    detail: detail ?? 'This is not an order.',
    readAgainFrom: order['is_fault_passing'] === true ? changedAt : null,
  }
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
/** Maximum number of refused orders that one comparison tries to import again. */
const RETRIED_AT_ONCE = 100
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
  /**
   * Fetches orders for the regular sync. Does nothing if another process is fetching. Orders that were refused are
   * written to the log.
   */
  fetchAlone(): Promise<void>
  /**
   * Receives one order. A refused order is an outcome and not an error. The page of the order shows the reason, or the
   * list of refused orders if the order is not here.
   */
  take(order: ShopOrder, by: AuditContext): Promise<OrderTakeResult>
  /** Cancels an order that was deleted in the shop. A completed order stays unchanged. */
  cancelRemoved(externalId: string, by: AuditContext): Promise<OrderTakeResult>
  /** Applies the last change that the shop sent while an order was in the trash. */
  catchUp(orderId: string, now: Date): Promise<void>
}

/** Makes open pages reload the refused orders. Refused orders have no ids, so all of them are reloaded. */
const announceRefusals = (sql: Queryable) =>
  publish(sql, { type: 'updated', entity: 'order', id: NO_ORDER_ID })
const NO_ORDER_ID = '00000000-0000-0000-0000-000000000000'

const NOTHING = { created: 0, updated: 0, unchanged: 0, failed: [] } satisfies Partial<OrderSync>

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function sentence({ created, updated, unchanged, failed }: Omit<OrderSync, 'outcome' | 'detail'>): string {
  const all = created + updated + unchanged + failed.length
  if (all === 0) return 'No orders have changed on the main site.'
  const refused = failed.length > 0 ? `, ${failed.length} could not be imported` : ''
  return `Checked ${plural(all, 'order')}: ${created} new, ${updated} changed, ${unchanged} unchanged${refused}.`
}

export function createShopOrderIntake(deps: {
  database: Database
  clock: Clock
  intake: Pick<OrderIntake, 'take' | 'cancelRemoved'>
  site: Pick<MainSite, 'url' | 'orders'> | null
  log: ServiceLog
}): ShopOrderIntake {
  const { database, clock, intake, site, log } = deps

  /**
   * Shows on the page of the order why a change was refused, or in the list why the order is not here. A refused
   * cancellation is applied later.
   */
  const showProblem = (
    order: {
      orderNumber: string | null
      shownNumber: string | null
      externalId: string | null
      isCancelled?: boolean
      sent: Record<string, unknown> | null
    },
    problem: string,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const found = await writeShopProblem(tx, order, problem)
      if (found && order.isCancelled) await saveRefusedCancellation(tx, found.id)
      if (found?.is_new) await publish(tx, { type: 'updated', entity: 'order', id: found.id })
      const { shownNumber, externalId, sent } = order
      if (found || shownNumber === null || (await findDeletedHere(tx, order))) return
      const refused = { order_number: shownNumber, detail: problem, refused_at: clock.now() }
      if (await saveRefusedOrder(tx, { ...refused, external_id: externalId, sent }))
        await announceRefusals(tx)
    })

  const take = async (read: ReadShopOrder, by: AuditContext): Promise<OrderTakeResult> => {
    if (!('body' in read)) {
      const { number: orderNumber, shownNumber, externalId } = read
      await showProblem({ orderNumber, shownNumber, externalId, sent: null }, read.detail)
      return { outcome: 'failed', order_number: shownNumber, detail: read.detail }
    }
    const { body, ...shop } = read
    try {
      const outcome = await intake.take(body, shop, by)
      await forgetRefusal({ orderNumber: body.order_number, externalId: body.external_id ?? null })
      return { outcome }
    } catch (error) {
      const { code, say } = toAppError(error)
      // A server error would affect all orders, so end the call.
      if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
      const { order_number: orderNumber, external_id: externalId = null, status } = body
      const order = { orderNumber, shownNumber: orderNumber, externalId, sent: sentOrderOf(read) }
      await showProblem({ ...order, isCancelled: code === 'CONFLICT' && status === 'cancelled' }, say)
      return { outcome: 'failed', order_number: body.order_number, detail: say }
    }
  }

  const forgetRefusal = async (order: { orderNumber?: string; externalId: string | null }) => {
    if (await deleteRefusedOrder(database.sql, order)) await announceRefusals(database.sql)
  }

  const catchUp = async (orderId: string, now: Date) => {
    const sent = await findWaitingChange(database.sql, orderId)
    if (!sent) return
    await take(readShopOrder(sent as ShopOrder), { actor: SYSTEM_ACTOR, now })
    await forgetWaitingChange(database.sql, orderId, sent)
  }

  /** Applies waiting changes of orders that were restored by a process that ended before it could apply them. */
  const catchUpAll = async () => {
    for (const { id } of await listOrdersToCatchUp(database.sql)) await catchUp(id, clock.now())
  }

  /** Tries to import refused orders again, because a person may have removed the cause. */
  const retryRefused = async (by: AuditContext) => {
    for (const { sent } of await listOrdersToRetry(database.sql, RETRIED_AT_ONCE))
      await take(readShopOrder(sent as ShopOrder), by)
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

  /**
   * Receives all orders that have changed since a time. `readAgainFrom` is the time of the earliest order that could
   * not be read completely. The next call must begin there. Returns null if the site has no list of orders.
   */
  const takePages = async (
    since: Date,
    by: AuditContext,
  ): Promise<{ synced: OrderSync; readAgainFrom: Date | null } | null> => {
    let readAgainFrom: Date | null = null
    const result: Omit<OrderSync, 'outcome' | 'detail'> = { ...NOTHING, failed: [] }
    let page: string | null = null
    for (let pages = 0; site && pages < MAX_PAGES; pages += 1) {
      const answer = await site.orders.list(since, page)
      if (!answer.ok) {
        if (answer.isNotOffered) return null
        throw new AppError('MAIN_SITE_FAILED', { say: answer.message })
      }
      const reads = answer.orders.map(readShopOrder)
      for (const read of reads) {
        const from = 'body' in read ? null : read.readAgainFrom
        if (from && (readAgainFrom === null || from < readAgainFrom)) readAgainFrom = from
      }
      for (const taken of await takePage(reads, by)) {
        if (taken.outcome === 'failed')
          result.failed.push({ order_number: taken.order_number, detail: taken.detail })
        else result[taken.outcome] += 1
      }
      if (answer.next === null || answer.next === page) break
      page = answer.next
    }
    return { synced: { outcome: 'synced', detail: sentence(result), ...result }, readAgainFrom }
  }

  /**
   * Once an hour, asks the shop which unfinished orders it has deleted, and cancels them. Does nothing unless
   * the shop still has at least one of the orders. If it has none, it is probably another shop, or it has not
   * fully recovered from an outage. Returns the number of cancelled orders.
   */
  const cancelDeleted = async (
    { url, orders }: Pick<MainSite, 'url' | 'orders'>,
    by: AuditContext,
  ): Promise<number> => {
    const now = clock.now()
    const last = await findDeletionsCheckedAt(database.sql, url)
    if (!orders.findDeleted || (last && addMs(last, HOUR_MS) > now)) return 0
    const known = await listOrdersToCheck(database.sql, addMs(now, -OVERLAP_MS))
    const unfinished = new Set(known.filter((row) => row.is_unfinished).map((row) => row.external_id))
    const deleted: string[] = []
    let existing = 0
    for (let at = 0; unfinished.size > 0 && at < known.length; at += ORDERS_AT_ONCE) {
      const asked = known
        .slice(at, at + ORDERS_AT_ONCE)
        .map((row) => ({ externalId: row.external_id, placedAt: new Date(row.placed_at) }))
      const answer = await orders.findDeleted(asked, now)
      // A failed response says nothing about the orders, so none is cancelled. The next comparison asks again.
      if (!answer.ok) {
        log.warn({ detail: answer.message }, 'the shop could not be asked for deleted orders')
        return 0
      }
      deleted.push(...answer.deleted.filter((id) => unfinished.has(id)))
      existing += answer.existing
    }
    await writeDeletionsCheckedAt(database.sql, url, now)
    if (existing === 0) return 0
    let cancelled = 0
    for (const id of deleted)
      if (await intake.cancelRemoved(id, 'The shop no longer has this order.', by)) cancelled += 1
    return cancelled
  }

  const fetch = async (by: AuditContext): Promise<OrderSync> => {
    if (!site)
      return {
        outcome: 'not_configured',
        detail: 'No main site is configured, so no orders can be fetched.',
        ...NOTHING,
      }
    const begunAt = clock.now()
    await catchUpAll()
    await retryRefused(by)
    const known = await findKnownUntil(database.sql, site.url)
    const taken = await takePages(known ? addMs(known, -OVERLAP_MS) : addMs(begunAt, -BACKFILL_MS), by)
    if (!taken)
      return {
        outcome: 'not_offered',
        detail: 'The main site has no list of orders at /api/admin/orders. It can send its orders instead.',
        ...NOTHING,
      }
    const { synced, readAgainFrom } = taken
    await writeKnownUntil(database.sql, site.url, readAgainFrom ?? begunAt)
    const deleted = await cancelDeleted(site, by)
    if (deleted === 0) return synced
    const result = { ...synced, updated: synced.updated + deleted }
    return { ...result, detail: sentence(result) }
  }

  return {
    take: (order, by) => take(readShopOrder(order), by),
    async cancelRemoved(externalId, by) {
      const isCancelled = await intake.cancelRemoved(externalId, 'The order was deleted in the shop.', by)
      await forgetRefusal({ externalId })
      return { outcome: isCancelled ? 'updated' : 'unchanged' }
    },
    catchUp,
    fetch,
    fetchAlone: () =>
      tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shopOrders, async () => {
        const { failed } = await fetch({ actor: SYSTEM_ACTOR, now: clock.now() })
        for (const refused of failed) log.warn(refused, 'an order of the shop was refused')
      }),
  }
}
