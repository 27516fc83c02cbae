import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { AppError } from '../../../platform/errors/app-error.ts'

const SEPARATORS = [',', ';', '\t']
/** Maximum number of lines, including blank lines and line breaks in cells, because every line takes time. */
const MAX_LINES = 100_000
const MAX_ROW_CHARACTERS = 200_000
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Throws TABLE_REJECTED with a message about the whole file. */
export const refuseFile = (message: string): never => {
  throw new AppError('TABLE_REJECTED', { text: message, errors: [{ path: 'file', message }] })
}

/** Detects the separator. It is the candidate that occurs most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const beginning = text.slice(0, 64 * 1024)
  const [head = ''] = beginning.replace(/"[^"]*"/g, '').split(/\r\n|\n|\r/, 1)
  const counts = SEPARATORS.map((separator) => head.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Messages for the parser's errors. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_ROW_CHARACTERS} characters. Is a quotation mark missing?`,
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quotation mark.',
  INVALID_OPENING_QUOTE: 'a cell without quotation marks around it contains a quotation mark.',
}

function explain(error: unknown): never {
  if (!(error instanceof CsvError)) throw error
  const words = FAULTS[error.code] ?? 'this is not a row of a CSV file.'
  return refuseFile(`Row ${Number(error['records'] ?? 0) + 1}: ${words}`)
}

function countLines(bytes: Uint8Array): number {
  let lines = 1
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) lines += 1
  return lines
}

/**
 * Parses CSV (RFC 4180, with any line endings, and with commas, semicolons or tabs) into records. Each record
 * is a list of strings. Throws TABLE_REJECTED for another format, too many lines, or a row that is too long.
 */
export function readCsv(bytes: Uint8Array): string[][] {
  if (countLines(bytes) > MAX_LINES)
    return refuseFile(
      `The file has more than ${MAX_LINES} lines. Please remove blank lines, or split the file.`,
    )
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuseFile('The file is not UTF-8. Please save it as “CSV UTF-8” and choose it again.')
  }
  if (text.includes('\0'))
    return refuseFile('The file is not a CSV file: it contains characters that are not text.')
  try {
    return parse(text, {
      delimiter: separatorOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      // A row may be shorter than the header. A longer row is refused later, when the columns are known.
      relax_column_count: true,
      max_record_size: MAX_ROW_CHARACTERS,
    })
  } catch (error) {
    return explain(error)
  }
}
