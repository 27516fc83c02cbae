import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorEntry } from '@pegasus/contracts/errors'
import type { FastifyInstance } from 'fastify'
import type { FloodLimit } from './limits/flood-limit.ts'

type Refusal = Parameters<typeof errorEntry>[0]

/**
 * The server that handles a request instead of the one that received it, or the code of the error that is sent. Null if
 * the receiving server handles the request.
 */
export type Diversion = { to: Pick<Server, 'emit'> } | { refuse: Refusal } | null

/** A request that may be diverted. `ended` resolves when its response has ended or its websocket is closed. */
export interface ReceivedRequest {
  request: IncomingMessage
  ended: Promise<void>
}

type Choose = (received: ReceivedRequest) => Promise<Diversion> | null

/**
 * Returns a function that diverts requests to other servers of this process, before the receiving server handles them.
 * Its argument `choose` gets each request. It returns null at once if the request is never diverted, and otherwise a
 * promise of the decision. Event streams and websockets can be diverted, too. The receiving server itself answers
 * refused requests, so that its flood limit and its log include them, but no handler runs. Call this before any route
 * is added, because it adds a hook, which only later routes have.
 */
export function prepareDiversion(http: FastifyInstance, floodLimit: FloodLimit): (choose: Choose) => void {
  const refused = new WeakMap<IncomingMessage, Refusal>()
  http.addHook('onRequest', async (request, reply) => {
    const code = refused.get(request.raw)
    if (code === undefined) return
    floodLimit.countStranger(request)
    const { status, message } = errorEntry(code)
    // The body of the request stays unread, so the connection cannot be used for another request.
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
    // If the client disconnects and the socket has no error listener, the process would end. So keep this listener.
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
