import { type Clock, HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import type { MainSite } from '../main-site/main-site.ts'
import { STOCK_AT_ONCE } from '../main-site/shop-orders.ts'
import { type RefusedStock, type StockToSend, listStockToSend, writeSentStock } from './stock-sync.queries.ts'

const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = HOUR_MS
/** Statuses with which a site refuses the content of a call. A call with other products can still succeed. */
const REFUSALS: ReadonlySet<number> = new Set([400, 409, 413, 422])

type Site = Pick<MainSite, 'url' | 'orders'>

/** Sends the stock of published products to the shop when the stock of their items changes. */
export interface StockSync {
  /**
   * Sends the stock levels that the site lacks, unless another process is doing so. Reads each level just before it is
   * sent. After a failure of the site, pauses longer with each further failure. If the site refuses the stock of a
   * product, that product waits for an hour or until it is published again, and the others are sent.
   */
  run(signal: AbortSignal): Promise<void>
}

export function createStockSync(deps: {
  database: Database
  clock: Clock
  site: Site | null
  log: ServiceLog
}): StockSync {
  const { database, clock, site, log } = deps
  let failures = 0
  let pausedUntil = 0
  /** Products whose stock the site has refused, by id. `until` is the time of the next attempt. */
  const refused = new Map<string, RefusedStock & { until: number }>()
  const refuse = ({ product_id, publication }: RefusedStock, now: Date) =>
    refused.set(product_id, { product_id, publication, until: now.getTime() + LONGEST_PAUSE_MS })

  const listDue = (target: string, limit: number): Promise<StockToSend[]> => {
    const now = clock.now().getTime()
    for (const [id, { until }] of refused) if (until <= now) refused.delete(id)
    return listStockToSend(database.sql, { target, limit, without: [...refused.values()] })
  }

  /**
   * Sends stock levels. If the site refuses the content, sends each half separately, so that one refused product does
   * not stop the others. Returns false if the site is not available, or if the server is stopping.
   */
  const send = async (site: Site, levels: readonly StockToSend[], signal: AbortSignal): Promise<boolean> => {
    if (signal.aborted) return false
    const now = clock.now()
    const outcome = await site.orders.setStock(levels)
    if (outcome.ok) {
      failures = 0
      const unknown = levels.filter(({ slug }) => outcome.unknown?.includes(slug))
      const sent = levels.filter((level) => !unknown.includes(level))
      await database.transaction((tx) => writeSentStock(tx, sent, { target: site.url, now }))
      for (const level of unknown) {
        refuse(level, now)
        log.warn({ product: level.slug }, 'the main site does not have a product whose stock was sent')
      }
      return true
    }
    const { status, message: said } = outcome
    if (status === null || !REFUSALS.has(status)) {
      pausedUntil = now.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
      failures += 1
      log.warn({ status, said }, 'the main site took no stock')
      return false
    }
    const [first] = levels
    if (levels.length === 1 && first) {
      refuse(first, now)
      log.warn({ status, said, product: first.slug }, 'the main site refused the stock of a product')
      return true
    }
    const middle = Math.ceil(levels.length / 2)
    return (
      (await send(site, levels.slice(0, middle), signal)) && (await send(site, levels.slice(middle), signal))
    )
  }

  /** Sends one batch. Returns whether there may be more. */
  const sendSome = async (site: Site, signal: AbortSignal): Promise<boolean> => {
    const levels = await listDue(site.url, STOCK_AT_ONCE)
    return levels.length > 0 && (await send(site, levels, signal)) && levels.length === STOCK_AT_ONCE
  }

  return {
    async run(signal) {
      if (!site || clock.now().getTime() < pausedUntil) return
      if ((await listDue(site.url, 1)).length === 0) return
      await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shopStock, async () => {
        while (!signal.aborted && (await sendSome(site, signal)));
      })
    },
  }
}
