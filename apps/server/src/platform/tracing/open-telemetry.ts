import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { SECOND_MS } from '../clock.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { SpanQueue } from './span-queue.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { OpenSpan, SpanStart, Tracing } from './tracing.ts'

const MAX_ATTRIBUTE_LENGTH = 4000
const EXPORT_MS = 10 * SECOND_MS

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/**
 * A span, and whether it is still open. A timer or connection that was created in a request belongs to the request's
 * scope even after the request has ended.
 */
interface Scope {
  span: Span
  isOpen: boolean
}

/** Import this module only if traces are configured, because it loads the SDK. */
export function createTracing(
  settings: TraceSettings,
  { version, log }: { version: string; log: ServiceLog },
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_MS,
  })
  const queue = new SpanQueue(exporter, log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...settings.resource,
      'service.name': settings.serviceName,
    }),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [queue],
  })
  const tracer = provider.getTracer(PRODUCT_NAME, version)
  const scopes = new AsyncLocalStorage<Scope>()

  const openScope = (): Scope | null => {
    const scope = scopes.getStore()
    return scope?.isOpen ? scope : null
  }

  return {
    async run(start, work) {
      const parent = start.parent === 'none' ? null : openScope()
      if (start.parent === 'needed' && !parent?.span.isRecording()) return work(null)
      const span = tracer.startSpan(
        start.name,
        { kind: KINDS[start.kind ?? 'internal'], ...attributesOf(start) },
        parent ? trace.setSpan(ROOT_CONTEXT, parent.span) : ROOT_CONTEXT,
      )
      const scope = { span, isOpen: true }
      try {
        return await scopes.run(scope, () => work(toOpenSpan(span)))
      } catch (error) {
        fail(span, typeOf(error))
        throw error
      } finally {
        scope.isOpen = false
        span.end()
      }
    },

    openRequest(caller, { name, attributes }) {
      const remote = settings.caller === 'ignored' ? null : remoteOf(caller)
      const isParent = remote !== null && settings.caller === 'parent'
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind.SERVER,
          attributes,
          ...(remote !== null && !isParent && { links: [{ context: remote }] }),
        },
        isParent ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT,
      )
      const scope = { span, isOpen: true }
      return {
        enter: (work) => scopes.run(scope, work),
        end(endAttributes, errorType) {
          scope.isOpen = false
          span.setAttributes(endAttributes)
          if (errorType !== null) fail(span, errorType)
          span.end()
        },
      }
    },

    logFields() {
      const scope = openScope()
      if (scope === null) return {}
      const { traceId, spanId } = scope.span.spanContext()
      return { trace_id: traceId, span_id: spanId }
    },

    counts: () => queue.counts,
    stop: () => provider.shutdown(),
  }
}

const attributesOf = ({ attributes }: SpanStart) => attributes && { attributes }

const toOpenSpan = (span: Span): OpenSpan => ({
  set: (attributes) => void span.setAttributes(attributes),
  get traceparent() {
    const { traceId, spanId, traceFlags } = span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  },
})

/** Marks a span as failed. It gets only the type of the error, because the message may contain values. */
function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Returns the span of the caller, or null if the headers name none. */
function remoteOf(caller: { traceparent: string | undefined; tracestate: string | undefined }) {
  const parsed = caller.traceparent === undefined ? null : parseTraceParent(caller.traceparent)
  if (parsed === null || !isSpanContextValid(parsed)) return null
  const remote: SpanContext = { ...parsed, isRemote: true }
  if (caller.tracestate !== undefined) remote.traceState = createTraceState(caller.tracestate)
  return remote
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const kind = sampler.replace('parentbased_', '')
  const root =
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
