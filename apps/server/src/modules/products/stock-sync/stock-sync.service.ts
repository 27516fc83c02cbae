import { type Clock, HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../../../platform/database/advisory-lock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/service-log.ts'
import type { MainSite } from '../main-site/main-site.ts'
import { STOCK_AT_ONCE } from '../main-site/shop-orders.ts'
import { listStockToSend, writeSentStock } from './stock-sync.queries.ts'

const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = HOUR_MS

/** Sends the stock of published products to the shop when the stock of their items changes. */
export interface StockSync {
  /**
   * Sends the stock levels that the site does not have, unless another process is doing so. Each level is
   * read just before it is sent, so that the newest level wins. After a failure of the site, each further
   * attempt waits longer.
   */
  run(signal: AbortSignal): Promise<void>
}

export function createStockSync(deps: {
  database: Database
  clock: Clock
  site: Pick<MainSite, 'url' | 'orders'> | null
  log: ServiceLog
}): StockSync {
  const { database, clock, site, log } = deps
  let failures = 0
  let pausedUntil = 0

  /** Sends one batch. Returns whether there may be more. */
  const sendSome = async ({ url, orders }: Pick<MainSite, 'url' | 'orders'>): Promise<boolean> => {
    const levels = await listStockToSend(database.sql, { target: url, limit: STOCK_AT_ONCE })
    if (levels.length === 0) return false
    const now = clock.now()
    const outcome = await orders.setStock(levels)
    if (outcome.ok) {
      failures = 0
      await writeSentStock(database.sql, levels, { target: url, now })
      return levels.length === STOCK_AT_ONCE
    }
    pausedUntil = now.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
    failures += 1
    log.warn({ status: outcome.status, said: outcome.message }, 'the main site took no stock')
    return false
  }

  return {
    async run(signal) {
      if (!site || clock.now().getTime() < pausedUntil) return
      const due = await listStockToSend(database.sql, { target: site.url, limit: 1 })
      if (due.length === 0) return
      await tryAdvisoryLock(database.sql, ADVISORY_LOCKS.shopStock, async () => {
        while (!signal.aborted && (await sendSome(site)));
      })
    },
  }
}
