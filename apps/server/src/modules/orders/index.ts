import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { createDrawPdf, createPdfWorkers } from '../../platform/pdf/pdf-workers.ts'
import { createPoller, type Poller } from '../../platform/poller.ts'
import { trashCutoff } from '../../platform/trash.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { addOrderIntakeRoutes } from './intake/order-intake.routes.ts'
import type { MainSite } from '../products/index.ts'
import { addCustomerRoutes } from './customers/customers.routes.ts'
import { createCustomers } from './customers/customers.service.ts'
import { forgetDeletedCustomers } from './customers/forget-customers.queries.ts'
import { deleteOldSkippedOrders } from './intake/never-known-orders.ts'
import { createOrderIntake } from './intake/order-intake.service.ts'
import { bookPiecesOfFoundItems, settleEarlierOrders } from './intake/settle-earlier-orders.ts'
import { createBulkOrders } from './handling/bulk-orders.service.ts'
import { createOrderAccounts } from './account/order-account.service.ts'
import { createOrderActions } from './handling/order-actions.service.ts'
import { createShipmentTracking } from './handling/tracking.service.ts'
import { createShipmentReports } from './sync/reports/report-shipments.service.ts'
import { createShopOrderIntake } from './sync/shop-orders.service.ts'
import { addRefusedOrderRoutes } from './sync/refused-orders.ts'
import { addShopComparisonRoutes } from './sync/comparison/shop-comparison.ts'
import { addWebhookRoutes } from './sync/webhooks.routes.ts'
import { createPapers } from './papers/papers.service.ts'
import { addPaperRoutes } from './papers/papers.routes.ts'
import { addOrderRoutes } from './orders.routes.ts'
import { addOrderPlanRoutes } from './planning/order-plan.routes.ts'
import { createOrderPlans } from './planning/order-plan.service.ts'
import { type PresentOrder, presentOrder } from './orders.present.ts'
import { createOrders } from './orders.service.ts'
import { addSalesRoutes } from './sales/sales.routes.ts'
import { createSales } from './sales/sales.service.ts'
import { addSkuMappingRoutes } from './skus/sku-mappings.routes.ts'
import { createSkuMappings } from './skus/sku-mappings.service.ts'

export { type OrderDay, readOrderDays, readOrderFigures } from './orders.stats.queries.ts'
export { type OrderHit, findCustomerHits, findOrderHits } from './order-hits.queries.ts'
export { findOrderSteps } from './orders.present.ts'
export { type OrderAlert, claimOrderAlerts } from './order-alerts.queries.ts'
export { readSender } from './papers/read-sender.ts'
export { applyRestoredMappings } from './skus/apply-sku-decision.ts'
export { claimRefusedOrders } from './sync/refused-orders.ts'
export { claimShippedOrders } from './shipped-orders.queries.ts'
export { type NewOrder, type NewOrderLine, createOrder } from './orders.service.ts'

export const createPaperWorkers = (log: ServiceLog): WorkerPool =>
  createPdfWorkers(new URL('./papers/papers.worker.ts', import.meta.url), log)

const FETCH_ORDERS_MS = 5 * MINUTE_MS
const REPORT_SHIPMENTS_MS = 2 * SECOND_MS

interface OrdersModule {
  /** Regularly fetches the orders that have changed at the main site, in case an event from the site was lost. */
  shopOrders: Poller
  /** Fetches the orders that have changed in the shop. Returns false if this failed. */
  fetchShopOrders(): Promise<boolean>
  /** Reports parcels and completed orders to the main site. */
  shipments: Poller
  /** Deletes data that is no longer needed. */
  purge(): Promise<void>
}

/** Adds the endpoints and the background work of orders. */
export function addOrders(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    signer: PathSigner
    currency: string
    site: Pick<MainSite, 'kind' | 'url' | 'orders'> | null
    log: ServiceLog
    publicUrl: string
    /** The style of papers: the locale for dates, and the name and address of the shop, line by line. */
    paperStyle: { locale: string | null; sender: readonly string[] }
    workers: WorkerPool
    /** Maximum number of pages that are read of a shop's list of orders. */
    shopPages?: number | undefined
  },
): OrdersModule {
  const { database, clock, signer, currency, site, publicUrl, paperStyle, workers, log, shopPages } = deps
  const shopKind = site?.kind ?? null
  const present: PresentOrder = (row) => presentOrder(row, { signer, now: clock.now(), shopKind })
  const intake = createOrderIntake({ database, clock, currency, shopKind, present })
  const sync = createShopOrderIntake({ database, clock, intake, site, log, maxPages: shopPages })
  const actions = createOrderActions({ database, clock, present, catchUp: sync.catchUp })
  const bulk = createBulkOrders({ database, clock, actions, catchUp: sync.catchUp })
  const orders = createOrders({ database })
  const accounts = createOrderAccounts({ database })
  addOrderRoutes(endpoints, {
    orders,
    accounts,
    intake,
    actions,
    tracking: createShipmentTracking({ database, present }),
    bulk,
    sync,
    clock,
    database,
    present,
    signer,
  })
  addCustomerRoutes(endpoints, { customers: createCustomers({ database, currency }) })
  addOrderPlanRoutes(endpoints, createOrderPlans({ database, clock, signer, currency }))
  addOrderIntakeRoutes(endpoints, { intake })
  const papers = createPapers({ database, publicUrl, ...paperStyle, drawPaper: createDrawPdf(workers) })
  addPaperRoutes(endpoints, { papers })
  addSalesRoutes(endpoints, { sales: createSales({ database, clock, currency }) })
  addSkuMappingRoutes(endpoints, { skus: createSkuMappings({ database, clock }) })
  addRefusedOrderRoutes(endpoints, { database, site })
  addShopComparisonRoutes(endpoints, { database, site })
  addWebhookRoutes(endpoints, { clock, shop: sync, site })
  const shipmentReports = createShipmentReports({ database, clock, site })
  const shipments = createPoller({
    name: 'parcel reports to the main site',
    pauseMs: REPORT_SHIPMENTS_MS,
    // On shutdown, the report of the current parcel still ends, and no further one begins.
    work: (stopping) => shipmentReports.run(stopping),
    log,
  })
  const shopOrders = createPoller({
    name: 'orders of the main site',
    pauseMs: FETCH_ORDERS_MS,
    work: async () => {
      const by = { actor: SYSTEM_ACTOR, now: clock.now() }
      await settleEarlierOrders(database, site?.url ?? null, log, by)
      await bookPiecesOfFoundItems(database, log, by)
      await sync.fetchAlone()
    },
    log,
  })
  const purge = async () => {
    await deleteOldSkippedOrders(database.sql, clock)
    await forgetDeletedCustomers(database.sql, trashCutoff(clock.now()))
  }
  return { shopOrders, shipments, fetchShopOrders: sync.fetchNow, purge }
}
