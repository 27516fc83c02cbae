import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { aModel } from '../process/write-load.ts'
import { aRemote } from '../servers/remote-server.ts'
import { aCollector, aDeadAddress, type CollectedSpan } from '../servers/trace-collector.ts'
import { OWNER_PASSWORD, type TestApp } from '../support/build-test-app.ts'
import { aReceiver } from '../support/channels.ts'
import { upload } from '../support/library/model-upload.ts'
import { silentLog } from '../support/silent-log.ts'
import { createSiteCalls } from '../../src/modules/products/main-site/site-calls.ts'
import { startTracing } from '../../src/platform/tracing/start-tracing.ts'
import { addTraceMetrics } from '../../src/platform/tracing/trace-requests.ts'
import { readTraceSettings } from '../../src/platform/tracing/trace-settings.ts'
import { currentTracing, setTracing } from '../../src/platform/tracing/tracing.ts'

const REMOTE_TRACE = '0af7651916cd43dd8448eb211c80319c'
const REMOTE_SPAN = 'b7ad6b7169203331'
/** The time after which the server gives up sending a batch of spans, in ms. */
const EXPORT_MS = 10_000
const TRACEPARENT = `00-${REMOTE_TRACE}-${REMOTE_SPAN}-01`

/** Starts sending traces to an address. Returns a function that sends the remaining spans and stops. */
const tracesTo = (url: string, variables: Record<string, string> = {}) =>
  startTracing(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...variables }), {
    version: '1.2.3',
    log: silentLog,
  })

afterEach(() => setTracing(null))

/** Makes the app listen on a port. Injected requests have no connection and end in a different way than real ones. */
const listen = (app: TestApp): Promise<string> => app.http.listen({ port: 0, host: '127.0.0.1' })

const childrenOf = (spans: readonly CollectedSpan[], { spanId }: CollectedSpan): CollectedSpan[] =>
  spans.filter((span) => span.parentSpanId === spanId)

