import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../clock.ts'
import { DOWNLOAD_LIMITS } from '../../outbound/safe-fetch.ts'

export interface ConnectionLimits {
  /** How long a request body may send no bytes. */
  idleMs: number
  /** How long a request body may take in total, unless it is an upload. */
  bodyMs: number
  /**
   * In each period of this length, an upload must send at least `uploadWindowBytes`, unless the server reads
   * more slowly.
   */
  uploadWindowMs: number
  uploadWindowBytes: number
  /** How long a request body may send no bytes during shutdown. */
  idleAtStopMs: number
  /** How long running requests may take during shutdown. */
  graceMs: number
}

const LIMITS: ConnectionLimits = {
  idleMs: 30 * SECOND_MS,
  // Less than a minute, so that a client that sends single bytes is disconnected within a minute, even on a busy
  // server.
  bodyMs: 50 * SECOND_MS,
  // 50 KB per second, which is also the limit for models that the server downloads.
  uploadWindowMs: DOWNLOAD_LIMITS.windowMs,
  uploadWindowBytes: DOWNLOAD_LIMITS.windowBytes,
  idleAtStopMs: 2 * SECOND_MS,
  graceMs: 10 * SECOND_MS,
}
/** How long the headers of a request may take. Node checks this every 30 s, so slow headers end within a minute. */
const HEADERS_MS = 25 * SECOND_MS
const LOOK_MS = SECOND_MS
const OBJECTS = '/storage/v1/object/'
/** Matches the paths below OBJECTS at which the body is JSON and not a file. */
const JSON_CALLS = /^\/storage\/v1\/object\/(?:list|list-v2|sign|upload\/sign|move|copy)(?:[/?]|$)/

interface Body {
  request: IncomingMessage
  response: ServerResponse
  beganAt: number
  movedAt: number
  bytesRead: number
  /** The current period of an upload, and whether the server delayed the upload in it. */
  window: { beganAt: number; bytesRead: number; isServerSlow: boolean }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Returns whether the body is a file for the hosted storage service, which may have any content type. */
const isObject = ({ method, url = '' }: IncomingMessage): boolean =>
  url.startsWith(OBJECTS) && (method === 'PUT' || (method === 'POST' && !JSON_CALLS.test(url)))

/** Whether the body is an upload, which may take longer. The rest of an upload that was refused does not count. */
const isUpload = ({ request, response }: Body): boolean => {
  const { 'content-type': type = '' } = request.headers
  const isFile = /^(?:multipart\/|application\/offset\+octet-stream$)/i.test(type) || isObject(request)
  return isFile && !response.writableEnded
}

/**
 * Records whether bytes have arrived since the last check. The sender is not blamed for a pause while the server has
 * received bytes that it has not read yet.
 */
function noteProgress(body: Body, now: number): void {
  const { bytesRead } = body.request.socket
  if (bytesRead === body.bytesRead && body.request.readableLength === 0) return
  body.bytesRead = bytesRead
  body.movedAt = now
}

/**
 * Returns whether an upload sent too few bytes in the period that has just ended, and begins the next period.
 */
function isTooSlow(body: Body, now: number, limits: ConnectionLimits): boolean {
  const { window, request } = body
  if (request.readableLength > 0) window.isServerSlow = true
  if (now - window.beganAt < limits.uploadWindowMs) return false
  const bytes = body.bytesRead - window.bytesRead
  body.window = { beganAt: now, bytesRead: body.bytesRead, isServerSlow: false }
  return bytes < limits.uploadWindowBytes && !window.isServerSlow
}

/**
 * Closes connections whose body stops arriving or arrives too slowly. During shutdown, idle connections are
 * closed as well, because browsers open some ahead of need and Node counts them as busy for a minute. After
 * the grace period, all connections are closed. Otherwise a client that sends half a body could block the
 * shutdown forever.
 */
export function dropStalledConnections(http: FastifyInstance, given: Partial<ConnectionLimits> = {}): void {
  const limits = { ...LIMITS, ...given }
  const silent = new Set<Socket>()
  const bodies = new Set<Body>()
  let isClosing = false
  let lastCall: NodeJS.Timeout | undefined

  const look = (): void => {
    const now = performance.now()
    const idleMs = isClosing ? limits.idleAtStopMs : limits.idleMs
    for (const body of bodies) {
      const { request } = body
      if (request.complete || request.socket.destroyed) {
        bodies.delete(body)
        continue
      }
      noteProgress(body, now)
      const isLate =
        now - body.movedAt > idleMs ||
        (isUpload(body) ? isTooSlow(body, now, limits) : now - body.beganAt > limits.bodyMs)
      if (isLate) request.socket.destroy()
    }
  }
  const clock = setInterval(look, Math.min(LOOK_MS, limits.idleMs))
  clock.unref()

  http.server.headersTimeout = HEADERS_MS
  http.server.on('connection', (socket: Socket) => {
    if (isClosing) {
      socket.destroy()
      return
    }
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  http.server.on('request', (request, response) => {
    silent.delete(request.socket)
    if (!hasBody(request)) return
    const now = performance.now()
    const { bytesRead } = request.socket
    const window = { beganAt: now, bytesRead, isServerSlow: false }
    bodies.add({ request, response, beganAt: now, movedAt: now, bytesRead, window })
  })
  http.addHook('preClose', async () => {
    isClosing = true
    for (const socket of silent) socket.destroy()
    lastCall = setTimeout(() => http.server.closeAllConnections(), limits.graceMs)
    lastCall.unref()
  })
  http.addHook('onClose', async () => {
    clearInterval(clock)
    clearTimeout(lastCall)
  })
}
