import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { currentTracing, type RequestSpan } from './tracing.ts'

/**
 * Opens a span for each request. Of the address, it contains only the pattern of the route, because the rest can
 * contain a signature or other secrets. It contains no headers.
 */
export function traceRequests(http: FastifyInstance): void {
  const tracing = currentTracing()
  if (tracing === null) return
  const spans = new WeakMap<FastifyRequest, RequestSpan>()

  http.addHook('onRequest', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unmatched'
    const span = tracing.openRequest(
      { traceparent: headerOf(request, 'traceparent'), tracestate: headerOf(request, 'tracestate') },
      {
        name: `${method} ${route}`,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'pegasus.request_id': request.id,
        },
      },
    )
    spans.set(request, span)
    // Unlike the hook `onResponse`, this event also occurs if the client disconnects.
    reply.raw.once('close', () => {
      const { statusCode, headersSent, writableFinished } = reply.raw
      span.end(
        {
          // A websocket has no response.
          ...(headersSent && { 'http.response.status_code': statusCode }),
          // The client has disconnected. Event streams usually end like this, so it is not an error.
          ...(!writableFinished && { 'pegasus.client_disconnected': true }),
        },
        headersSent && statusCode >= 500 ? String(statusCode) : null,
      )
    })
    span.enter(done)
  })

  // The events after the body and the response come from the connection, outside the scope of the request. So enter the
  // scope again.
  for (const hook of ['preValidation', 'onResponse'] as const)
    http.addHook(hook, (request: FastifyRequest, _reply: unknown, done: () => void) => {
      const span = spans.get(request)
      if (span) span.enter(done)
      else done()
    })
}

const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Adds the number of sent and dropped spans to the metrics. */
export function addTraceMetrics(registry: Registry): void {
  const tracing = currentTracing()
  if (tracing === null) return
  const spans = new Counter({
    name: 'pegasus_trace_spans_total',
    help: 'Spans that were sent to the collector, and spans that were dropped',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      const { sent, dropped } = tracing.counts()
      spans.reset()
      spans.inc({ outcome: 'sent' }, sent)
      spans.inc({ outcome: 'dropped' }, dropped)
    },
  })
}
