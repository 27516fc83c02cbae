import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Where a request goes instead of the server that received it. `refuse` answers it without any server. */
export type Diversion =
  | { to: Pick<Server, 'emit'> }
  | { refuse: { status: number; body: Readonly<Record<string, unknown>> } }
  | null

/**
 * Lets another server of this process answer some requests, before the receiving server sees anything of them. `choose`
 * returns null at once for all other requests, or decides later. Event streams are ordinary requests, and websockets
 * are diverted in the same way.
 */
export function divertRequests(
  server: Server,
  choose: (request: IncomingMessage) => Promise<Diversion> | null,
): void {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request' && event !== 'upgrade') return emit(event, ...given)
    const [request, target] = given as [IncomingMessage, ServerResponse | Duplex]
    const chosen = choose(request)
    if (chosen === null) return emit(event, ...given)
    // A socket without a listener would end the process if its client disappears, so this one stays.
    target.on('error', () => undefined)
    void chosen
      .then((diversion) => {
        if (target.destroyed) return
        if (diversion === null) emit(event, ...given)
        else if ('refuse' in diversion) refuse(target, diversion.refuse)
        else if (!diversion.to.emit(event, ...given)) target.destroy()
      })
      .catch(() => target.destroy())
    return true
  }
}

function refuse(
  target: ServerResponse | Duplex,
  { status, body }: { status: number; body: Readonly<Record<string, unknown>> },
): void {
  if (!('writeHead' in target)) {
    // A client that keeps its half of the connection open must not keep the socket.
    target.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`, () => target.destroy())
    return
  }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The body of the request was not read, so the connection cannot be used again.
    connection: 'close',
  }
  target.writeHead(status, headers).end(JSON.stringify(body))
}
