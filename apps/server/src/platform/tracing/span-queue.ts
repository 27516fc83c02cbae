import { TraceFlags } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { SECOND_MS } from '../clock.ts'
import { endsWithin } from '../ends-within.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { throttleLog } from '../log/throttled-log.ts'
import type { SpanCounts } from './tracing.ts'

const MAX_WAITING = 2048
const MAX_BATCH = 512
const PAUSE_MS = SECOND_MS
const STOP_MS = 2 * SECOND_MS

/**
 * Sends ended spans in batches, one batch at a time. The SDK has a similar class, but that does not count dropped
 * spans.
 */
export class SpanQueue implements SpanProcessor {
  readonly counts: SpanCounts = { sent: 0, dropped: 0 }
  readonly #exporter: SpanExporter
  readonly #warn: ReturnType<typeof throttleLog>
  #waiting: ReadableSpan[] = []
  #timer: NodeJS.Timeout | null = null
  #sending: Promise<void> | null = null
  #isStopped = false

  constructor(exporter: SpanExporter, log: ServiceLog) {
    this.#exporter = exporter
    this.#warn = throttleLog(log)
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
    if (this.#isStopped || this.#waiting.length >= MAX_WAITING) {
      this.counts.dropped += 1
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= MAX_BATCH) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), PAUSE_MS).unref()
  }

  async forceFlush(): Promise<void> {
    this.#begin()
    await this.#sending
  }

  /** Sends the waiting spans for up to two seconds, and drops the rest. */
  async shutdown(): Promise<void> {
    await endsWithin(this.forceFlush(), STOP_MS)
    this.#isStopped = true
    this.counts.dropped += this.#waiting.length
    this.#waiting = []
    // Do not wait here. The exporter itself waits for the batch that is being sent.
    void this.#exporter.shutdown().catch(() => undefined)
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      const { code, error } = await this.#send(batch)
      if (code === ExportResultCode.SUCCESS) this.counts.sent += batch.length
      else {
        this.counts.dropped += batch.length
        this.#warn('warn', 'the collector did not accept spans', { reason: error?.message })
      }
    }
  }

  #send(batch: ReadableSpan[]): Promise<ExportResult> {
    return new Promise((resolve) => this.#exporter.export(batch, resolve))
  }
}
