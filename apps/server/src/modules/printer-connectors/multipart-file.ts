import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PrintFile } from './connector.ts'

/**
 * Builds a form with one file as a stream of known length. Our own file names contain only letters, digits, dots and
 * dashes, so they need no escaping.
 */
export function uploadForm(
  name: string,
  file: PrintFile,
  fields: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: PrintFile } {
  const boundary = `pegasus-${randomUUID()}`
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const before = Buffer.from(
    `${Object.entries(fields)
      .map(([field, value]) => `${part(`name="${field}"`)}\r\n${value}\r\n`)
      .join('')}${part(`name="file"; filename="${name}"`)}Content-Type: application/octet-stream\r\n\r\n`,
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield before
    yield* file.stream as AsyncIterable<Uint8Array>
    yield after
  }
  const stream = Readable.from(whole(), { objectMode: false })
  stream.once('close', () => file.stream.destroy())
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: { stream, sizeBytes: before.length + file.sizeBytes + after.length },
  }
}
