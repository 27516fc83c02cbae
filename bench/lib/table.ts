/** Formats a figure with three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 1000) return Math.round(value).toLocaleString('en-GB')
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const percent = (share: number): string =>
  Number.isFinite(share) ? `${Math.round(share * 100)} %` : '–'
export const times = (factor: number): string => (Number.isFinite(factor) ? `${factor.toFixed(2)} ×` : '–')

/** Returns the word that the table shows next to a measured value with a target. */
export const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'not reached')

/** Prints a Markdown table with aligned columns, for terminals and documents. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  console.log(`\n### ${title}\n`)
  console.log(line(head))
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of rows) console.log(line(row))
}

export function note(text: string): void {
  console.log(`\n${text}`)
}
