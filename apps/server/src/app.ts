import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod'
import type { Config } from './config.ts'
import { type Auth, type SignInLimitOptions, createAuth } from './modules/auth/index.ts'
import { addClientConfig } from './modules/client-config/index.ts'
import { addEvents } from './modules/events/index.ts'
import { addFilament } from './modules/filament/index.ts'
import { addInventory } from './modules/inventory/index.ts'
import { addOrders } from './modules/orders/index.ts'
import { addPrintQueue } from './modules/print-queue/index.ts'
import { addProducts } from './modules/products/index.ts'
import { addStats } from './modules/stats/index.ts'
import { addStlLibrary, createAnalysisWorkers } from './modules/stl-library/index.ts'
import { addOutboxRoutes, createOutbox } from './modules/users/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import { acceptJsonBodies } from './platform/http/bodies.ts'
import { HOSTED_CORS } from './platform/http/cors.ts'
import { type Endpoints, createEndpoints } from './platform/http/endpoints.ts'
import { frameworkErrors, handleErrors } from './platform/http/error-handler.ts'
import { serveHealth } from './platform/http/health.ts'
import { logRequests } from './platform/http/request-log.ts'
import { serveMetrics } from './platform/http/metrics.ts'
import { describeApi } from './platform/http/openapi.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { createPathSigner } from './platform/http/signed-path.ts'
import { dropSilentConnections } from './platform/http/silent-connections.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { MailTransport } from './platform/mail/mail.ts'
import { createSmtpMail } from './platform/mail/smtp-mail.ts'
import type { RootSecret } from './platform/secrets/root-secret.ts'
import type { ObjectStorage } from './platform/storage/object-storage.ts'
import type { Tasks } from './platform/tasks/tasks.ts'

const JSON_BODY_LIMIT_BYTES = 1024 * 1024
const FLOOD_WINDOW_MS = 1000
/** How close a caller is to the limit is nobody's business; `Retry-After` comes from our own error table. */
const NO_LIMIT_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}

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
  signInLimits?: SignInLimitOptions
}

export interface App {
  http: FastifyInstance
  auth: Auth
  endpoints: Endpoints
}

/** Requests that pictures and pages are made of come in bursts and are cheap; calls are what floods. */
const isFreeOfFloodLimit = (request: FastifyRequest): boolean => {
  const { endpoint } = request.routeOptions.config
  return endpoint === undefined || endpoint.isSignable === true
}

async function addPlatform(http: FastifyInstance, config: Config, version: string): Promise<void> {
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  handleErrors(http)
  logRequests(http)
  dropSilentConnections(http)
  acceptJsonBodies(http)
  await addSecurityHeaders(http, { isHttps: config.publicUrl.startsWith('https:') })
  await http.register(cors, { delegator: HOSTED_CORS })
  await http.register(multipart)
  await http.register(rateLimit, {
    // After the guard, so that a session is known, and before the body is read.
    hook: 'preParsing',
    max: config.requestsPerSecond,
    timeWindow: FLOOD_WINDOW_MS,
    keyGenerator: (request) => request.principal?.sessionId ?? request.ip,
    allowList: isFreeOfFloodLimit,
    addHeadersOnExceeding: NO_LIMIT_HEADERS,
    addHeaders: { ...NO_LIMIT_HEADERS, 'retry-after': false },
  })
  await describeApi(http, version)
  serveMetrics(http, config.metrics)
}

/** Mail goes to the mail server, or where none is set to the outbox that admins read. */
function createMail({ config, database, tasks, secret, clock }: AppDependencies): MailTransport {
  const { smtpUrl: url, mailFrom: from } = config
  if (url === null) return createOutbox({ secret, clock })
  return createSmtpMail({ url, from, database, tasks, secret, clock })
}

/** Builds the whole product around its dependencies, without listening; the tests use it as it is. */
export async function buildApp(deps: AppDependencies): Promise<App> {
  const { config, database, storage, tasks, secret, clock, version } = deps
  z.config(z.locales.en())
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
  await addPlatform(http, config, version)

  const signer = createPathSigner({ key: secret.deriveKey('signed-paths'), clock })
  const mail = createMail(deps)
  const auth = await createAuth({
    database,
    clock,
    secret,
    signer,
    publicUrl: config.publicUrl,
    signups: config.signups,
    mail,
    version,
    ...(deps.signInLimits && { limits: deps.signInLimits }),
  })
  const endpoints = createEndpoints(http, auth.guard)
  const workers = createAnalysisWorkers(deps.log)
  http.addHook('onClose', () => workers.close())

  serveHealth(endpoints, { database, storage })
  addClientConfig(endpoints, { config, secret })
  auth.addRoutes(endpoints)
  addOutboxRoutes(endpoints, { database, secret })
  const { currency } = config
  const events = addEvents(endpoints, { database, guard: auth.guard, log: deps.log })
  // Before the server waits for its connections: a stream of events ends by itself only with its session.
  http.addHook('preClose', () => events.close())
  addStats(endpoints, { database, clock, currency })
  addInventory(endpoints, { database, signer, currency })
  addFilament(endpoints, { database, currency })
  addPrintQueue(endpoints, { database, signer })
  addOrders(endpoints, { database, signer })
  addProducts(endpoints, { database, currency })
  addStlLibrary(endpoints, {
    database,
    clock,
    storage,
    tasks,
    workers,
    signer,
    uploadLimitBytes: config.uploadLimitBytes,
  })
  await serveWebApp(http, deps.webFolder)
  return { http, auth, endpoints }
}
