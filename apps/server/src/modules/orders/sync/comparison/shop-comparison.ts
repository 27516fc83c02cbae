import { type ShopComparison, getShopComparison } from '@pegasus/contracts/orders/shop-comparison'
import type { OrderSync } from '@pegasus/contracts/orders/orders'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database, Queryable } from '../../../../platform/database/database.ts'
import { toAppError } from '../../../../platform/errors/to-app-error.ts'
import type { Endpoints } from '../../../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../../../platform/log/service-log.ts'
import { publish } from '../../../events/index.ts'
import type { MainSite } from '../../../products/index.ts'
import { writeComparison, writeLostComparison } from '../order-sync.queries.ts'

const NONE: ShopComparison = { compared_at: null, failed_at: null, problem: null }

/**
 * Returns the times of the last success and the last failure of comparing the orders with a shop, and the problem if
 * the failure is the later one.
 */
export async function readComparison(sql: Queryable, url: string): Promise<ShopComparison> {
  const [row] = await sql<ShopComparison[]>`
    select compared_at, failed_at, case when failed_at > coalesce(compared_at, '-infinity') then problem end as problem
    from shop_comparisons where url = ${url}`
  return row ?? NONE
}

const NO_ORDER_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Makes open pages reload the refused orders and the last comparison. An event needs an order id, and these have none,
 * so an id that no order has makes pages reload all orders.
 */
export const announceRefusals = (sql: Queryable): Promise<void> =>
  publish(sql, { type: 'updated', entity: 'order', id: NO_ORDER_ID })

/**
 * Runs a comparison, and saves its time and the reason for a failure, for people. Informs open pages if the problem is
 * new or gone.
 */
export async function recordComparison(
  { database: { sql }, clock, log }: { database: Database; clock: Clock; log: ServiceLog },
  url: string,
  compare: () => Promise<OrderSync>,
): Promise<OrderSync> {
  const save = async (write: (now: Date) => Promise<void>): Promise<void> => {
    const before = await readComparison(sql, url)
    await write(clock.now())
    const after = await readComparison(sql, url)
    if (after.problem !== before.problem) await announceRefusals(sql)
  }
  try {
    const sync = await compare()
    if (sync.outcome === 'synced') await save((now) => writeComparison(sql, url, { now, problem: null }))
    else await save((now) => writeLostComparison(sql, url, { now, problem: sync.detail }))
    return sync
  } catch (error) {
    // Failures of this server are saved, too. Otherwise, the last comparison would look like a success.
    const { text: problem } = toAppError(error)
    await save((now) => writeComparison(sql, url, { now, problem })).catch((unsaved: unknown) =>
      log.error({ err: unsaved }, 'the failure of a comparison with the shop could not be saved'),
    )
    throw error
  }
}

/** Adds the route for the last comparison with the configured shop. */
export function addShopComparisonRoutes(
  endpoints: Endpoints,
  { database, site }: { database: Database; site: Pick<MainSite, 'url'> | null },
): void {
  endpoints.add(getShopComparison, async () => (site ? readComparison(database.sql, site.url) : NONE))
}
