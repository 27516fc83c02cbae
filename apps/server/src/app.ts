import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod'
import type { Config } from './config.ts'
import { addAlerts } from './modules/alerts/index.ts'
import { createApiKeysModule } from './modules/api-keys/index.ts'
import { addAudit } from './modules/audit/index.ts'
import { type Auth, type HashingCost, createAuth, findEndedLinks } from './modules/auth/index.ts'
import { addClientConfig } from './modules/client-config/index.ts'
import { addEvents } from './modules/events/index.ts'
import { addFilament } from './modules/filament/index.ts'
import { addInventory } from './modules/inventory/index.ts'
import { addLabels, createSheetWorkers } from './modules/labels/index.ts'
import { addMedia } from './modules/media/index.ts'
import { addOrders } from './modules/orders/index.ts'
import { addPrintQueue } from './modules/print-queue/index.ts'
import { addProducts, createMainSite } from './modules/products/index.ts'
import { addStats } from './modules/stats/index.ts'
import {
  type SlicerLimits,
  addStlLibrary,
  createAnalysisWorkers,
  createInspectionWorkers,
} from './modules/stl-library/index.ts'
import { addOutboxRoutes, createOutbox } from './modules/mail/index.ts'
import { addRestRoutes } from './modules/users/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import { type CleanupJob, type CleanupRunner, createCleanupRunner } from './platform/cleanup-jobs.ts'
import { acceptJsonBodies } from './platform/http/json-bodies.ts'
import { HOSTED_CORS } from './platform/http/cors.ts'
import { type Endpoints, createEndpoints } from './platform/http/endpoints.ts'
import { frameworkErrors, handleErrors } from './platform/http/error-handler.ts'
import { type FloodLimit, limitFloods } from './platform/http/limits/flood-limit.ts'
import { serveHealth } from './platform/http/health.ts'
import { logRequests } from './platform/http/request-log.ts'
import { serveMetrics } from './platform/http/metrics.ts'
import { deleteExpiredIdempotencyKeys } from './platform/http/idempotency.ts'
import { describeApi } from './platform/http/api-docs/openapi.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { serializerCompiler } from './platform/http/serializer.ts'
import { createPathSigner } from './platform/http/signed-path.ts'
import { dropStalledConnections } from './platform/http/limits/stalled-connections.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { validationMessage } from './platform/errors/validation-messages.ts'
import type { MailTransport } from './platform/mail/mail.ts'
import { createSmtpMail } from './platform/mail/smtp-mail.ts'
import type { ResolveHost } from './platform/outbound/resolve-host.ts'
import { type DownloadLimits, createSafeFetch } from './platform/outbound/safe-fetch.ts'
import type { Poller } from './platform/poller.ts'
import type { RootSecret } from './platform/root-secret.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'
import type { Tasks } from './platform/tasks/tasks.ts'

const JSON_BODY_LIMIT_BYTES = 1024 * 1024
const MAX_SOCKET_MESSAGE_BYTES = 4096

export interface AppDependencies {
  config: Config
  database: Database
  storage: ObjectStorage
  tasks: Tasks
  secret: RootSecret
  clock: Clock
  log: FastifyBaseLogger
  version: string
  /** Folder of the built web app. */
  webFolder: string
  /** How addresses that people give are looked up, and how long others may take; the usual where left out. */
  outbound?: { resolve?: ResolveHost; limits?: Partial<DownloadLimits>; authorities?: readonly string[] }
  /** How long a slicer may take and how much it may write; the usual where left out. */
  slicerLimits?: SlicerLimits
  /** How much work it is to hash a password. Default: what OWASP demands. */
  hashingCost?: HashingCost
}

export interface App {
  http: FastifyInstance
  auth: Auth
  endpoints: Endpoints
  housekeeping: CleanupRunner
  /** Returns the jobs of printer agents that fell silent. */
  leases: Poller
  /** Takes up publications whose process has died over them. */
  publications: Poller
  /** Compares published products with what the main site has. */
  siteChecks: Poller
  /** Makes alerts of what has happened, and mails them. */
  alerts: Poller
  /** Every route that answers, as `GET /path`, however it was added: what tests hold the table of permissions against. */
  routes: readonly string[]
}

async function addPlatform(http: FastifyInstance, config: Config, version: string): Promise<FloodLimit> {
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  handleErrors(http)
  logRequests(http)
  dropStalledConnections(http)
  acceptJsonBodies(http)
  await addSecurityHeaders(http, { isHttps: config.publicUrl.startsWith('https:') })
  await http.register(cors, { delegator: HOSTED_CORS })
  await http.register(multipart)
  // Nobody tells us much that way: a longer message is none of ours.
  await http.register(websocket, { options: { maxPayload: MAX_SOCKET_MESSAGE_BYTES } })
  const floods = limitFloods(http, config.requestsPerSecond)
  await describeApi(http, version)
  serveMetrics(http, config.metrics)
  return floods
}

/** Mail goes to the mail server; where none is set, or it will not take one, to the outbox that admins read. */
function createMail({ config, database, tasks, secret, clock }: AppDependencies): MailTransport {
  const { smtpUrl: url, mailFrom: from } = config
  const outbox = createOutbox({ secret, clock })
  if (url === null) return outbox
  return createSmtpMail({ url, from, database, tasks, secret, clock, keep: outbox.keep })
}

