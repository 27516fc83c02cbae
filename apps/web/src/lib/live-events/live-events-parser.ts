/**
 * Reads server-sent events out of text that may be cut anywhere, also between CR and LF. Calls back with the data of
 * each complete event; comments, other fields and an event that the stream's end cut off are dropped.
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
    // The LF of a CRLF whose CR was the last character of the text before.
    rest += endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedWithCr = text.endsWith('\r')
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }
}
