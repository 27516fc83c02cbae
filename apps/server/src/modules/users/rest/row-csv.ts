/** Returns a value in the format that PostgreSQL uses in a row. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^$|[",\n\r\s()\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Returns rows as CSV with a header line, or an empty text if there are no rows, like the hosted service.
 * `rows` is a JSON array of objects.
 */
export function writeCsv(rows: string): string {
  const parsed = JSON.parse(rows) as Record<string, unknown>[]
  const [first] = parsed
  if (!first) return ''
  const lines = parsed.map((row) => Object.values(row).map(cellOf).join(','))
  return [Object.keys(first).map(cellOf).join(','), ...lines].join('\n')
}
