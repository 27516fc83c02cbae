import { PassThrough, type Readable } from 'node:stream'

/**
 * The maximum number of bytes that a client may leave unread. This is enough for thousands of events. Above it, the
 * client is disconnected.
 */
const MAX_UNREAD_BYTES = 256 * 1024

/** One open stream of server-sent events. */
export interface SseStream {
  /** The body of the response. */
  body: Readable
  /** Sends an event, whose text must be a single line. Disconnects a client that has left too much unread. */
  send(data: string): void
  /** Sends a comment, so that proxies do not close a stream without events. */
  beat(): void
  /** Ends the response cleanly. */
  end(): void
  /** Calls the listener once when the stream has ended, for whatever reason. */
  onClose(listener: () => void): void
}

export function openSseStream(options: { maxUnreadBytes?: number } = {}): SseStream {
  const { maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const body = new PassThrough()
  const write = (text: string): void => {
    if (body.destroyed || body.writableEnded) return
    body.write(text)
    // While the socket is full, the stream keeps the events that the client has not read.
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
