import type { OrderSync } from '@pegasus/contracts/orders/orders'
import type { AuditContext } from '../../../platform/actor.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, DAY_MS, HOUR_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { publish } from '../../events/index.ts'
import { type MainSite, ORDERS_AT_ONCE, type ShopOrder, noteShopChange } from '../../products/index.ts'
import { findDeletedHere, saveRefusedCancellation } from '../intake/order-intake.queries.ts'
import { findWaitingChange, forgetWaitingChange, listOrdersToCatchUp } from '../intake/waiting-changes.ts'
import type { OrderIntake } from '../intake/order-intake.service.ts'
import { bookRefund } from '../intake/returned-money.ts'
import {
  claimOrdersToRead,
  findDeletionsCheckedAt,
  findFirstComparison,
  findKnownUntil,
  forgetOrdersToRead,
  listOrdersToCheck,
  listSentOrders,
  saveOrderToRead,
  writeDeletionsCheckedAt,
  writeFirstComparison,
  writeKnownUntil,
  writeShopProblem,
} from './order-sync.queries.ts'
import { SHOP_CLOCK_OFFSET_MS } from './shop-clock.ts'
import { type ReadShopOrder, endOf, isAsSent, readShopOrder, sentOrderOf } from './read-shop-order.ts'
import { deleteRefusedOrder, saveRefusedOrder, takeOrdersToRetry } from './refused-orders.ts'
import { announceRefusals, recordComparison } from './comparison/shop-comparison.ts'

/** Period that the first comparison covers. Older orders are received only if the shop sends them. */
const BACKFILL_MS = 90 * DAY_MS
/** Each comparison also covers this time before the end of the previous one. */
const OVERLAP_MS = SHOP_CLOCK_OFFSET_MS
/** Maximum number of refused orders that one comparison tries to import again. */
const RETRIED_AT_ONCE = 100
/**
 * Maximum number of partly read orders that are read again in one call. A shop that always refuses them gets one
 * request for each of them in every comparison, so the number is small.
 */
const READ_AGAIN_AT_ONCE = 20
/** Maximum number of pages of one list. */
const MAX_PAGES = 5000

/** The result of receiving one order. */
export type OrderTakeResult =
  | { outcome: 'created' | 'updated' | 'unchanged' }
  | { outcome: 'failed'; order_number: string | null; detail: string }

/**
 * Returns the reason for the failure of a comparison whose list did not end. `isMoved` means that the next comparison
 * continues after the orders that were read.
 */
const endlessList = (pages: number, isMoved: boolean): string =>
  isMoved
    ? `The list of the shop's orders did not end after ${pages} pages. The next comparison continues there.`
    : `The list of the shop's orders did not end after ${pages} pages, and does not show when each order was changed. The next comparison begins again.`

/** Receives orders that the main site lists or sends. */
export interface ShopOrderIntake {
  /**
   * Fetches the orders that have changed at the shop since the last call, and receives each of them separately. The
   * first call covers the last 90 days. If no site is configured, or the site has no list of orders, the outcome says
   * so. Throws MAIN_SITE_FAILED with the site's message.
   */
  fetch(by: AuditContext): Promise<OrderSync>
  /**
   * Fetches orders for the regular comparison. Does nothing if another process is doing so. Writes refused orders to
   * the log.
   */
  fetchAlone(): Promise<void>
  /**
   * Fetches orders, even while another process is doing so. Returns false if the site does not respond. Returns true if
   * it has no list of orders, because then there is nothing to fetch.
   */
  fetchNow(): Promise<boolean>
  /**
   * Receives one order. If the order is refused, the outcome says so, and people see the reason: on the page of the
   * order, or in the list of refused orders if the order does not exist here.
   */
  take(order: ShopOrder, by: AuditContext): Promise<OrderTakeResult>
  /** Cancels an order that was deleted in the shop. A completed order stays unchanged. */
  cancelRemoved(externalId: string, by: AuditContext): Promise<OrderTakeResult>
  /** Applies the last change that the shop sent while an order was in the trash. */
  catchUp(orderId: string, now: Date): Promise<void>
}

const NOTHING = { created: 0, updated: 0, unchanged: 0, failed: [] } satisfies Partial<OrderSync>

type ReadOrder = Extract<ReadShopOrder, { body: unknown }>

type ShopToRead = Pick<MainSite, 'url' | 'orders'>

type Counts = Omit<OrderSync, 'outcome' | 'detail'>

