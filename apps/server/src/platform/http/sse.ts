import { PassThrough, type Readable } from 'node:stream'

/** What a reader may leave unread before it is let go. Events are small: this is thousands of them. */
const MAX_UNREAD_BYTES = 256 * 1024

/** One open answer of server-sent events. */
export interface SseStream {
  /** To be sent as the answer's body. */
  body: Readable
  /** Writes one event; text of one line. A reader that has left too much unread is cut off instead. */
  send(data: string): void
  /** Keeps proxies from taking a quiet stream for a dead one. */
  beat(): void
  /** Ends the answer in good order. */
  end(): void
  /** Calls back once, however the stream ends. */
  onClose(listener: () => void): void
}

export function openSseStream(options: { maxUnreadBytes?: number } = {}): SseStream {
  const { maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const body = new PassThrough()
  const write = (text: string): void => {
    if (body.destroyed || body.writableEnded) return
    body.write(text)
    // The pipe stops reading when the socket does not take any more, so what is unread gathers here.
    if (body.readableLength + body.writableLength > maxUnreadBytes) body.destroy()
  }
  // Something has to be said at once, or the headers would wait for the first event.
  write(': connected\n\n')
  return {
    body,
    send: (data) => write(`data: ${data}\n\n`),
    beat: () => write(':\n\n'),
    end: () => void body.end(),
    onClose: (listener) => void body.once('close', listener),
  }
}
