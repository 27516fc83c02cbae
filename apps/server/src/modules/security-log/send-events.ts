import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { type Socket, connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SECOND_MS } from '../../platform/clock.ts'
import { type SecurityEvent, jsonLine, syslogMessage } from './security-event.ts'
import type { SecurityLogTarget } from './security-log-target.ts'

/** The time that one batch may take. */
const DEADLINE_MS = 10 * SECOND_MS

type SocketTarget = Extract<SecurityLogTarget, { port: number }>

/**
 * Sends events to the target. Throws if the target does not accept all of them within ten seconds. Syslog has no
 * acknowledgment: an event counts as accepted when the operating system has sent it.
 */
export async function sendEvents(
  target: SecurityLogTarget,
  events: readonly SecurityEvent[],
  stopping: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(DEADLINE_MS)])
  if (target.kind === 'http') return post(target, events, signal)
  const messages = events.map(syslogMessage)
  return target.kind === 'udp' ? sendPackets(target, messages) : writeAll(target, messages, signal)
}

async function post(
  { url, token }: Extract<SecurityLogTarget, { kind: 'http' }>,
  events: readonly SecurityEvent[],
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    // The token is for this host only.
    redirect: 'manual',
    signal,
    headers: {
      'content-type': 'application/x-ndjson',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: events.map((event) => `${jsonLine(event)}\n`).join(''),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the system for security events responded with ${response.status}`)
}

/** Writes all messages to one connection. Each begins with its length in bytes (RFC 6587, 5425). */
function writeAll(target: SocketTarget, messages: readonly string[], signal: AbortSignal): Promise<void> {
  const { kind, host, port } = target
  const bytes = messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join('')
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket: Socket = kind === 'tls' ? connectTls({ host, port, ...name }) : connect({ host, port })
    let isFlushed = false
    const stop = () => {
      // Some receivers keep the connection open after the last message.
      if (isFlushed) socket.destroy()
      else socket.destroy(new Error('the system for security events did not accept the events in time'))
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', reject)
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      if (isFlushed) resolve()
      else reject(new Error('the system for security events closed the connection'))
    })
    socket.resume()
    socket.once(kind === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.end(bytes, () => {
        isFlushed = true
      })
    })
  })
}

async function sendPackets({ host, port }: SocketTarget, messages: readonly string[]): Promise<void> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    for (const message of messages)
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, address, (error) => (error ? reject(error) : resolve()))
      })
  } finally {
    socket.close()
  }
}
