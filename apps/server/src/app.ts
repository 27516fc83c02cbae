import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as z from 'zod'
import { addPlatform } from './add-platform.ts'
import type { Config } from './config.ts'
import { createHttp } from './create-http.ts'
import { addAlerts } from './modules/alerts/index.ts'
import { createApiKeysModule } from './modules/api-keys/index.ts'
import { addAudit, recordMalware } from './modules/audit/index.ts'
import { type Auth, type HashingCost, createAuth, findEndedLinks } from './modules/auth/index.ts'
import { addBackups } from './modules/backups/index.ts'
import { addChannels } from './modules/channels/index.ts'
import { addClientConfig } from './modules/client-config/index.ts'
import { type Demo, type DemoShops, addDemo } from './modules/demo/index.ts'
import { addEvents } from './modules/events/index.ts'
import { addFilament } from './modules/filament/index.ts'
import { addInventory, createCsvWorkers } from './modules/inventory/index.ts'
import { addLabels, createSheetWorkers } from './modules/labels/index.ts'
import { addMedia } from './modules/media/index.ts'
import { addOrders, applyRestoredMappings, createPaperWorkers } from './modules/orders/index.ts'
import { addPrintQueue, createPrinterKeys, pinCertificate } from './modules/print-queue/index.ts'
import {
  type PrinterPoller,
  createBambuSessions,
  createPrinterConnections,
  createPrinterPoller,
} from './modules/printer-connectors/index.ts'
import { addProducts, createMainSite } from './modules/products/index.ts'
import { addSearch } from './modules/search/index.ts'
import { addSecurityLog } from './modules/security-log/index.ts'
import { addSlices, createSliceWorkers } from './modules/slices/index.ts'
import { addStats } from './modules/stats/index.ts'
import {
  type SlicerLimits,
  addStlLibrary,
  createAnalysisWorkers,
  createInspectionWorkers,
} from './modules/stl-library/index.ts'
import { addSystem, addSystemMetrics } from './modules/system/index.ts'
import { addOutboxRoutes, createTransports } from './modules/mail/index.ts'
import { addRestRoutes } from './modules/users/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import { deleteOldRowChanges } from './platform/database/row-changes.ts'
import { type CleanupJob, type CleanupRunner, createCleanupRunner } from './platform/cleanup-jobs.ts'
import { prepareDiversion } from './platform/http/divert-requests.ts'
import { type Endpoints, createEndpoints } from './platform/http/endpoints.ts'
import { serveHealth } from './platform/http/monitoring/health.ts'
import { deleteExpiredIdempotencyKeys } from './platform/http/idempotency.ts'
import { createPathSigner } from './platform/http/signed-path.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { rememberRequests } from './platform/http/while-connected.ts'
import { validationMessage } from './platform/errors/validation-messages.ts'
import type { ScannerLimits } from './platform/malware-scan/clamd.ts'
import { createDeviceCall } from './platform/outbound/device-call.ts'
import type { DeviceLimits } from './platform/outbound/device-limits.ts'
import { createDeviceSocket } from './platform/outbound/device-socket.ts'
import { createCallFor, createSafeCaller } from './platform/outbound/safe-call.ts'
import { type ResolveHost, resolveHost } from './platform/outbound/resolve-host.ts'
import { type DownloadLimits, createSafeFetch } from './platform/outbound/safe-fetch.ts'
import type { Poller } from './platform/poller.ts'
import { createResumableUploads } from './platform/resumable/resumable-uploads.ts'
import type { RootSecret } from './platform/root-secret.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'
import type { Tasks } from './platform/tasks/tasks.ts'
import { wrapStorage } from './wrap-storage.ts'

export interface AppDependencies {
  config: Config
  database: Database
  storage: ObjectStorage
  tasks: Tasks
  secret: RootSecret
  clock: Clock
  log: FastifyBaseLogger
  version: string
  /** The folder of the built web app. */
  webFolder: string
  /** How downloads resolve host names, and how long they may take. Tests replace the defaults. */
  outbound?: { resolve?: ResolveHost; limits?: Partial<DownloadLimits>; authorities?: readonly string[] }
  /** How printer names are resolved, and how long calls to printers may take. Tests replace the defaults. */
  devices?: { resolve?: ResolveHost; limits?: Partial<DeviceLimits> }
  /** How long the slicer may run, and how much it may write. Tests replace the defaults. */
  slicerLimits?: SlicerLimits
  /** How long the malware scanner may take, and how many scans may wait. Tests replace the defaults. */
  scannerLimits?: Partial<ScannerLimits>
  /** Maximum number of pages of a shop's list of orders. Tests replace the default. */
  shopPages?: number
  /** Makes, opens and removes demos. Missing on a server that offers no demos, such as the server of a demo itself. */
  demoShops?: DemoShops
  /** Whether this is the server of a demo. */
  isDemo?: boolean
  /** Cost of hashing a password. The default follows OWASP. */
  hashingCost?: HashingCost
  /**
   * Whether JSON from the database is compared with the declared schemas. Only tests do this: it takes time.
   */
  checksJson?: boolean
}

