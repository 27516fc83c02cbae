import { type SpanAttributes, trace } from '../tracing/tracing.ts'
import { portOf } from './web-address.ts'

/** The attributes of the other side. The path and the query of an address can contain keys, so they are left out. */
const serverOf = (url: URL): SpanAttributes => ({
  'server.address': url.hostname,
  'server.port': portOf(url),
})

/**
 * Runs a request to another server in a span, which ends with the headers of the response. The work gets the headers
 * that continue the trace there. Only programs of our own operator get such headers (`isOwn`). They would show
 * everybody else which of our requests belong together.
 */
export const traceCall = <T extends { status: number } | { statusCode?: number | undefined }>(
  { method, url, isOwn = false }: { method: string; url: URL; isOwn?: boolean },
  work: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> =>
  trace(
    { name: method, kind: 'client', attributes: { 'http.request.method': method, ...serverOf(url) } },
    async (span) => {
      const answer = await work(isOwn && span ? { traceparent: span.traceparent } : {})
      span?.set({
        'http.response.status_code': 'status' in answer ? answer.status : (answer.statusCode ?? 0),
      })
      return answer
    },
  )

/** Runs the opening of a connection that does not use HTTP in a span. */
export const traceConnect = <T>(
  { host, port }: { host: string; port: number },
  connect: () => Promise<T>,
): Promise<T> =>
  trace(
    { name: 'connect', kind: 'client', attributes: { 'server.address': host, 'server.port': port } },
    connect,
  )
