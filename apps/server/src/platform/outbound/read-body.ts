import type { IncomingMessage } from 'node:http'
import { DownloadError } from './download-error.ts'

/**
 * Yields the bytes of a response. Throws DownloadError if it is longer, slower or shorter than allowed. The time limits
 * do not count the time during which the consumer does not read.
 */
export async function* readBody(
  answer: IncomingMessage,
  limits: { maxBytes: number; windowMs: number; windowBytes: number; totalMs: number },
): AsyncGenerator<Uint8Array> {
  let received = 0
  let inWindow = 0
  let isOurTurn = false
  const stop = () => void answer.destroy(new DownloadError('too-slow'))
  const watch = setInterval(() => {
    if (inWindow < limits.windowBytes && !isOurTurn) stop()
    inWindow = 0
  }, limits.windowMs)
  const end = setTimeout(stop, limits.totalMs)
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      received += chunk.length
      inWindow += chunk.length
      if (received > limits.maxBytes) throw new DownloadError('too-large')
      isOurTurn = true
      yield chunk
      isOurTurn = false
    }
  } catch (error) {
    throw error instanceof DownloadError ? error : new DownloadError('broke-off', { cause: error })
  } finally {
    clearInterval(watch)
    clearTimeout(end)
    answer.destroy()
  }
}

/**
 * Reads a `fetch` response as text. Throws the error that `tooLong` creates if the response has more than
 * `maxBytes`.
 */
export async function readText(response: Response, maxBytes: number, tooLong: () => Error): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLong()
    chunks.push(chunk)
  }
  // `TextDecoder` removes a byte order mark, which some servers put at the start.
  return new TextDecoder().decode(Buffer.concat(chunks))
}
