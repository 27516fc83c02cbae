import type { Readable, Writable } from 'node:stream'

/**
 * Writes a stream to a connection as fast as the other side reads. Calls `onProgress` before each chunk. If
 * the connection is closed, ends early without an error.
 */
export async function writeStream(from: Readable, to: Writable, onProgress: () => void): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    onProgress()
    if (to.destroyed) return
    if (!to.write(chunk))
      await new Promise<void>((resolve) => {
        to.once('drain', resolve)
        to.once('close', resolve)
      })
  }
  onProgress()
}
