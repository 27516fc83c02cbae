import { randomUUID } from 'node:crypto'
import http from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config.ts'
import { frameworkErrors } from './platform/http/error-handler.ts'
import { refuseInvalidHttp } from './platform/http/invalid-http.ts'

const JSON_BODY_LIMIT_BYTES = 1024 * 1024

/**
 * How long an idle connection stays open, in ms. A proxy must be the first to close a connection, or it sends requests
 * to a closed one. The load balancers of cloud providers keep idle connections for up to 600 seconds.
 */
const KEEP_ALIVE_TIMEOUT_MS = 620_000

/** Creates the HTTP server, without any routes. */
export const createHttp = ({ trustedProxies }: Config, log: FastifyBaseLogger): FastifyInstance =>
  Fastify({
    loggerInstance: log,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    genReqId: () => randomUUID(),
    // `logRequests` writes one line for each response.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors,
    clientErrorHandler: refuseInvalidHttp(log),
    // Node itself would refuse a request without a host, with an empty body. `refuseUnusualHttp` sends an error in
    // JSON.
    http: { requireHostHeader: false },
    // Fastify must not limit the length of a path parameter. The route treats a long id like any unknown id.
    routerOptions: { maxParamLength: http.maxHeaderSize },
  })
