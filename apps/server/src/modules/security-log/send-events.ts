import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { type Socket, connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SECOND_MS } from '../../platform/clock.ts'
import { traceCall } from '../../platform/outbound/trace-call.ts'
import { type SecurityEvent, jsonLine, syslogMessage } from './security-event.ts'
import type { SecurityLogTarget } from './security-log-target.ts'

/** The time limit for sending one batch. */
const DEADLINE_MS = 10 * SECOND_MS
/** How long the server waits after the last message for the receiver to close the connection. */
const CLOSE_MS = SECOND_MS
/** The HTTP statuses by which a receiver refuses the content of a request. Other statuses concern the sender. */
const REFUSES_CONTENT: readonly number[] = [400, 413, 422]

type SocketTarget = Extract<SecurityLogTarget, { port: number }>

/** Thrown if the receiver has refused these events. It may accept other events. */
export class EventsRefusedError extends Error {
  override name = 'EventsRefusedError'
}

/**
 * Sends events to the target. Throws unless the target accepts all of them within ten seconds. Syslog has no
 * acknowledgment, so an event counts as accepted when the operating system has sent it.
 */
export async function sendEvents(
  target: SecurityLogTarget,
  events: readonly SecurityEvent[],
  stopping: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(DEADLINE_MS)])
  // The calls below would not notice a signal that is already aborted.
  signal.throwIfAborted()
  if (target.kind === 'http') return post(target, events, signal)
  const messages = events.map(syslogMessage)
  return target.kind === 'udp' ? sendPackets(target, messages, signal) : writeAll(target, messages, signal)
}

async function post(
  { url, token }: Extract<SecurityLogTarget, { kind: 'http' }>,
  events: readonly SecurityEvent[],
  signal: AbortSignal,
): Promise<void> {
  const response = await traceCall({ method: 'POST', url: new URL(url) }, () =>
    fetch(url, {
      method: 'POST',
      // Do not follow redirects, because the token must not go to another host.
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/x-ndjson',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: events.map((event) => `${jsonLine(event)}\n`).join(''),
    }),
  )
  await response.body?.cancel()
  if (response.ok) return
  const sentence = `the system for security events responded with ${response.status}`
  throw REFUSES_CONTENT.includes(response.status) ? new EventsRefusedError(sentence) : new Error(sentence)
}

/** Writes all messages to one connection. The length of each message in bytes precedes it (RFC 6587, RFC 5425). */
function writeAll(target: SocketTarget, messages: readonly string[], signal: AbortSignal): Promise<void> {
  const { kind, host, port } = target
  const bytes = messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join('')
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket: Socket = kind === 'tls' ? connectTls({ host, port, ...name }) : connect({ host, port })
    let isFlushed = false
    let closing: NodeJS.Timeout | undefined
    const stop = () => {
      if (isFlushed) socket.destroy()
      else socket.destroy(new Error('the system for security events did not accept the events in time'))
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', reject)
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      clearTimeout(closing)
      if (isFlushed) resolve()
      else reject(new Error('the system for security events closed the connection'))
    })
    socket.resume()
    socket.once(kind === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.end(bytes, () => {
        isFlushed = true
        // Some receivers keep the connection open after the last message.
        closing = setTimeout(() => socket.destroy(), CLOSE_MS)
      })
    })
  })
}

/** Sends the messages as packets. Uses the first address of the host to which this is possible. */
async function sendPackets(
  { host, port }: SocketTarget,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown
  for (const { address, family } of await unlessAborted(lookup(host, { all: true }), signal))
    try {
      return await sendPacketsTo({ address, family, port }, messages, signal)
    } catch (error) {
      failure = error
    }
  throw failure
}

async function sendPacketsTo(
  { address, family, port }: { address: string; family: number; port: number },
  messages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // A socket that cannot be opened emits an error. Without this listener, the error would end the process.
  socket.on('error', reject)
  const sendAll = async (): Promise<void> => {
    for (const message of messages)
      await new Promise<void>((resolve, refuse) => {
        socket.send(message, port, address, (error) => (error ? refuse(error) : resolve()))
      })
  }
  try {
    await unlessAborted(Promise.race([failed, sendAll()]), signal)
  } finally {
    socket.close()
  }
}

/** Waits for `work`. Throws as soon as the signal is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  return promise
}
