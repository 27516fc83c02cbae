import { isDeepStrictEqual } from 'node:util'
import type { AcceptSiteBody } from '@pegasus/contracts/products/sync-check'
import type { AuditContext } from '../../../platform/actor.ts'
import { addMs, type Clock } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { lockItem, moveStock } from '../../inventory/index.ts'
import { lockProduct } from '../catalog/product-changes.queries.ts'
import { changeProduct, lockLive, rereadProduct } from '../catalog/product-changes.service.ts'
import type { MainSite, SiteLook } from '../main-site/main-site.ts'
import { contentOf, payloadOf, type ProductPayload } from '../catalog/product-content.ts'
import type { WireNeeds } from '../catalog/products.present.ts'
import {
  type ComparedValues,
  findProduct,
  type ProductRow,
  type StoredDifference,
} from '../catalog/products.queries.ts'
import {
  type CheckResult,
  findSent,
  hasEverReported,
  listUnchecked,
  type SentProduct,
  writeAccepted,
  writeCheck,
} from './sync-check.queries.ts'
import { acceptSentStock, findKnownStock, type KnownStock } from '../stock-sync/stock-sync.queries.ts'
import { COLUMN_OF, comparedOf, differencesOf, readValues } from './remote-snapshot.ts'

/** Number of products that are compared in one run. The others follow in the next run. */
const CHECKED_AT_ONCE = 200

/**
 * Fetches the orders that have changed in the shop, so that all of its sales are known. Returns false if this failed.
 */
export type FetchOrders = () => Promise<boolean>

/** A product and the site's version of it. */
interface Comparison {
  row: ProductRow
  sent: SentProduct
  look: SiteLook
  /** The stock that was known before the site was asked. Null for a product without an item. */
  stock: KnownStock | null
  /** True if unpaid orders might explain a different stock: the site could not be asked for them. */
  isUnsure: boolean
}

export interface SiteChecks {
  /**
   * Compares a product with the main site and returns it with the result. Throws PRODUCT_NOT_FOUND,
   * PRODUCT_NOT_ON_SITE or PRODUCT_PUBLISHING.
   */
  check(id: string): Promise<ProductRow>
  /**
   * Compares products whose last comparison is old enough, unless another process is doing so. Ends early when the
   * signal aborts.
   */
  checkAll(sinceMs: number, signal: AbortSignal): Promise<void>
  /**
   * Accepts the site's values for the given fields. Throws PRODUCT_NOT_FOUND, PRECONDITION_FAILED,
   * PRODUCT_PUBLISHING, or SITE_SAYS_OTHERWISE if these values were not seen on the site.
   */
  accept(id: string, body: AcceptSiteBody, revision: number | null, by: AuditContext): Promise<ProductRow>
}