/** Builds the whole product around its dependencies, without listening; the tests use it as it is. */
export async function buildApp(deps: AppDependencies): Promise<App> {
  const { config, database, storage, tasks, secret, clock, version } = deps
  z.config({ localeError: validationMessage })
  const http = Fastify({
    loggerInstance: deps.log,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    // We write one line for each answer ourselves.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors,
    // A signed address and a search are longer than the default; an id is not.
    routerOptions: { maxParamLength: 200 },
  })
  const routes: string[] = []
  http.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((name) => `${name} ${url}`))
  })
  const floods = await addPlatform(http, config, version)

  const signer = createPathSigner({ key: secret.deriveKey('signed-paths'), clock })
  const mail = createMail(deps)
  const apiKeys = createApiKeysModule({
    database,
    clock,
    secret,
    log: deps.log,
    requestsPerMinute: config.apiKeyRequestsPerMinute,
  })
  apiKeys.watch(http)
  const auth = await createAuth({
    database,
    clock,
    secret,
    signer,
    publicUrl: config.publicUrl,
    signups: config.signups,
    mail,
    keys: apiKeys.guard,
    version,
    log: deps.log,
    limits: config.signInLimits,
    mailIntervalMs: config.mailIntervalMs,
    hashingCost: deps.hashingCost,
  })
  // Once the last request has been answered, and before the database closes.
  http.addHook('onClose', () => auth.close())
  const endpoints = createEndpoints(http, floods.watch(auth.guard))
  const workers = createAnalysisWorkers(deps.log)
  // At once: what they measure is measured again after the next start.
  http.addHook('preClose', () => workers.close())
  const inspectors = createInspectionWorkers(deps.log)
  http.addHook('onClose', () => inspectors.close())

  serveHealth(endpoints, { database, storage })
  addClientConfig(endpoints, { config, secret })
  auth.addRoutes(endpoints)
  addOutboxRoutes(endpoints, { database, secret, clock, findEndedLinks })
  addRestRoutes(endpoints, { database })
  apiKeys.addRoutes(endpoints, auth.refusals)
  const { currency } = config
  const events = addEvents(endpoints, { database, guard: auth.guard, log: deps.log })
  // Before the server waits for its connections: a stream of events ends by itself only with its session.
  http.addHook('preClose', () => events.close())
  addAudit(endpoints, { database, clock })
  addStats(endpoints, { database, clock, currency })
  addInventory(endpoints, { database, clock, signer, currency })
  const filament = addFilament(endpoints, { database, clock, currency, guard: auth.guard, log: deps.log })
  http.addHook('preClose', () => filament.close())
  const { leases } = addPrintQueue(endpoints, { database, clock, storage, signer, log: deps.log })
  http.addHook('preClose', () => leases.stop())
  const site = config.mainSite && createMainSite(config.mainSite)
  addOrders(endpoints, { database, clock, signer, currency, site })
  const { publicUrl, locale } = config
  const drawers = createSheetWorkers(deps.log)
  http.addHook('onClose', () => drawers.close())
  addLabels(endpoints, { database, clock, signer, publicUrl, currency, locale, workers: drawers })
  const media = addMedia(endpoints, {
    database,
    storage,
    clock,
    uploadLimitBytes: config.uploadLimitBytes,
    linkKey: secret.deriveKey('media-links'),
    findSigner: auth.findSigner,
    version,
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
  })
  http.addHook('preClose', () => products.publications.stop())
  http.addHook('preClose', () => products.siteChecks.stop())
  const alerts = addAlerts(endpoints, { database, clock, mail, publicUrl, log: deps.log })
  http.addHook('preClose', () => alerts.telling.stop())
  const library = addStlLibrary(endpoints, {
    database,
    clock,
    storage,
    tasks,
    workers,
    inspectors,
    fetcher: createSafeFetch({ allow: config.urlImportAllow, ...deps.outbound }),
    signer,
    uploadLimitBytes: config.uploadLimitBytes,
    slicerPath: config.slicerPath,
    slicerLimits: deps.slicerLimits,
    chat: config.ai,
  })
  await serveWebApp(http, deps.webFolder, deps.log)
  const chores: CleanupJob[] = [
    { name: 'unfinished uploads', run: () => storage.sweep() },
    { name: 'ended sessions, links and counts', run: () => auth.purge() },
    { name: 'imports that nobody ended', run: () => library.expireImports() },
    { name: 'models in the bin for 30 days', run: () => library.purgeBin() },
    { name: 'bytes of models without a row', run: () => library.removeOrphans() },
    { name: 'products and drafts in the bin for 30 days', run: () => products.purgeBin() },
    { name: 'bytes of media without a name', run: () => media.removeOrphans() },
    { name: 'alerts of 90 days ago', run: () => alerts.purge() },
    { name: 'idempotency keys', run: () => deleteExpiredIdempotencyKeys(database.sql, clock) },
    { name: 'counts of API keys', run: () => apiKeys.purge() },
  ]
  const housekeeping = createCleanupRunner({ database, log: deps.log, chores })
  http.addHook('preClose', () => housekeeping.stop())
  const { publications, siteChecks } = products
  const rounds = { leases, publications, siteChecks, alerts: alerts.telling }
  return { http, auth, endpoints, housekeeping, ...rounds, routes }
}
