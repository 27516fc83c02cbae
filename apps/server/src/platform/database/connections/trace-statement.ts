import type { QueryResult } from 'pg'
import { FifoCache } from '../../fifo-cache.ts'
import { type SpanStart, trace } from '../../tracing/tracing.ts'
import type { Statement } from '../sql.ts'

type Result = QueryResult | QueryResult[]

const DATABASE = { kind: 'client', parent: 'needed', attributes: { 'db.system.name': 'postgresql' } } as const
const MAX_TEXT = 4000
/** The start of the span for each statement text, for statements that are repeated. Stays empty without tracing. */
const starts = new FifoCache<SpanStart>(1000)

/**
 * Runs a statement. Records it as a span only inside a request or a task. Otherwise, each poll of a queue would be a
 * trace.
 */
export const traceStatement = (statement: Statement, send: () => Promise<Result>): Promise<Result> =>
  trace(knownStartOf(statement), async (span) => {
    const result = await send()
    if (!Array.isArray(result)) span?.set({ 'db.response.returned_rows': result.rows.length })
    return result
  })

/** Waits for a free connection, and records the wait as a span. */
export const traceWait = <T>(connect: () => Promise<T>): Promise<T> =>
  trace({ name: 'wait for a connection', ...DATABASE }, connect)

/** Runs a transaction, and records it as a span. */
export const traceTransaction = <T>(run: () => Promise<T>): Promise<T> =>
  trace({ name: 'transaction', ...DATABASE }, run)

function knownStartOf(statement: Statement): SpanStart {
  const known = starts.get(statement.text)
  if (known) return known
  const start = startOf(statement)
  starts.set(statement.text, start)
  return start
}

/**
 * Returns the name and attributes of a statement's span. The text of a statement has placeholders instead of values. A
 * script has no placeholders, so its text can contain values, and its span contains only the first word.
 */
function startOf({ text, isScript }: Statement): SpanStart {
  const operation = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SCRIPT'
  return {
    ...DATABASE,
    name: operation,
    attributes: {
      ...DATABASE.attributes,
      'db.operation.name': operation,
      ...(!isScript && { 'db.query.text': text.slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim() }),
    },
  }
}
