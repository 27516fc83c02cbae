export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** How a span begins. Its name and attributes never contain values that people or programs have sent. */
export interface SpanStart {
  name: string
  /** The default is `internal`. */
  kind?: 'internal' | 'client' | 'consumer'
  attributes?: SpanAttributes
  /**
   * The behavior if no other span is open: `optional` (the default) begins a trace, and `needed` records no span. With
   * `none`, the span always begins a trace.
   */
  parent?: 'optional' | 'needed' | 'none'
}

/** An open span. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void
  /** The value of the header that makes another program continue this trace. */
  readonly traceparent: string
}

/** The span of a request that this server has received. */
export interface RequestSpan {
  /** Runs the work so that its spans and log lines belong to the request. */
  enter(work: () => void): void
  /** Ends the span. Without an error, pass null. */
  end(attributes: SpanAttributes, errorType: string | null): void
}

/** The numbers of spans since the start. */
export interface SpanCounts {
  sent: number
  /** Spans that did not fit into the queue, or that the collector did not accept. */
  dropped: number
}

/** Records what the server does. It exists only if traces are configured. */
export interface Tracing {
  /** Runs the work inside a span. If the work throws, marks the span as failed and rethrows the error. */
  run<T>(start: SpanStart, work: (span: OpenSpan | null) => Promise<T>): Promise<T>
  openRequest(
    caller: { traceparent: string | undefined; tracestate: string | undefined },
    start: { name: string; attributes: SpanAttributes },
  ): RequestSpan
  /** Returns the fields that connect a log line with the open span. */
  logFields(): { trace_id?: string; span_id?: string }
  counts(): SpanCounts
  /** Sends the remaining spans, for at most two seconds. */
  stop(): Promise<void>
}

let current: Tracing | null = null

/** Returns the tracing of this process, or null if it is off. */
export const currentTracing = (): Tracing | null => current

export const setTracing = (tracing: Tracing | null): void => {
  current = tracing
}

/** Runs the work inside a span. Without tracing, only runs the work. */
export const trace = <T>(start: SpanStart, work: (span: OpenSpan | null) => Promise<T>): Promise<T> =>
  current === null ? work(null) : current.run(start, work)
