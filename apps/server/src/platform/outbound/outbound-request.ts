import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pinnedTo } from './pinned-lookup.ts'
import { traceCall } from './trace-call.ts'
import type { CheckedAddress } from './web-address.ts'

export interface OutboundRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
}

/**
 * The headers contain neither our data nor secrets. They do not accept compression, because compressed data
 * could unpack to any size.
 */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Pegasus-Ops' }

interface Wire {
  signal: AbortSignal
  ca: readonly string[] | undefined
  /**
   * Whether the address belongs to a program of the operator. Only such a program gets the headers that continue our
   * traces.
   */
  isOwn?: boolean
}

/** Sends one request to a checked address. Resolves when the headers of the response have arrived. */
export const ask = (
  address: CheckedAddress,
  wire: Wire,
  request: OutboundRequest = { method: 'GET' },
): Promise<IncomingMessage> =>
  traceCall({ method: request.method, url: address.url, isOwn: wire.isOwn ?? false }, (traceHeaders) =>
    send(address, wire, { ...request, headers: { ...request.headers, ...traceHeaders } }),
  )

function send(
  { url, addresses }: CheckedAddress,
  { signal, ca }: Wire,
  { method, headers, body }: OutboundRequest,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const outgoing = request(url, {
    method,
    // No agent: it could reuse a shared connection, or a proxy from the environment would resolve the name
    // again.
    agent: false,
    headers: { ...HEADERS, ...headers },
    lookup: pinnedTo(addresses),
    signal,
    ...(ca && { ca: [...ca] }),
  })
  outgoing.once('response', resolve)
  outgoing.on('error', reject)
  // If the server upgrades the connection without being asked, the request ends without a response.
  outgoing.once('close', () => reject(new Error('The connection ended without an answer.')))
  outgoing.end(body)
  return promise
}
