/**
 * Parses CSV strictly by RFC 4180. Returns records, which are lists of strings. Throws an error if the text
 * is not valid CSV.
 */
export function readCsv(text: string): string[][] {
  const records: string[][] = []
  let rest = text
  while (rest !== '') {
    const record: string[] = []
    for (let end = ','; end === ','; ) {
      const [whole, quoted, plain = '', separator = ''] =
        /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? []
      if (whole === undefined) throw new Error(`no cell begins with ${JSON.stringify(rest.slice(0, 40))}`)
      record.push(quoted?.replaceAll('""', '"') ?? plain)
      rest = rest.slice(whole.length)
      end = separator
    }
    records.push(record)
  }
  return records
}

/**
 * Returns the original text of a cell: removes the apostrophe that keeps spreadsheets from evaluating the text, as
 * docs/operating.md describes.
 */
export const originalText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)
