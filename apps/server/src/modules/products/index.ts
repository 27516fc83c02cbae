import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { createPoller, type Poller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { createCosts } from '../inventory/index.ts'
import type { MediaModule } from '../media/index.ts'
import { addProductSetupRoutes } from './setup/product-setup.routes.ts'
import { createProductCosts } from './setup/product-costs.ts'
import { createReview } from './setup/product-review.service.ts'
import { createStart } from './setup/product-setup.service.ts'
import { type FetchOrders, createSiteChecks } from './sync-check/sync-check.service.ts'
import { addSiteCheckRoutes } from './sync-check/sync-check.routes.ts'
import { addDraftRoutes } from './drafts/drafts.routes.ts'
import { createDrafts } from './drafts/drafts.service.ts'
import { addProductChangeRoutes } from './catalog/product-changes.routes.ts'
import { createProductChanges } from './catalog/product-changes.service.ts'
import { createMainSite, type MainSiteOptions } from './main-site/create-main-site.ts'
import { addProductsIntegrationRoutes } from './catalog/products-integration.routes.ts'
import { addProductRoutes } from './catalog/products.routes.ts'
import { createProducts } from './catalog/products.service.ts'
import { createStockSync } from './stock-sync/stock-sync.service.ts'
import { createDelivery } from './publishing/delivery.service.ts'
import { addPublishingRoutes } from './publishing/publishing.routes.ts'
import { createPublishing } from './publishing/publishing.service.ts'

export {
  ORDERS_AT_ONCE,
  type ShopOrder,
  type StoredLines,
  type ShopCompletion,
  type ShopShipment,
} from './main-site/shop-orders.ts'
export {
  createMainSite,
  type MainSiteOptions,
  orderAddressOf,
  ordersAddressOf,
} from './main-site/create-main-site.ts'
export type { MainSite } from './main-site/main-site.ts'
export type { SiteFailure } from './main-site/site-calls.ts'
export { type FailedPublication, claimFailedPublications } from './publishing/failed-publications.queries.ts'
export { noteShopChange, noteShopChangeOfItems } from './stock-sync/stock-sync.queries.ts'
export { findProductHits } from './catalog/product-hits.queries.ts'
export { countPublished, findItemIdsBySlug } from './catalog/products.queries.ts'
export { type NewProduct, createProduct } from './catalog/products.service.ts'

const RESUME_INTERVAL_MS = 15 * SECOND_MS
const SEND_STOCK_MS = 5 * SECOND_MS
/** Interval at which the server looks for products that are due to be compared with the main site. */
const LOOK_FOR_UNCHECKED_MS = MINUTE_MS

interface ProductsModule {
  /** Continues publications that a process left unfinished because it ended. */
  publications: Poller
  /** Compares products with the main site. */
  siteChecks: Poller
  /** Sends the stock of published products to the shop when the stock of their items has changed. */
  shopStock: Poller
  /** Permanently removes products and drafts that have been in the trash for 30 days. Runs hourly. */
  purgeTrash(): Promise<void>
}

interface ProductsDeps {
  database: Database
  clock: Clock
  storage: ObjectStorage
  signer: PathSigner
  media: Pick<MediaModule, 'putNew'>
  log: ServiceLog
  currency: string
  /** The locale for prices in texts. Null means English. */
  locale: string | null
  publicUrl: string
  /** Null if no main site is configured. */
  mainSite: MainSiteOptions | null
  /** Minimum time between two comparisons of a product with the main site, in milliseconds. */
  mainSiteCheckMs: number
  /** Fetches the orders that have changed in the shop. Returns false if this failed. */
  fetchOrders: FetchOrders
}

/** Adds the local catalog, its drafts, and publishing to the main site. */
export function addProducts(endpoints: Endpoints, deps: ProductsDeps): ProductsModule {
  const { database, clock, currency, signer, mainSite, log } = deps
  const needs = { currency, signer }
  const products = createProducts({ database })
  addProductRoutes(endpoints, { products, ...needs })
  addProductsIntegrationRoutes(endpoints, { products, publicUrl: deps.publicUrl, ...needs })
  const changes = createProductChanges(deps)
  addProductChangeRoutes(endpoints, { changes, ...needs })
  const site = mainSite === null ? null : createMainSite(mainSite)
  const delivery = createDelivery({ database, clock, site })
  addPublishingRoutes(endpoints, {
    publishing: createPublishing({ ...deps, site, delivery }),
    ...needs,
  })
  const checks = createSiteChecks({ ...deps, site })
  addSiteCheckRoutes(endpoints, { checks, ...needs })
  const drafts = createDrafts({ database, clock })
  addDraftRoutes(endpoints, { drafts })
  const costs = createProductCosts({ database, costs: createCosts({ database, currency }) })
  addProductSetupRoutes(endpoints, {
    start: createStart({ ...deps, costs }),
    review: createReview({ database, costs, currency, locale: deps.locale }),
  })
  const publications = createPoller({
    name: 'interrupted publications',
    pauseMs: RESUME_INTERVAL_MS,
    work: (stopping) => delivery.resume(stopping),
    log,
  })
  const siteChecks = createPoller({
    name: 'comparisons with the main site',
    pauseMs: LOOK_FOR_UNCHECKED_MS,
    // On shutdown, the current product is still compared, and no further one.
    work: (stopping) => checks.checkAll(deps.mainSiteCheckMs, stopping),
    log,
  })
  const stockSync = createStockSync({ database, clock, site, log })
  const shopStock = createPoller({
    name: 'stock sync to the main site',
    pauseMs: SEND_STOCK_MS,
    work: (stopping) => stockSync.run(stopping),
    log,
  })
  return {
    publications,
    siteChecks,
    shopStock,
    async purgeTrash() {
      await drafts.purge()
      await changes.purge()
    },
  }
}
