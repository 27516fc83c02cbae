import { PassThrough, type Readable } from 'node:stream'

/** How many bytes a reader may leave unread before it is disconnected. This is enough for thousands of events. */
const MAX_UNREAD_BYTES = 256 * 1024

/** One open stream of server-sent events. */
export interface SseStream {
  /** The body of the response. */
  body: Readable
  /** Writes an event of single-line text. If too much is unread, disconnects the reader instead. */
  send(data: string): void
  /** Sends a comment, so that proxies do not close a quiet stream. */
  beat(): void
  /** Ends the response cleanly. */
  end(): void
  /** Runs the callback once when the stream ends, for whatever reason. */
  onClose(listener: () => void): void
}

export function openSseStream(options: { maxUnreadBytes?: number } = {}): SseStream {
  const { maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const body = new PassThrough()
  const write = (text: string): void => {
    if (body.destroyed || body.writableEnded) return
    body.write(text)
    // The pipe stops reading when the socket is full, so unread events accumulate here.
    if (body.readableLength + body.writableLength > maxUnreadBytes) body.destroy()
  }
  // Send something at once. Otherwise the headers would wait for the first event.
  write(': connected\n\n')
  return {
    body,
    send: (data) => write(`data: ${data}\n\n`),
    beat: () => write(':\n\n'),
    end: () => void body.end(),
    onClose: (listener) => void body.once('close', listener),
  }
}
