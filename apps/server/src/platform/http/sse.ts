import { PassThrough, type Readable } from 'node:stream'

/**
 * How many bytes a reader may leave unread before it is disconnected. Events are small: this is thousands of them.
 */
const MAX_UNREAD_BYTES = 256 * 1024

/** One open stream of server-sent events. */
export interface SseStream {
  /** To be sent as the response's body. */
  body: Readable
  /** Writes one event of single-line text. A reader with too much unread is disconnected instead. */
  send(data: string): void
  /** Keeps proxies from closing a quiet stream. */
  beat(): void
  /** Ends the response cleanly. */
  end(): void
  /** Runs the callback once, however the stream ends. */
  onClose(listener: () => void): void
}

export function openSseStream(options: { maxUnreadBytes?: number } = {}): SseStream {
  const { maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const body = new PassThrough()
  const write = (text: string): void => {
    if (body.destroyed || body.writableEnded) return
    body.write(text)
    // The pipe stops reading when the socket is full, so unread events gather here.
    if (body.readableLength + body.writableLength > maxUnreadBytes) body.destroy()
  }
  // Something must be sent at once, or the headers would wait for the first event.
  write(': connected\n\n')
  return {
    body,
    send: (data) => write(`data: ${data}\n\n`),
    beat: () => write(':\n\n'),
    end: () => void body.end(),
    onClose: (listener) => void body.once('close', listener),
  }
}
