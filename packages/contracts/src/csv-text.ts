/** The value of a cell. Null is written as an empty cell, and an empty text as a quoted empty cell. */
export type CsvCell = string | number | boolean | null

/** Without a byte order mark, spreadsheets assume the machine's own character set. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Matches characters that make a spreadsheet read a text as a formula, or that a spreadsheet skips before a
 * formula: white space, quotes, control characters and invisible characters. The apostrophe is included, so
 * that an added apostrophe can be distinguished from an original one.
 */
const RISKY_BEGINNING = /^['"=+\-@\u2212\p{Cc}\p{Cf}\p{Z}]/u

/**
 * Returns whether a spreadsheet might read the text as a formula. Full-width, small and superscript characters are
 * treated like the usual ones, as spreadsheets do.
 */
const isRisky = (text: string): boolean => RISKY_BEGINNING.test(text.slice(0, 2).normalize('NFKC'))

/**
 * Returns a text that no spreadsheet evaluates: a text that looks like a formula gets a leading apostrophe. To read it
 * back, remove one leading apostrophe. The rest stays unchanged.
 */
export const escapeFormula = (text: string): string => (isRisky(text) ? `'${text}` : text)

/** Removes the leading apostrophe that `escapeFormula` has added. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)

/**
 * Writes a cell. Texts are always quoted, because a semicolon would otherwise start a new cell in countries
 * where semicolons separate lists.
 */
function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return `"${escapeFormula(cell.toWellFormed()).replaceAll('"', '""')}"`
}

/** Writes one record (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(writeCell).join(',')}\r\n`

/** Writes the start of a table: the byte order mark and the column names. */
export const csvHeader = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLine(columns)
