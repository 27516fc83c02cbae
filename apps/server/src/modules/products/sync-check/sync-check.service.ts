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

/** Maximum number of products that are compared in one run. The others follow in the next run. */
const CHECKED_AT_ONCE = 200

/** Fetches the orders that have changed in the shop, so that all its sales are known. Returns false if that failed. */
export type FetchOrders = () => Promise<boolean>

/** A product and the site's version of it. */
interface Comparison {
  row: ProductRow
  sent: SentProduct
  look: SiteLook
  /** Our stock just before the site was asked. Null for a product without an item. */
  stock: KnownStock | null
  /** True if the site could not be asked for unpaid orders, which might explain a different stock. */
  isUnsure: boolean
}

export interface SiteChecks {
  /**
   * Compares a product with the main site and returns it with the result. Throws PRODUCT_NOT_FOUND,
   * PRODUCT_NOT_ON_SITE or PRODUCT_PUBLISHING.
   */
  check(id: string): Promise<ProductRow>
  /**
   * Compares the products that were last compared at least `sinceMs` ago, unless another process is doing so. Ends
   * early when the signal aborts.
   */
  checkAll(sinceMs: number, signal: AbortSignal): Promise<void>
  /**
   * Accepts the site's values of the given fields. Throws PRODUCT_NOT_FOUND, PRECONDITION_FAILED, PRODUCT_PUBLISHING,
   * or SITE_SAYS_OTHERWISE if the last check did not find these values on the site.
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

  /** Returns the last known values of the site: those that were sent last, or accepted since. */
  const hadBy = ({ payload, accepted }: SentProduct): ComparedValues => {
    const sent = readValues(payload, words)
    return { ...(typeof sent === 'string' ? {} : sent), ...accepted }
  }

  /**
   * Returns the site's stock of a product with an item, if it differs from the offered stock that was sent last.
   * Returns null if it does not, or if our newest stock was not sent yet.
   */
  const otherStockOf = ({ look, stock }: Pick<Comparison, 'look' | 'stock'>): number | null => {
    if (look.kind !== 'found' || !stock?.sentAt) return null
    const reported = readValues(look.fields, words)
    if (typeof reported === 'string' || reported.stock === undefined || reported.stock === stock.offered)
      return null
    return reported.stock
  }

  /**
   * Returns the stock difference of a product with an item, or none. The two numbers cannot be compared if an order of
   * the shop arrived or our stock was sent after the site was asked, or if the newest orders are unknown. Then the
   * stored difference is kept; it is deleted when our stock is sent. The product is locked, so our stock cannot be
   * saved as sent before this transaction ends.
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
    // The site has the stock of the item, not the stock that a person entered in the product, so these are not
    // compared.
    if (row.item_id !== null) delete reported.stock
    const values = { reported, ours: row, had: hadBy(sent) }
    const differences = [
      ...differencesOf(values, sent.differences, clock.now()),
      ...(row.item_id === null ? [] : await stockDifferenceOf(tx, comparison, hasAllOrders)),
    ]
    return { outcome: differences.length > 0 ? 'differs' : 'same', differences, reported }
  }

  /**
   * Saves the result of a comparison, unless the product or its last publication has changed in the meantime. Reads the
   * stored differences again, because our stock may have been sent since the site was asked.
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
   * Adds the pieces of unpaid orders to the site's stock if that differs from ours. The site has subtracted these
   * pieces, but their orders are imported only when they are paid.
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
    // A shop that has sold more than its stock reports 0. More unpaid pieces than our stock are then no difference.
    const sum = theirs + unpaid.pieces
    const comparable = theirs === 0 ? Math.min(sum, stock.offered) : sum
    return { look: { ...look, fields: { ...look.fields, stock: comparable } }, isUnsure: false }
  }

  /**
   * Saves the results of comparisons. If any stock differs, fetches the orders of the shop first, because a sale
   * changes the shop's stock before its order arrives here.
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
        // The site does not respond, so do not ask it for the other products.
        if (comparison.look.kind === 'unclear' && comparison.look.isAway) break
      } catch (error) {
        // The product was published or deleted in the meantime, so there is nothing to compare.
        if (!(error instanceof AppError)) throw error
      }
    }
    if (!signal.aborted) await concludeAll(withOtherStock)
  }

  /**
   * Adjusts the stock of a product's item so that the offered stock equals the shop's stock, and saves it as sent.
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

/**
 * Returns whether the stored differences contain each value that a person accepts. A person cannot have seen any other.
 */
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

/** Returns whether the result differs from what people currently see. */
const isChanged = (row: ProductRow, result: CheckResult): boolean =>
  'problem' in result
    ? row.check_problem !== result.problem
    : row.check_problem !== null ||
      row.check_outcome !== result.outcome ||
      !isDeepStrictEqual(row.check_differences, result.differences) ||
      !isDeepStrictEqual(row.check_reported, result.reported)
