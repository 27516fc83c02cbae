import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorEntry } from '@pegasus/contracts/errors'
import type { FastifyInstance } from 'fastify'
import type { FloodLimit } from './limits/flood-limit.ts'

type Refusal = Parameters<typeof errorEntry>[0]

/**
 * The server that answers a request instead of the one that received it, or the error that refuses it. Null if the request
 * is not diverted.
 */
export type Diversion = { to: Pick<Server, 'emit'> } | { refuse: Refusal } | null

/** A request that may be diverted. `ended` resolves when its response, or its websocket, is over. */
export interface ReceivedRequest {
  request: IncomingMessage
  ended: Promise<void>
}

type Choose = (received: ReceivedRequest) => Promise<Diversion> | null

/**
 * Returns a function that lets another server of this process answer some requests, before the receiving server sees
 * anything of them. Its argument `choose` returns null at once for a request that is never diverted, and otherwise
 * decides later. Event streams are ordinary requests, and websockets are diverted in the same way. The receiving server
 * answers refused requests itself, so they count in its flood limit and its log, and no handler sees them. Call this
 * before any route is added, because the refusals are a hook, and later routes have it.
 */
export function prepareDiversion(http: FastifyInstance, floodLimit: FloodLimit): (choose: Choose) => void {
  const refused = new WeakMap<IncomingMessage, Refusal>()
  http.addHook('onRequest', async (request, reply) => {
    const code = refused.get(request.raw)
    if (code === undefined) return
    floodLimit.countStranger(request)
    const { status, message } = errorEntry(code)
    // The body of the request is not read, so the connection cannot be used again.
    reply.headers({ 'cache-control': 'no-store', connection: 'close' })
    reply.code(status).type('application/json; charset=utf-8')
    return reply.send(JSON.stringify({ detail: message, code: code.toLowerCase() }))
  })
  return (choose) => divert(http.server, choose, (request, code) => refused.set(request, code))
}

function divert(
  server: Server,
  choose: Choose,
  refuse: (request: IncomingMessage, code: Refusal) => void,
): void {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request' && event !== 'upgrade') return emit(event, ...given)
    const [request, target] = given as [IncomingMessage, ServerResponse | Duplex]
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const chosen = choose({ request, ended })
    if (chosen === null) return emit(event, ...given)
    target.once('close', resolve)
    // A socket without a listener would end the process if its client disappears, so this one stays.
    target.on('error', () => undefined)
    void chosen
      .then((diversion) => {
        if (target.destroyed) return
        if (diversion !== null && 'to' in diversion) {
          if (!diversion.to.emit(event, ...given)) target.destroy()
          return
        }
        if (diversion !== null) refuse(request, diversion.refuse)
        emit(event, ...given)
      })
      .catch(() => target.destroy())
    return true
  }
}
