/** What stands in one cell. A null is an empty cell, and tells itself from an empty text, which is quoted. */
export type CsvCell = string | number | boolean | null

/** Without it spreadsheets take the text for the character set of their machine. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Beginnings that make a spreadsheet take a text for a formula, or that it passes over to find such a beginning
 * behind them: blanks, quotes, control characters, marks that are not seen. The apostrophe is among them so that the
 * one that is put before can be told from one that was there.
 */
const RISKY_BEGINNING = /^['"=+\-@\u2212\p{Cc}\p{Cf}\p{Z}]/u

/** Full-width, small and raised forms are taken for the plain ones, by spreadsheets and here. */
const isRisky = (text: string): boolean => RISKY_BEGINNING.test(text.slice(0, 2).normalize('NFKC'))

/**
 * A text that no spreadsheet computes: one that might be taken for a formula gets an apostrophe before it. To read it
 * back take one apostrophe away from every text that begins with one; nothing else was changed.
 */
export const escapeFormula = (text: string): string => (isRisky(text) ? `'${text}` : text)

/** The text that a cell was written from. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)

/** Texts are always quoted, or a semicolon in one would begin a new cell where lists are separated by those. */
function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return `"${escapeFormula(cell.toWellFormed()).replaceAll('"', '""')}"`
}

/** One record (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(writeCell).join(',')}\r\n`

/** How a table begins: its character set and the names of its columns. */
export const csvHeader = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLine(columns)
