import { Readable } from 'node:stream'
import { S3Error, toS3Error } from './s3-errors.ts'

const DOING = 'Reading an object'
const HIGH_WATER_MARK = 256 * 1024

/**
 * Returns the body of a response as a stream. The stream fails if the body ends before `sizeBytes`, or sends nothing
 * for `stallMs` while the reader waits. The connection is freed when the stream is read to its end or destroyed.
 */
export function watchBody(body: Readable, sizeBytes: number, stallMs: number): Readable {
  // The body may still fail when its reader has gone. Without a listener, this error would end the process.
  body.on('error', () => undefined)
  const stream = Readable.from(readInTime(body, sizeBytes, stallMs), {
    objectMode: false,
    highWaterMark: HIGH_WATER_MARK,
  })
  // If nobody has read from the generator, it does not notice the end of the stream. So free the connection here.
  return stream.once('close', () => body.destroy())
}

async function* readInTime(body: Readable, sizeBytes: number, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let received = 0
  for (;;) {
    const next = await nextInTime(body, chunks, stallMs)
    if (next.done) break
    received += next.value.byteLength
    yield next.value
  }
  if (received !== sizeBytes) throw new S3Error(DOING, 'TruncatedAnswer')
}

async function nextInTime(body: Readable, chunks: AsyncIterator<Buffer>, stallMs: number) {
  const timer = setTimeout(() => body.destroy(new S3Error(DOING, 'TimeoutError')), stallMs)
  try {
    return await chunks.next()
  } catch (error) {
    throw toS3Error(DOING, error)
  } finally {
    clearTimeout(timer)
  }
}
