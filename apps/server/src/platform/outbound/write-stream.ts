import type { Readable, Writable } from 'node:stream'

/**
 * Writes a stream to a connection as fast as the other side reads. Calls `onProgress` before each part. Ends early
 * without an error if the connection is closed.
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
