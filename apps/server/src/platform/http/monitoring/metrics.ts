import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { AppError } from '../../errors/app-error.ts'

export type MetricsAccess = 'loopback' | 'public' | 'off'

/** The address of the metrics. */
export const METRICS_PATH = '/metrics'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/**
 * Whether a request comes from this machine. Behind an untrusted local proxy, every request looks local. Therefore a
 * request with a forwarding header is not treated as local.
 */
function isLocal(request: FastifyRequest): boolean {
  if (!LOOPBACK.test(request.ip)) return false
  const passedProxy = FORWARDING_HEADERS.some((header) => request.headers[header] !== undefined)
  return !passedProxy || request.ip !== request.socket.remoteAddress
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether a request has the operator's token. Compares hashes of the tokens, so that the duration of the comparison
 * reveals nothing about the token.
 */
const hasToken = (request: FastifyRequest, token: string): boolean =>
  timingSafeEqual(hashOf(request.headers.authorization ?? ''), hashOf(`Bearer ${token}`))

/**
 * Serves Prometheus metrics at `/metrics`: request durations by route and status, and metrics of the process.
 * A caller with the token may read them from anywhere. Returns the registry, to which modules add their
 * metrics.
 */
export function serveMetrics(app: FastifyInstance, access: MetricsAccess, token: string | null): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.addHook('onClose', async () => registry.clear())

  app.get(METRICS_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (access === 'off') throw new AppError('NOT_FOUND')
    const isKnown = token !== null && hasToken(request, token)
    if (access === 'loopback' && !isKnown && !isLocal(request)) throw new AppError('FORBIDDEN')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}
