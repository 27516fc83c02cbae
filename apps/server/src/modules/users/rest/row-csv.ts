/** Returns a value as PostgreSQL writes it in the text of a row. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^$|[",\n\r\s()\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Converts rows to CSV with a header line. `rows` is the text of a JSON array of objects. Without rows, the result is
 * empty, as in the hosted service.
 */
export function writeCsv(rows: string): string {
  const parsed = JSON.parse(rows) as Record<string, unknown>[]
  const [first] = parsed
  if (!first) return ''
  const lines = parsed.map((row) => Object.values(row).map(cellOf).join(','))
  return [Object.keys(first).map(cellOf).join(','), ...lines].join('\n')
}
