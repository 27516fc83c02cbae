/** Parses CSV strictly by RFC 4180 into records, each a list of texts. Throws for another format. */
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

/** Restores the text of a cell as docs/operating.md describes: without the apostrophe that prevents computing. */
export const originalText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)
