import { type SpanAttributes, trace } from '../tracing/tracing.ts'
import { portOf } from './web-address.ts'

/**
 * Returns the attributes of a span that name the called server. The path and query of its address are left out, because
 * they can contain keys.
 */
const serverOf = (url: URL): SpanAttributes => ({
  'server.address': url.hostname,
  'server.port': portOf(url),
})

/**
 * Runs a request to another server, and records it as a span that ends when the headers of the response arrive. `work`
 * gets the headers that continue the trace at the other server. For servers that are not the operator's own, these are
 * empty, because they would reveal which requests belong together.
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

/** Opens a connection that does not use HTTP, and records this as a span. */
export const traceConnect = <T>(
  { host, port }: { host: string; port: number },
  connect: () => Promise<T>,
): Promise<T> =>
  trace(
    { name: 'connect', kind: 'client', attributes: { 'server.address': host, 'server.port': port } },
    connect,
  )
