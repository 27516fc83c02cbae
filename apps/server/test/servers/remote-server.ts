import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A third party's web server. It records the requests that it receives. */
export interface Remote {
  url: string
  port: number
  hits: { path: string; headers: IncomingHttpHeaders }[]
}

/** Starts a web server on an address of this machine until the test ends. */
export async function aRemote(
  answer: RequestListener,
  {
    host = '127.0.0.1',
    port = 0,
    tls,
  }: { host?: string; port?: number; tls?: { key: string; cert: string } } = {},
): Promise<Remote> {
  const hits: Remote['hits'] = []
  const listener: RequestListener = (request, response) => {
    hits.push({ path: request.url ?? '', headers: request.headers })
    // The client may disconnect at any time.
    response.on('error', () => undefined)
    answer(request, response)
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  await once(server.listen({ host, port }), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port: found } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${found}`,
    port: found,
    hits,
  }
}

/** Returns a listener that responds to every request with these bytes. */
export const serving =
  (bytes: Uint8Array, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': String(bytes.byteLength), ...headers })
    response.end(bytes)
  }
