import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { aRemote } from './remote-server.ts'

interface Value {
  stringValue?: string
  intValue?: number | string
  boolValue?: boolean
}
interface SentAttribute {
  key: string
  value: Value
}
interface SentSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: SentAttribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}
interface Payload {
  resourceSpans: {
    resource: { attributes: SentAttribute[] }
    scopeSpans: { spans: SentSpan[] }[]
  }[]
}

/** A span as a collector receives it. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  attributes: Record<string, string | number | boolean | undefined>
  resource: Record<string, string | number | boolean | undefined>
}

/** A collector of traces that speaks OTLP over HTTP with JSON. */
export interface Collector {
  url: string
  /** The text of all requests, with their headers. */
  payload(): string
  spans(): CollectedSpan[]
  /** Waits until a span with this name has arrived, and returns the first. */
  untilSpan(name: string): Promise<CollectedSpan>
}

const PATIENCE_MS = 30_000

const toRecord = (attributes: readonly SentAttribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue === undefined ? (value.boolValue ?? undefined) : Number(value.intValue)),
    ]),
  )

/** Starts a collector until the test ends. With `isSilent`, it accepts connections and never responds. */
export async function aCollector({ isSilent = false } = {}): Promise<Collector> {
  const bodies: string[] = []
  const headers: string[] = []
  const remote = await aRemote((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      headers.push(JSON.stringify(request.headers))
      if (!isSilent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const spans = (): CollectedSpan[] =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Payload).resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({
            ...span,
            attributes: toRecord(span.attributes),
            resource: toRecord(resource.attributes),
          })),
        ),
      ),
    )
  return {
    url: remote.url,
    payload: () => [...headers, ...bodies].join('\n'),
    spans,
    async untilSpan(name) {
      for (const deadline = performance.now() + PATIENCE_MS; ; await wait(20)) {
        const found = spans().find((span) => span.name === name)
        if (found) return found
        if (performance.now() > deadline)
          throw new Error(`No span ${name} in ${JSON.stringify(spans().map((span) => span.name))}`)
      }
    },
  }
}

/** Returns the address of a port on which nothing listens. */
export async function aDeadAddress(): Promise<string> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
