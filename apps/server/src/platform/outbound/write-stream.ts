import type { Readable, Writable } from 'node:stream'

/**
 * Writes a stream to a connection as fast as the other side reads. Calls `onProgress` before each chunk. If
 * the connection is closed, ends early without an error, even if the stream provides nothing more.
 */
export async function writeStream(from: Readable, to: Writable, onProgress: () => void): Promise<void> {
  let resume = () => {}
  const onDrain = () => resume()
  const onClose = () => {
    from.destroy()
    resume()
  }
  to.on('drain', onDrain)
  to.once('close', onClose)
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      onProgress()
      if (to.destroyed) return
      const drained = new Promise<void>((resolve) => {
        resume = resolve
      })
      if (!to.write(chunk)) await drained
    }
    onProgress()
  } catch (error) {
    if (!to.destroyed) throw error
  } finally {
    to.off('drain', onDrain)
    to.off('close', onClose)
  }
}
