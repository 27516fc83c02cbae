/**
 * Returns a parser of server-sent events. The parser accepts text that is split anywhere, even between CR and
 * LF, and calls `onData` with the data of each complete event. It drops comments, other fields and an
 * incomplete last event.
 */
export function createEventParser(onData: (data: string) => void): (text: string) => void {
  let rest = ''
  let data: string[] = []
  let endedWithCr = false

  const takeLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
      return
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? []
    if (field === 'data') data.push(value)
  }

  return (text) => {
    // Skip the LF of a CRLF if the previous text ended with its CR.
    rest += endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedWithCr = text.endsWith('\r')
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }
}