describe('traces of requests', () => {
  it('the spans of a request, its statements and its outbound call form one tree', async () => {
    const collector = await aCollector()
    const stop = await tracesTo(collector.url, { OTEL_SERVICE_NAME: 'workshop' })
    const { app, add, received } = await aReceiver()
    const channel = await add()
    const headers = await app.as('admin')
    const url = await listen(app)
    const response = await fetch(`${url}/api/channels/${channel.id}/test`, { method: 'POST', headers })
    expect(response.status).toBe(200)
    await stop()

    const spans = collector.spans()
    const request = spans.find(({ name }) => name === 'POST /api/channels/:id/test')!
    expect(request).toMatchObject({
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/channels/:id/test',
        'http.response.status_code': 200,
        'pegasus.request_id': response.headers.get('x-request-id'),
      },
      resource: { 'service.name': 'workshop', 'service.version': '1.2.3' },
      status: { code: 0 },
    })
    expect(request.parentSpanId).toBeUndefined()
    const tree = spans.filter(({ traceId }) => traceId === request.traceId)
    const children = childrenOf(tree, request)
    expect(children.find(({ name }) => name === 'SELECT')?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/^select .*\$1/),
      'db.response.returned_rows': expect.any(Number),
    })
    const transaction = tree.find(({ name }) => name === 'transaction')!
    expect(childrenOf(tree, transaction).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'COMMIT']),
    )
    const call = tree.find(({ name, kind }) => name === 'POST' && kind === 3)!
    expect(call.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    })
    const ids = new Set(tree.map(({ spanId }) => spanId))
    expect(tree.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual([request])
    expect(tree.every(({ parentSpanId }) => parentSpanId === undefined || ids.has(parentSpanId))).toBe(true)
    // A foreign server must not learn which of our requests belong together.
    expect(received[0]?.headers).not.toHaveProperty('traceparent')
  })

  it('a trace contains no password, token, signature, query, object key or personal data', async () => {
    const collector = await aCollector()
    const stop = await tracesTo(collector.url)
    const { app, add, url: receiver } = await aReceiver()
    const url = await listen(app)
    const json = { 'content-type': 'application/json' }
    const login = await fetch(`${url}/api/auth/login?from=secret-query`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username: app.config.owner.username, password: OWNER_PASSWORD }),
    })
    const { access_token: token } = (await login.json()) as { access_token: string }
    const headers = { ...json, authorization: `Bearer ${token}`, cookie: 'a=secret-cookie' }
    const added = await fetch(`${url}/api/inventory`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'secret-item', sku: 'SECRET-SKU', quantity: 1 }),
    })
    const { id, qr_code_path: signed } = (await added.json()) as InventoryItem
    expect((await fetch(`${url}${signed}`)).status).toBe(200)
    await fetch(`${url}/api/inventory?q=secret-search`, { headers })
    await fetch(`${url}/storage/v1/object/public/media/secret-key.png?token=secret-signature`)
    const failed = await fetch(`${url}/api/inventory`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'other', sku: 'SECRET-SKU', quantity: 1 }),
    })
    expect(failed.status).toBe(409)
    const channel = await add({ address: `${receiver}/hook/secret-path?key=secret-key` })
    await fetch(`${url}/api/channels/${channel.id}/test`, { method: 'POST', headers })
    await stop()

    const payload = collector.payload()
    for (const name of ['POST /api/auth/login', 'GET /api/inventory/:id/label', 'INSERT'])
      expect(collector.spans().map((span) => span.name)).toContain(name)
    const signature = new URL(signed ?? '', url).search.slice(1)
    expect(signature.length).toBeGreaterThan(20)
    for (const secret of [OWNER_PASSWORD, token, signature, id, app.config.owner.email, '/hook'])
      expect(payload).not.toContain(secret)
    expect(payload).not.toMatch(/secret-|bearer|authorization/i)
  })

  it("a trace has a link to the span of its caller, or continues the caller's trace if the operator chooses that", async () => {
    const collector = await aCollector()
    const names = ['GET /healthz', 'GET /readyz', 'GET /metrics']
    const { app } = await aReceiver()
    const apps = [app]
    for (const [index, propagators] of ['', 'tracecontext', 'none'].entries()) {
      const stop = await tracesTo(collector.url, propagators ? { OTEL_PROPAGATORS: propagators } : {})
      apps[index] = await app.replica()
      const url = await listen(apps[index])
      const path = names[index]!.split(' ')[1]
      await fetch(`${url}${path}`, { headers: { traceparent: TRACEPARENT, tracestate: 'a=1' } })
      await fetch(`${url}${path}`, { headers: { traceparent: `00-${'0'.repeat(32)}-${REMOTE_SPAN}-01` } })
      await stop()
    }
    const [linked, child, free] = names.map((name) => collector.spans().filter((span) => span.name === name))
    const remote = { traceId: REMOTE_TRACE, spanId: REMOTE_SPAN }
    expect(linked!.map(({ links = [] }) => links)).toEqual([[expect.objectContaining(remote)], []])
    expect(linked!.every(({ traceId }) => traceId !== REMOTE_TRACE)).toBe(true)
    expect(child!.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([
      [REMOTE_TRACE, REMOTE_SPAN],
      [expect.not.stringMatching(REMOTE_TRACE), undefined],
    ])
    expect(free!.map(({ links = [], parentSpanId }) => [links, parentSpanId])).toEqual([
      [[], undefined],
      [[], undefined],
    ])
  })

  it('no spans are sent if the sampler has the ratio 0', async () => {
    const collector = await aCollector()
    const stop = await tracesTo(collector.url, {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const { app, admin } = await aReceiver()
    const url = await listen(app)
    expect((await fetch(`${url}/readyz`, { headers: { traceparent: TRACEPARENT } })).status).toBe(200)
    expect((await admin('GET /api/inventory')).status).toBe(200)
    await stop()
    expect(collector.payload()).toBe('')
  })
})

describe('traces of background work', () => {
  it('an analysis has a trace of its own, with its statements, storage calls and worker jobs', async () => {
    const collector = await aCollector()
    const stop = await tracesTo(collector.url)
    const { app } = await aReceiver()
    const uploaded = await upload(app, await app.as('staff'), { name: 'gear.stl', bytes: aModel(12) })
    expect(uploaded.statusCode).toBe(201)
    const task = await collector.untilSpan('task stl-library.analyse')
    await stop()
    const tree = collector.spans().filter(({ traceId }) => traceId === task.traceId)
    expect(task).toMatchObject({ kind: 5, attributes: { 'pegasus.task.attempt': 1 } })
    expect(task.parentSpanId).toBeUndefined()
    const names = new Set(tree.map(({ name }) => name))
    for (const name of ['SELECT', 'transaction', 'storage put', 'storage withLocalFile', 'worker analysis'])
      expect(names).toContain(name)
  })
})

describe('a trace of outbound calls', () => {
  it('the server sends its trace to a program of the operator, but not to a foreign server', async () => {
    const collector = await aCollector()
    const stop = await tracesTo(collector.url)
    const remote = await aRemote((_request, response) => response.end('{}'))
    const calls = (isOwn: boolean) =>
      createSiteCalls({ url: `${remote.url}/shop-path`, headers: {}, secrets: [], isOwn })
    await calls(true).call({ method: 'GET', path: '/own?secret=1' })
    await calls(false).call({ method: 'GET', path: '/foreign' })
    await stop()
    const [own, foreign] = collector.spans()
    expect(remote.hits.map(({ headers }) => headers['traceparent'])).toEqual([
      `00-${own?.traceId}-${own?.spanId}-01`,
      undefined,
    ])
    expect(foreign?.traceId).not.toBe(own?.traceId)
    expect(collector.payload()).not.toMatch(/shop-path|secret/)
  })
})

describe('a collector that does not work', () => {
  it('a collector that is dead or silent delays neither a request nor the shutdown', async () => {
    const silent = await aCollector({ isSilent: true })
    const { app } = await aReceiver()
    for (const address of [await aDeadAddress(), silent.url]) {
      const stop = await tracesTo(address)
      const url = await listen(await app.replica())
      const startedAt = performance.now()
      for (let round = 0; round < 50; round += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(EXPORT_MS)
      const tracing = currentTracing()
      const stoppedAt = performance.now()
      await stop()
      expect(performance.now() - stoppedAt).toBeLessThan(EXPORT_MS)
      expect(tracing?.counts().sent).toBe(0)
    }
  })

  it('the metrics count spans that do not fit into the queue, and spans that the collector refuses', async () => {
    const remote = await aRemote((_request, response) => void response.writeHead(400).end())
    const stop = await tracesTo(remote.url)
    const registry = new Registry()
    addTraceMetrics(registry)
    const tracing = currentTracing()!
    // All 2600 spans start at once: one batch of 512 spans is being sent, 2048 spans wait, and 40 do not fit into the
    // queue.
    await Promise.all(
      Array.from({ length: 2600 }, () => tracing.run({ name: 'work' }, async () => undefined)),
    )
    expect(tracing.counts()).toEqual({ sent: 0, dropped: 40 })
    expect(await registry.metrics()).toContain('pegasus_trace_spans_total{outcome="dropped"} 40\n')
    await stop()
    // On a busy machine, `stop` may return before the response to the last batch has arrived.
    await expect.poll(() => tracing.counts()).toEqual({ sent: 0, dropped: 2600 })
    expect(await registry.metrics()).toContain('pegasus_trace_spans_total{outcome="dropped"} 2600\n')
  })
})
