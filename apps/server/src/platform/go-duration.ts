const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g
const MAX_LENGTH = 100

/**
 * Reads a duration in Go's format, such as `24h` or `1h30m`, as the hosted service writes it. Returns
 * milliseconds, or null if the text is not a duration.
 */
export function readDurationMs(text: string): number | null {
  if (!DURATION.test(text) || text.length > MAX_LENGTH) return null
  const parts = [...text.matchAll(PART)].map(([, digits, unit = '']) => Number(digits) * (UNIT_MS[unit] ?? 0))
  return parts.reduce((sum, part) => sum + part, 0)
}
