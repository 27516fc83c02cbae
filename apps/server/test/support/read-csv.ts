/** A table by RFC 4180 alone, as any program reads it: its records, each a list of texts. Throws for what is none. */
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

/** What was written, of what docs/operating.md says is read: without the apostrophe that keeps it from being computed. */
export const originalText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell)
