import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { getHealth, getReadiness } from '@pegasus/contracts/health'
import { TUS_PATH } from '@pegasus/contracts/media/hosted-resumable'
import { MODEL_UPLOADS_PATH } from '@pegasus/contracts/stl-library/resumable-upload'
import type { Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { AppError } from './platform/errors/app-error.ts'
import { refuseUnusualHttp } from './platform/http/invalid-http.ts'
import { acceptJsonBodies } from './platform/http/json-bodies.ts'
import { HOSTED_CORS } from './platform/http/cors.ts'
import { type FloodLimit, limitFloods } from './platform/http/limits/flood-limit.ts'
import { logRequests } from './platform/http/monitoring/request-log.ts'
import { METRICS_PATH, serveMetrics } from './platform/http/monitoring/metrics.ts'
import { describeApi } from './platform/http/api-docs/openapi.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { serializerCompiler } from './platform/http/serializer.ts'
import { dropStalledConnections } from './platform/http/limits/stalled-connections.ts'
import { announceResumableUploads } from './platform/resumable/tus-headers.ts'
import { handleErrors } from './platform/http/error-handler.ts'
import { addTraceMetrics, traceRequests } from './platform/tracing/trace-requests.ts'

const MAX_SOCKET_MESSAGE_BYTES = 4096

/** Makes a server that does only background work refuse all requests, except those for health checks and metrics. */
function serveMonitoringOnly(http: FastifyInstance): void {
  const monitored = new Set<string>([getHealth.path, getReadiness.path, METRICS_PATH])
  http.addHook('onRequest', async ({ routeOptions }) => {
    if (monitored.has(routeOptions.url ?? '')) return
    throw new AppError('NOT_FOUND', {
      text: 'This server does background work only. Send requests to a server with another SERVER_ROLE.',
    })
  })
}

/** Adds what all modules share: error handling, limits, headers, forms, websockets, the API description and metrics. */
export async function addPlatform(
  http: FastifyInstance,
  config: Config,
  version: string,
): Promise<{ floodLimit: FloodLimit; registry: Registry }> {
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  traceRequests(http)
  handleErrors(http)
  if (config.serverRole === 'jobs') serveMonitoringOnly(http)
  logRequests(http)
  dropStalledConnections(http)
  refuseUnusualHttp(http)
  acceptJsonBodies(http)
  addSecurityHeaders(http, { isHttps: config.publicUrl.startsWith('https:') })
  announceResumableUploads(http, { paths: [TUS_PATH, MODEL_UPLOADS_PATH], maxBytes: config.uploadLimitBytes })
  await http.register(cors, { delegator: HOSTED_CORS })
  await http.register(multipart)
  // The messages of our own clients are short.
  await http.register(websocket, { options: { maxPayload: MAX_SOCKET_MESSAGE_BYTES } })
  const floodLimit = limitFloods(http, config.requestsPerSecond)
  await describeApi(http, version)
  const registry = serveMetrics(http, config.metrics, config.metricsToken)
  addTraceMetrics(registry)
  return { floodLimit, registry }
}