export function createSiteChecks(
  deps: {
    database: Database
    clock: Clock
    publicUrl: string
    site: MainSite | null
    fetchOrders: FetchOrders
  } & WireNeeds,
): SiteChecks {
  const { database, clock, currency, signer, publicUrl, site, fetchOrders } = deps
  const words = { currency, publicUrl }

  const find = async (id: string) => orThrow(await findProduct(database.sql, id), 'PRODUCT_NOT_FOUND')

  /** Returns the last known values of the site. */
  const hadBy = ({ payload, accepted }: SentProduct): ComparedValues => {
    const sent = readValues(payload, words)
    return { ...(typeof sent === 'string' ? {} : sent), ...accepted }
  }

  /**
   * Returns the site's stock of a product with an item, or null if it equals the stock that was sent last. Also
   * returns null while the site does not have our newest stock.
   */
  const otherStockOf = ({ look, stock }: Pick<Comparison, 'look' | 'stock'>): number | null => {
    if (look.kind !== 'found' || !stock?.sentAt) return null
    const reported = readValues(look.fields, words)
    if (typeof reported === 'string' || reported.stock === undefined || reported.stock === stock.offered)
      return null
    return reported.stock
  }

  /**
   * Returns the stock difference of a product with an item. The two numbers cannot be compared if an order of the shop
   * has arrived or our stock was sent since the site was asked, or if the newest orders are unknown. In these cases,
   * keeps the stored difference, which is deleted when our stock is sent. The transaction has locked the product, so
   * our stock cannot be saved as sent before the transaction ends.
   */
  const stockDifferenceOf = async (
    tx: TransactionSql,
    comparison: Comparison,
    hasAllOrders: boolean,
  ): Promise<StoredDifference[]> => {
    const { row, stock, sent } = comparison
    const known = sent.differences.filter(({ ours }) => ours !== undefined)
    if (!stock?.sentAt) return known
    const theirs = otherStockOf(comparison)
    if (theirs === null) return []
    const after = await findKnownStock(tx, row.id, site?.url ?? '')
    const isStill = after?.sentAt === stock.sentAt && after.offered === stock.offered
    if (!hasAllOrders || !isStill || comparison.isUnsure) return known
    const [before] = known
    const since = before?.theirs === theirs ? before.since : clock.now().toISOString()
    return [{ field: 'stock', ours: stock.offered, theirs, since }]
  }

  const judge = async (
    tx: TransactionSql,
    comparison: Comparison,
    hasAllOrders: boolean,
  ): Promise<CheckResult> => {
    const { look, row, sent } = comparison
    if (look.kind === 'unclear') return { problem: look.message }
    if (look.kind === 'missing')
      return look.isCertain || (await hasEverReported(tx, site?.url ?? ''))
        ? { outcome: 'missing', differences: [], reported: {} }
        : { problem: 'The main site does not report the values of its products.' }
    const reported = readValues(look.fields, words)
    if (typeof reported === 'string') return { problem: reported }
    if (Object.keys(reported).length === 0)
      return { problem: 'The main site reports no values of this product that could be compared.' }
    // The stock of an item is not compared with the stock that a person entered.
    if (row.item_id !== null) delete reported.stock
    const values = { reported, ours: row, had: hadBy(sent) }
    const differences = [
      ...differencesOf(values, sent.differences, clock.now()),
      ...(row.item_id === null ? [] : await stockDifferenceOf(tx, comparison, hasAllOrders)),
    ]
    return { outcome: differences.length > 0 ? 'differs' : 'same', differences, reported }
  }

  /**
   * Saves the result, unless the product or the last publication has changed in the meantime. Uses the differences
   * that are stored now, because our stock may have been sent since the site was asked.
   */
  const conclude = (comparison: Comparison, hasAllOrders: boolean): Promise<void> =>
    database.transaction(async (tx) => {
      const { row: asked, sent } = comparison
      const row = await lockProduct(tx, asked.id)
      const now = await findSent(tx, asked.id, site?.url ?? '')
      const isStill =
        row?.deleted_at === null &&
        row.revision === asked.revision &&
        now?.publication_id === sent.publication_id &&
        !now.is_under_way
      if (!isStill) return
      const result = await judge(tx, { ...comparison, sent: now }, hasAllOrders)
      await writeCheck(tx, asked.id, { target: site?.url ?? '', result, now: clock.now() })
      if (isChanged(row, result)) await publish(tx, { type: 'updated', entity: 'product', id: asked.id })
    })

  /** Asks the site for a product. Throws PRODUCT_NOT_FOUND, PRODUCT_NOT_ON_SITE or PRODUCT_PUBLISHING. */
  const ask = async (id: string): Promise<Comparison> => {
    const row = await find(id)
    const sent = site && (await findSent(database.sql, id, site.url))
    if (!site || !sent) throw new AppError('PRODUCT_NOT_ON_SITE')
    if (sent.is_under_way) throw new AppError('PRODUCT_PUBLISHING')
    const stock = await findKnownStock(database.sql, id, site.url)
    const look = await site.look(row.slug)
    return { row, sent, stock, ...(await withUnpaid(look, stock)) }
  }

  /**
   * Adds the pieces of unpaid orders to a different stock of the site. The site no longer offers these pieces, but their
   * orders are not imported before they are paid.
   */
  const withUnpaid = async (
    look: SiteLook,
    stock: KnownStock | null,
  ): Promise<Pick<Comparison, 'look' | 'isUnsure'>> => {
    const theirs = otherStockOf({ look, stock })
    if (theirs === null || look.kind !== 'found' || look.id === null || !stock?.sentAt || !site?.unpaidPieces)
      return { look, isUnsure: false }
    const unpaid = await site.unpaidPieces(look.id, new Date(stock.sentAt))
    if (!unpaid.ok) return { look, isUnsure: true }
    // A shop that has sold more than its stock reports none, so more unpaid pieces than our stock explain it.
    const sum = theirs + unpaid.pieces
    const comparable = theirs === 0 ? Math.min(sum, stock.offered) : sum
    return { look: { ...look, fields: { ...look.fields, stock: comparable } }, isUnsure: false }
  }

  /**
   * Saves the results of comparisons. A sale changes the shop's stock before its order arrives here. Therefore,
   * fetches the orders before a different stock is saved as a difference.
   */
  const concludeAll = async (comparisons: readonly Comparison[]): Promise<void> => {
    const hasAllOrders = comparisons.some((each) => otherStockOf(each) !== null) && (await fetchOrders())
    for (const each of comparisons) await conclude(each, hasAllOrders)
  }

  const compareDue = async (sinceMs: number, signal: AbortSignal): Promise<void> => {
    if (!site) return
    const before = addMs(clock.now(), -sinceMs)
    const due = await listUnchecked(database.sql, { target: site.url, before, limit: CHECKED_AT_ONCE })
    const withOtherStock: Comparison[] = []
    for (const { id } of due) {
      if (signal.aborted) return
      try {
        const comparison = await ask(id)
        if (otherStockOf(comparison) === null) await concludeAll([comparison])
        else withOtherStock.push(comparison)
        // The site is unreachable, so do not ask it for the other products.
        if (comparison.look.kind === 'unclear' && comparison.look.isAway) break
      } catch (error) {
        // The product was published or deleted in the meantime, so there is nothing to compare.
        if (!(error instanceof AppError)) throw error
      }
    }
    if (!signal.aborted) await concludeAll(withOtherStock)
  }

  /**
   * Adjusts the stock of a product's item so that the offered stock equals the shop's stock and is not sent again.
   * Throws SITE_SAYS_OTHERWISE if our stock has changed since the comparison.
   */
  const acceptStock = async (
    tx: TransactionSql,
    { id, item_id: itemId }: ProductRow,
    { theirs, sent }: { theirs: number; sent: SentProduct },
    by: AuditContext,
  ): Promise<void> => {
    if (itemId !== null) await lockItem(tx, itemId)
    const stock = await findKnownStock(tx, id, site?.url ?? '')
    const isShown = sent.differences.some(({ field, ours }) => field === 'stock' && ours === stock?.offered)
    if (itemId === null || !stock?.sentAt || !isShown) throw new AppError('SITE_SAYS_OTHERWISE')
    const reason = 'The stock in the shop was accepted.'
    await moveStock(tx, { itemId, kind: 'adjust', delta: theirs - stock.free, reason }, by)
    await acceptSentStock(tx, { productId: id, stock: theirs })
  }

  return {
    async check(id) {
      await concludeAll([await ask(id)])
      return find(id)
    },

    checkAll: (sinceMs, signal) =>
      tryAdvisoryLock(database.sql, ADVISORY_LOCKS.siteChecks, () => compareDue(sinceMs, signal)),

    accept: (id, body, revision, by) =>
      database.transaction(async (tx) => {
        let before = await lockLive(tx, { id, revision, currency, signer })
        const sentProduct = await findSent(tx, id, site?.url ?? '')
        if (sentProduct?.is_under_way) throw new AppError('PRODUCT_PUBLISHING')
        const taken = readValues(body, words)
        if (!sentProduct || typeof taken === 'string' || !isSeen(body, taken, sentProduct))
          throw new AppError('SITE_SAYS_OTHERWISE')
        if (before.item_id !== null && taken.stock !== undefined) {
          await acceptStock(tx, before, { theirs: taken.stock, sent: sentProduct }, by)
          delete taken.stock
          before = await rereadProduct(tx, id)
        }
        const content = { ...contentOf(before), ...taken }
        const row = await changeProduct(tx, before, { content }, by)
        const accepted = { ...sentProduct.accepted, ...taken }
        const hasAll =
          isDeepStrictEqual(comparedOf(row), {
            ...comparedOf(row),
            ...hadBy({ ...sentProduct, accepted }),
          }) && isDeepStrictEqual(uncompared(payloadOf(row, words)), uncompared(sentProduct.payload))
        await writeAccepted(tx, id, { accepted, hasAll })
        return rereadProduct(tx, id)
      }),
  }
}

/** Returns whether the stored differences contain every value to accept. Otherwise nobody can have seen it. */
const isSeen = (body: AcceptSiteBody, taken: ComparedValues, { differences }: SentProduct): boolean =>
  Object.entries(body).every(
    ([name, value]) =>
      value === undefined ||
      differences.some(
        ({ field, theirs }) => field === name && isDeepStrictEqual(theirs, taken[COLUMN_OF[field]]),
      ),
  )

/** Returns the payload fields that are never compared. */
const uncompared = (payload: ProductPayload) =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => !(field in COLUMN_OF)))

/** Returns whether the result differs from the one that people currently see. */
const isChanged = (row: ProductRow, result: CheckResult): boolean =>
  'problem' in result
    ? row.check_problem !== result.problem
    : row.check_problem !== null ||
      row.check_outcome !== result.outcome ||
      !isDeepStrictEqual(row.check_differences, result.differences) ||
      !isDeepStrictEqual(row.check_reported, result.reported)