export interface App {
  http: FastifyInstance
  auth: Auth
  demo: Demo
  endpoints: Endpoints
  cleanup: CleanupRunner
  /** Puts print jobs back into the queue when their agent stops reporting. */
  leases: Poller
  /** Plans which printer prints which job, and when. */
  planner: Poller
  /** Proposes, once a night, the prints that would refill the stock. */
  nightlyProposals: Poller
  /** Communicates with the network printers. */
  printers: PrinterPoller
  /** Continues publications whose process has died. */
  publications: Poller
  /** Compares published products with the main site. */
  siteChecks: Poller
  /** Exchanges orders, parcels and stock with the main site. */
  shop: Readonly<Record<'shopOrders' | 'shipments' | 'shopStock', Poller>>
  /** Turns events into alerts, and emails them. */
  alerts: Poller
  /** Sends alerts to webhooks, chats and push services. */
  channels: Poller
  /** Sends security events to another system. */
  securityLog: Poller
  /** Starts backups that are due. */
  backups: Poller
  /** The work above that no request triggers. Start it, unless other servers do the background work. */
  backgroundWork: readonly Pick<Poller, 'start'>[]
  /** Every registered route, as `GET /path`. Tests compare them with the table of permissions. */
  routes: readonly string[]
}

/**
 * Builds the whole server from its dependencies, but does not listen yet. Tests use the server in this state.
 */