/** The state of one comparison with the shop. */
interface Round {
  by: AuditContext
  begunAt: Date
  /** The outcomes so far. */
  counts: Counts
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function sentence({ created, updated, unchanged, failed }: Counts): string {
  const all = created + updated + unchanged + failed.length
  if (all === 0) return 'No orders have changed on the main site.'
  const refused = failed.length > 0 ? `, ${failed.length} could not be imported` : ''
  return `Checked ${plural(all, 'order')}: ${created} new, ${updated} changed, ${unchanged} unchanged${refused}.`
}

export function createShopOrderIntake(deps: {
  database: Database
  clock: Clock
  intake: Pick<OrderIntake, 'take' | 'cancelRemoved'>
  site: ShopToRead | null
  log: ServiceLog
  /** Maximum number of pages of one list. Tests use a small number. */
  maxPages?: number | undefined
}): ShopOrderIntake {
  const { database, clock, intake, site, log, maxPages = MAX_PAGES } = deps

  /**
   * Saves why a change was refused: for the page of the order, or for the list of refused orders if the order does not
   * exist here. A refused cancellation is applied later. Returns the id of the order, or null.
   */
  const showProblem = (
    order: {
      orderNumber: string | null
      shownNumber: string | null
      externalId: string | null
      changedAt: Date | null
      isCancelled?: boolean
      sent: Record<string, unknown> | null
    },
    problem: string,
  ): Promise<string | null> =>
    database.transaction(async (tx) => {
      const found = await writeShopProblem(tx, order, problem)
      if (found && order.isCancelled) await saveRefusedCancellation(tx, found.id)
      if (found?.is_new) await publish(tx, { type: 'updated', entity: 'order', id: found.id })
      // The change cannot be applied here, but the shop has changed its own stock with it.
      if (found?.is_new || found?.is_later) await noteShopChange(tx, { orderId: found.id, now: clock.now() })
      const { shownNumber, externalId, sent } = order
      if (found) return found.id
      if (shownNumber === null || (await findDeletedHere(tx, order))) return null
      const refused = { order_number: shownNumber, detail: problem, refused_at: clock.now() }
      if (await saveRefusedOrder(tx, { ...refused, external_id: externalId, sent }))
        await announceRefusals(tx)
      return null
    })

  /** Returns whether an order was placed at the shop before the shop's first comparison. */
  const isHistory = async ({ body, changedAt }: ReadOrder, { now }: AuditContext): Promise<boolean> => {
    if (!site) return false
    const begunAt = await findFirstComparison(database.sql, site.url)
    const placedAt = body.placed_at ? new Date(body.placed_at) : (changedAt ?? now)
    return begunAt === null || placedAt <= begunAt
  }

  const take = async (read: ReadShopOrder, by: AuditContext, isEvent = false): Promise<OrderTakeResult> => {
    if (site && read.idToRead !== null)
      await saveOrderToRead(database.sql, { url: site.url, externalId: read.idToRead, now: clock.now() })
    if (!('body' in read)) {
      const { number: orderNumber, shownNumber, externalId, changedAt } = read
      await showProblem({ orderNumber, shownNumber, externalId, changedAt, sent: null }, read.detail)
      return { outcome: 'failed', order_number: shownNumber, detail: read.detail }
    }
    const { body, ...shop } = read
    try {
      const outcome = await intake.take(body, { ...shop, isHistory: await isHistory(read, by), isEvent }, by)
      await forgetRefusal({ orderNumber: body.order_number, externalId: body.external_id ?? null })
      return { outcome }
    } catch (error) {
      const { code, text: message } = toAppError(error)
      // A server error would affect all orders, so it ends the comparison.
      if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
      const { order_number: orderNumber, external_id: externalId = null, status } = body
      const isCancelled = code === 'CONFLICT' && status === 'cancelled'
      const facts = { changedAt: shop.changedAt, isCancelled, sent: sentOrderOf(read) }
      const id = await showProblem({ orderNumber, shownNumber: orderNumber, externalId, ...facts }, message)
      // A separate transaction, so that the correction of the revenue is dated after this change.
      if (id !== null && isCancelled)
        await database.transaction((tx) => bookRefund(tx, id, { ...shop, kept: body.kept_amount }, by))
      return { outcome: 'failed', order_number: body.order_number, detail: message }
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

  /**
   * Applies waiting changes of restored orders. A process that restores an order can end before it applies the change.
   */
  const catchUpAll = async () => {
    for (const { id } of await listOrdersToCatchUp(database.sql)) await catchUp(id, clock.now())
  }

  /** Tries to import refused orders again, because a person may have removed the cause. */
  const retryRefused = async (by: AuditContext) => {
    const due = await takeOrdersToRetry(database.sql, { limit: RETRIED_AT_ONCE, now: by.now })
    for (const { sent } of due) await take(readShopOrder(sent as ShopOrder), by)
  }

  /**
   * Receives the orders of a page. Most of them have not changed since the shop sent them last. One query finds all of
   * these, so that only the others are received.
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
      // The page may contain the order a second time, and that time it must be received.
      sent.delete(number)
    }
    return results
  }

  /** Receives the listed orders and counts their outcomes. */
  const takeListed = async (reads: readonly ReadShopOrder[], { by, counts }: Round): Promise<void> => {
    for (const taken of await takePage(reads, by)) {
      if (taken.outcome === 'failed')
        counts.failed.push({ order_number: taken.order_number, detail: taken.detail })
      else counts[taken.outcome] += 1
    }
  }

  /**
   * Receives all orders that have changed since a time. Saves the position after each page, so that a comparison after
   * a failure continues there. It then covers `OVERLAP_MS` before the position. A position within the list is therefore
   * saved with `OVERLAP_MS` added, because the list has already shown those orders, but never later than the beginning
   * of this comparison. Returns false if the site has no list of orders. Throws MAIN_SITE_FAILED if the list does not
   * end.
   */
  const takePages = async (
    { url, orders }: ShopToRead,
    { since, isEarlier }: { since: Date; isEarlier: boolean },
    round: Round,
  ): Promise<boolean> => {
    const save = (moment: Date) => writeKnownUntil(database.sql, url, { moment, isEarlier })
    let page: string | null = null
    let isMoved = false
    for (let pages = 0; pages < maxPages; pages += 1) {
      const answer = await orders.list(since, page)
      if (!answer.ok) {
        if (answer.isNotOffered) return false
        throw new AppError('MAIN_SITE_FAILED', { text: answer.message })
      }
      await takeListed(answer.orders.map(readShopOrder), round)
      if (answer.next === null || answer.next === page) {
        await save(round.begunAt)
        return true
      }
      page = answer.next
      const until = endOf(answer.orders)
      if (!until) continue
      isMoved = until > since
      // Further orders may have changed in the same second. An order can have a wrong time in the future, and a
      // position in the future would hide later changes.
      const known = addMs(until, OVERLAP_MS - SECOND_MS)
      await save(known < round.begunAt ? known : round.begunAt)
    }
    throw new AppError('MAIN_SITE_FAILED', { text: endlessList(maxPages, isMoved) })
  }

  /**
   * Reads orders again that the shop had refused to show completely. Stops as soon as the shop refuses one of them
   * again, so that a shop that refuses all of them gets only a few requests.
   */
  const readAgain = async ({ url, orders }: ShopToRead, round: Round): Promise<void> => {
    for (let isRefused = false; orders.listById && !isRefused; ) {
      const claim = { url, since: round.begunAt, limit: READ_AGAIN_AT_ONCE }
      const ids = await claimOrdersToRead(database.sql, claim)
      if (ids.length === 0) return
      const answer = await orders.listById(ids)
      if (!answer.ok)
        return log.warn({ detail: answer.message }, 'orders of the shop could not be read again')
      const reads = answer.orders.map(readShopOrder)
      await takeListed(reads, round)
      const done = ids.filter((id) => reads.every(({ idToRead }) => idToRead !== id))
      await forgetOrdersToRead(database.sql, url, done)
      isRefused = done.length < ids.length
    }
  }

  /**
   * Once an hour, asks the shop which unfinished orders it has deleted, and cancels these orders. Does nothing if the
   * shop has none of the orders that it was asked for: it is then probably another shop, or was not fully restored
   * after an outage. Returns the number of cancelled orders.
   */
  const cancelDeleted = async ({ url, orders }: ShopToRead, by: AuditContext): Promise<number> => {
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
      // A failed response does not show which orders exist, so no order is cancelled. The next comparison asks again.
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

  const compare = async (by: AuditContext): Promise<OrderSync> => {
    if (!site)
      return {
        outcome: 'not_configured',
        detail: 'No main site is configured, so no orders can be fetched.',
        ...NOTHING,
      }
    const begunAt = clock.now()
    await writeFirstComparison(database.sql, site.url, begunAt)
    await catchUpAll()
    await retryRefused(by)
    const counts: Counts = { ...NOTHING, failed: [] }
    const round = { by, begunAt, counts }
    const { own, earlier } = await findKnownUntil(database.sql, site.url)
    // After an update, the orders of several months may have to be read again. Newly changed orders are read before
    // them.
    const recent = earlier && addMs(earlier, -OVERLAP_MS)
    if (recent && (own === null || own < recent))
      await takePages(site, { since: recent, isEarlier: true }, round)
    const since = own ? addMs(own, -OVERLAP_MS) : addMs(begunAt, -BACKFILL_MS)
    if (!(await takePages(site, { since, isEarlier: false }, round)))
      return {
        outcome: 'not_offered',
        detail: 'The main site has no list of orders at /api/admin/orders. It can send its orders instead.',
        ...NOTHING,
      }
    await readAgain(site, round)
    counts.updated += await cancelDeleted(site, by)
    return { outcome: 'synced', detail: sentence(counts), ...counts }
  }

  const fetch = (by: AuditContext): Promise<OrderSync> =>
    site ? recordComparison({ database, clock, log }, site.url, () => compare(by)) : compare(by)

  return {
    take: (order, by) => take(readShopOrder(order), by, true),
    async cancelRemoved(externalId, by) {
      const isCancelled = await intake.cancelRemoved(externalId, 'The order was deleted in the shop.', by)
      await forgetRefusal({ externalId })
      return { outcome: isCancelled ? 'updated' : 'unchanged' }
    },
    catchUp,
    fetch,
    fetchNow: () =>
      fetch({ actor: SYSTEM_ACTOR, now: clock.now() }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'MAIN_SITE_FAILED') return false
          throw error
        },
      ),
    fetchAlone: () =>
      tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shopOrders, async () => {
        const { failed } = await fetch({ actor: SYSTEM_ACTOR, now: clock.now() })
        for (const refused of failed) log.warn(refused, 'an order of the shop was refused')
      }),
  }
}
