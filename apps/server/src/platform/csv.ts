/** Value of a cell. Null is an empty cell; an empty text is a quoted empty cell. */
export type CsvCell = string | number | boolean | null

/** Without a byte order mark, spreadsheets assume the machine's own character set. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Characters that make a spreadsheet read a text as a formula, or that it skips before one: blanks, quotes, control
 * and invisible characters. The apostrophe is included so that an added one can be distinguished from an original
 * one.
 */
const RISKY_BEGINNING = /^['"=+\-@\u2212\p{Cc}\p{Cf}\p{Z}]/u

/** Spreadsheets read full-width, small and raised forms like plain characters, and so does this check. */
const isRisky = (text: string): boolean => RISKY_BEGINNING.test(text.slice(0, 2).normalize('NFKC'))

/**
 * A text that no spreadsheet evaluates: a text that looks like a formula gets a leading apostrophe. To read it back,
 * remove one leading apostrophe; nothing else was changed.
 */
export const escapeFormula = (text: string): string => (isRisky(text) ? `'${text}` : text)

/** The text that a cell was written from. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)

/** Texts are always quoted; otherwise a semicolon would start a new cell where lists are separated by semicolons. */
function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return `"${escapeFormula(cell.toWellFormed()).replaceAll('"', '""')}"`
}

/** One record (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(writeCell).join(',')}\r\n`

/** The start of a table: byte order mark and column names. */
export const csvHeader = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLine(columns)
