import { type Logger, type LoggerOptions, pino } from 'pino'
import { openLogOutput } from './log-output.ts'

const SECRET = new Set(['password', 'token', 'authorization', 'secret'])
const CENSORED = '[redacted]'

/** Returns the fields of a log line with secrets replaced. It checks the top level and one level of nested fields. */
function censor(fields: Record<string, unknown>, depth = 2): Record<string, unknown> {
  let censored = fields
  for (const [name, value] of Object.entries(fields)) {
    let shown = value
    if (SECRET.has(name)) shown = CENSORED
    else if (depth > 1 && typeof value === 'object' && value !== null && !(value instanceof Error))
      shown = censor(value as Record<string, unknown>, depth - 1)
    if (shown === value) continue
    if (censored === fields) censored = { ...fields }
    censored[name] = shown
  }
  return censored
}

/** Options for writing structured lines to standard output. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }), log: (fields) => censor(fields) },
})

/**
 * Opens a log on standard output. It writes lines in batches, because writing each line costs as much as a small
 * request.
 */
export const openLog = (level: string, fieldsOfEachLine: (() => object) | null = null): Logger =>
  pino(
    { ...logOptions(level), ...(fieldsOfEachLine !== null && { mixin: fieldsOfEachLine }) },
    openLogOutput(1),
  )