export async function buildApp(deps: AppDependencies): Promise<App> {
  const { config, database, tasks, secret, clock, version, checksJson } = deps
  const { storage, scanner } = wrapStorage(deps)
  z.config({ localeError: validationMessage })
  const http = createHttp(config, deps.log)
  const routes: string[] = []
  http.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((name) => `${name} ${url}`))
  })
  const { floodLimit, registry } = await addPlatform(http, config, version)
  // Add this hook before all routes. A Fastify hook runs only for routes that are added after it, or in the same turn.
  const divertRequests = deps.demoShops ? prepareDiversion(http, floodLimit) : null
  const signer = createPathSigner({ key: secret.deriveKey('signed-paths'), clock })
  const { mail, sms } = createTransports({ ...deps, settings: config })
  const apiKeys = createApiKeysModule({
    database,
    clock,
    secret,
    log: deps.log,
    requestsPerMinute: config.apiKeyRequestsPerMinute,
  })
  apiKeys.watch(http)
  // Only the malware scanner needs to know the current request.
  if (scanner) rememberRequests(http)
  const auth = await createAuth({
    database,
    clock,
    secret,
    signer,
    publicUrl: config.publicUrl,
    signups: config.signups,
    mail,
    sms,
    phone: config.phone,
    keys: apiKeys.guard,
    serviceKeys: apiKeys.serviceGuard,
    disableKeysOf: apiKeys.disableKeysOf,
    version,
    log: deps.log,
    limits: config.signInLimits,
    signUpsPerAddress: config.signUpsPerAddress,
    mailIntervalMs: config.mailIntervalMs,
    signingKeyDays: config.signingKeyDays,
    allowsAnonymous: config.allowsAnonymous,
    allowedRedirects: config.allowedRedirects,
    web3Chains: config.web3Chains,
    providers: config.providers,
    relyingParty: config.relyingParty,
    allowsPasskeys: config.allowsPasskeys,
    allowsLinking: config.allowsLinking,
    saml: config.saml,
    callFor: createCallFor({ allow: config.providerAllow, ...deps.outbound }),
    hostedProject: config.hostedProject,
    outbound: deps.outbound,
    hashingCost: deps.hashingCost,
  })
  // Close it after the last response and before the database closes.
  http.addHook('onClose', () => auth.close())
  const guard = floodLimit.watch(auth.guard)
  const endpoints = createEndpoints(http, { guard, clock, checksJson, onFailure: recordMalware(database) })
  const analysisWorkers = createAnalysisWorkers(deps.log)
  // Analyses may be interrupted, because the next start of the server repeats them.
  http.addHook('preClose', () => analysisWorkers.close())
  const inspectionWorkers = createInspectionWorkers(deps.log)
  http.addHook('onClose', () => inspectionWorkers.close())

  serveHealth(endpoints, { database, storage, scanner })
  addClientConfig(endpoints, { config, secret })
  auth.addRoutes(endpoints)
  addOutboxRoutes(endpoints, { database, secret, findEndedLinks })
  addRestRoutes(endpoints, { database })
  apiKeys.addRoutes(endpoints, auth)
  const { currency } = config
  const events = addEvents(endpoints, { database, guard: auth.guard, log: deps.log })
  // Close event streams first, or the shutdown waits for their sessions to end.
  http.addHook('preClose', () => events.close())
  addAudit(endpoints, { database })
  const demo = addDemo(endpoints, {
    database,
    clock,
    secret,
    shops: deps.demoShops ?? null,
    isOnlyServer: config.databaseUrl === null,
    isHttps: config.publicUrl.startsWith('https:'),
    findSigner: auth.findSigner,
    log: deps.log,
  })
  divertRequests?.((received) => demo.divert(received))
  http.addHook('preClose', () => demo.close())
  addStats(endpoints, { database, clock, currency })
  addSearch(endpoints, { database, signer })
  const site = config.mainSite && createMainSite(config.mainSite)
  addSystem(endpoints, { database, tasks, clock, version, scanner, site, config })
  const stopMetrics = addSystemMetrics({
    registry,
    database,
    countStreams: () => events.countStreams(),
    countThreads: () => analysisWorkers.threadCount + inspectionWorkers.threadCount,
    log: deps.log,
  })
  http.addHook('onClose', async () => stopMetrics())
  const backups = addBackups(endpoints, { config, database, storage, tasks, clock, version, log: deps.log })
  const csvWorkers = createCsvWorkers(deps.log)
  http.addHook('onClose', () => csvWorkers.close())
  addInventory(endpoints, { database, clock, signer, currency, csvWorkers, onRestore: applyRestoredMappings })
  const filament = addFilament(endpoints, { database, clock, currency, guard: auth.guard, log: deps.log })
  http.addHook('preClose', () => filament.close())
  const bambu = createBambuSessions({
    sockets: createDeviceSocket({ resolve: resolveHost, ...deps.devices }),
    keepCertificate: (access, certificate) => pinCertificate(database.sql, { ...access, certificate }),
  })
  http.addHook('onClose', () => bambu.close())
  const printerAccess = {
    keys: createPrinterKeys(secret),
    call: createDeviceCall({ resolve: resolveHost, ...deps.devices }),
    bambu,
  }
  const { leases, planner, nightlyProposals, removePhotoOrphans } = addPrintQueue(endpoints, {
    database,
    clock,
    storage,
    signer,
    secret,
    currency,
    connections: createPrinterConnections({ ...printerAccess, clock }),
    log: deps.log,
  })
  const printers = createPrinterPoller({
    ...printerAccess,
    database,
    storage,
    clock,
    limits: deps.devices?.limits,
    log: deps.log,
  })
  const { publicUrl, locale } = config
  const paperWorkers = createPaperWorkers(deps.log)
  http.addHook('onClose', () => paperWorkers.close())
  const orders = addOrders(endpoints, {
    database,
    clock,
    signer,
    currency,
    site,
    publicUrl,
    paperStyle: { locale, sender: config.sender },
    workers: paperWorkers,
    log: deps.log,
    shopPages: deps.shopPages,
  })
  const sheetWorkers = createSheetWorkers(deps.log)
  http.addHook('onClose', () => sheetWorkers.close())
  addLabels(endpoints, { database, clock, signer, publicUrl, currency, locale, workers: sheetWorkers })
  const uploads = createResumableUploads({ database, storage, clock })
  const media = addMedia(endpoints, {
    database,
    uploads,
    storage,
    clock,
    uploadLimitBytes: config.uploadLimitBytes,
    linkKey: secret.deriveKey('media-links'),
    findSigner: auth.findSigner,
    findServiceKey: apiKeys.findServiceKey,
    version,
    project: config.hostedProject,
    outbound: deps.outbound,
  })
  const products = addProducts(endpoints, {
    database,
    clock,
    storage,
    signer,
    media,
    log: deps.log,
    currency,
    locale,
    publicUrl: config.publicUrl,
    mainSite: config.mainSite,
    mainSiteCheckMs: config.mainSiteCheckMs,
    fetchOrders: orders.fetchShopOrders,
  })
  const alerts = addAlerts(endpoints, { database, clock, mail, publicUrl, log: deps.log })
  const channels = addChannels(endpoints, {
    database,
    clock,
    secret,
    outbound: createSafeCaller({ allow: config.urlImportAllow, ...deps.outbound }),
    publicUrl,
    log: deps.log,
  })
  const securityLog = await addSecurityLog({ database, clock, target: config.securityLog, log: deps.log })
  const library = addStlLibrary(endpoints, {
    database,
    uploads,
    clock,
    storage,
    tasks,
    workers: analysisWorkers,
    inspectors: inspectionWorkers,
    fetcher: createSafeFetch({ allow: config.urlImportAllow, ...deps.outbound }),
    signer,
    uploadLimitBytes: config.uploadLimitBytes,
    slicerPath: config.slicerPath,
    slicerLimits: deps.slicerLimits,
    chat: config.ai,
  })
  const sliceWorkers = createSliceWorkers(deps.log)
  http.addHook('onClose', () => sliceWorkers.close())
  const slices = addSlices(endpoints, {
    database,
    clock,
    storage,
    signer,
    tasks,
    workers: sliceWorkers,
    uploadLimitBytes: config.uploadLimitBytes,
    slicerPath: config.slicerPath,
    slicerLimits: deps.slicerLimits,
  })
  const project = config.hostedProject && new URL(config.hostedProject.url).origin
  await serveWebApp(http, { folder: deps.webFolder, project, isDemo: deps.isDemo ?? false }, deps.log)
  const cleanupJobs: CleanupJob[] = [
    { name: 'unfinished uploads', run: () => storage.sweep() },
    { name: 'expired resumable uploads', run: () => uploads.sweep() },
    { name: 'ended sessions, links and counts', run: () => auth.purge() },
    { name: 'abandoned imports', run: () => library.expireImports() },
    { name: 'models in the trash for 30 days', run: () => library.purgeTrash() },
    { name: 'stored files of no model', run: () => library.removeOrphans() },
    { name: 'sliced files in the trash for 30 days', run: () => slices.purgeTrash() },
    { name: 'stored files of no slice', run: () => slices.removeOrphans() },
    { name: 'stored photos of no printer', run: () => removePhotoOrphans() },
    { name: 'slicings that ended long ago', run: () => slices.forgetSlicings() },
    { name: 'products and drafts in the trash for 30 days', run: () => products.purgeTrash() },
    { name: 'stored files of no media entry', run: () => media.removeOrphans() },
    { name: 'alerts older than 90 days', run: () => alerts.purge() },
    { name: 'old deliveries to channels', run: () => channels.purge() },
    { name: 'old cancellations of unknown orders, customers of deleted orders', run: () => orders.purge() },
    { name: 'idempotency keys', run: () => deleteExpiredIdempotencyKeys(database.sql, clock) },
    { name: 'notes of changed rows', run: () => deleteOldRowChanges(database.sql, clock) },
    { name: 'counts of API keys', run: () => apiKeys.purge() },
    { name: 'runs of backups', run: () => backups.purge() },
  ]
  const cleanup = createCleanupRunner({ database, log: deps.log, jobs: cleanupJobs })
  const { publications, siteChecks, shopStock } = products
  const { shopOrders, shipments } = orders
  const shop = { shopOrders, shipments, shopStock }
  const pollers = {
    leases,
    planner,
    nightlyProposals,
    printers,
    publications,
    siteChecks,
    shop,
    alerts: alerts.dispatcher,
    channels: channels.sender,
    securityLog,
    backups: backups.scheduler,
  }
  const { shop: shopPollers, ...others } = pollers
  const backgroundWork: Poller[] = [cleanup, ...Object.values(others), ...Object.values(shopPollers)]
  for (const poller of backgroundWork) http.addHook('preClose', () => poller.stop())
  return { http, auth, demo, endpoints, cleanup, ...pollers, backgroundWork, routes }
}
