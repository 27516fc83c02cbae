import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../clock.ts'

export interface ConnectionLimits {
  /** A body may pause this long. */
  idleMs: number
  /** What is no upload must be here after this. */
  bodyMs: number
  /** While the product stops, a body may pause this long. */
  idleAtStopMs: number
  /** What is in flight when the product stops has this long. */
  graceMs: number
}

const LIMITS: ConnectionLimits = {
  idleMs: 30 * SECOND_MS,
  bodyMs: 60 * SECOND_MS,
  idleAtStopMs: 2 * SECOND_MS,
  graceMs: 10 * SECOND_MS,
}
/** Node looks every 30 s, so headers that trickle in are cut off within a minute. */
const HEADERS_MS = 25 * SECOND_MS
const LOOK_MS = SECOND_MS

interface Body {
  request: IncomingMessage
  response: ServerResponse
  beganAt: number
  movedAt: number
  bytesRead: number
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Only an upload that is let in may take its time; the rest of one that was refused is nobody's business. */
const isUpload = ({ request, response }: Body): boolean =>
  /^multipart\//i.test(request.headers['content-type'] ?? '') && !response.writableEnded

/** Notes whether anything came since the last look. What we have not read yet is not the sender's pause. */
function noteProgress(body: Body, now: number): void {
  const { bytesRead } = body.request.socket
  if (bytesRead === body.bytesRead && body.request.readableLength === 0) return
  body.bytesRead = bytesRead
  body.movedAt = now
}

/**
 * Lets connections go that keep us waiting: bodies that stop coming or take too long, and when the product stops,
 * those that have not asked anything (browsers open some ahead of need, and Node counts them as busy for a minute) and,
 * after a while, all of them. Without this one sender of half a body holds the end of the product up for ever.
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
      const isLate = now - body.movedAt > idleMs || (!isUpload(body) && now - body.beganAt > limits.bodyMs)
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
    bodies.add({ request, response, beganAt: now, movedAt: now, bytesRead: request.socket.bytesRead })
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
