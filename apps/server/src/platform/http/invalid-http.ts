import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type OutgoingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '@pegasus/contracts/errors'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { SECOND_MS } from '../clock.ts'
import { AppError } from '../errors/app-error.ts'
import { renderProductError } from '../errors/render-error.ts'
import { BARE_SECURITY_HEADERS } from './security-headers.ts'

/** How long a caller may take to read the error before the connection is closed, in ms. */
const LINGER_MS = 2 * SECOND_MS

/** The error for each error code of Node's HTTP server. Other codes mean a syntax error in the request. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** A connection. Node stores the response that it is sending in `_httpMessage`, and uses this field in the same way. */
type Connection = Duplex & { _httpMessage?: OutgoingMessage | null }

/** Renders the error of a request that no route answers, and logs it unless `log` is null. */
function render(log: FastifyBaseLogger | null, errorCode: ErrorCode, reason: string) {
  const { status, body } = renderProductError(new AppError(errorCode), {})
  const text = JSON.stringify(body)
  const requestId = randomUUID()
  log?.info({ requestId, code: errorCode, reason }, 'request refused')
  const headers = {
    ...BARE_SECURITY_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  return { status, headers, text }
}

/** Sends an error on a connection without a response object, and closes the connection. */
function sendOn(socket: Duplex, { status, headers, text }: ReturnType<typeof render>): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Cutting the connection at once could lose the response while the caller is still sending.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(cut))
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}

/** Returns the handler of requests that are not valid HTTP. The response is JSON, like that of any other error. */
export const refuseInvalidHttp =
  (log: FastifyBaseLogger) =>
  (error: Error & { code?: string }, socket: Connection): void => {
    // The rest of an invalid request causes further errors after our response. Ignore them.
    if (socket.writableEnded) return
    const { code = '' } = error
    const response = socket._httpMessage
    // If a response has begun, no other response can be sent.
    if (code === 'ECONNRESET' || !socket.writable || response?.headersSent) socket.destroy(error)
    // If a route already handles the request, it also logs the error, so log nothing here.
    else sendOn(socket, render(response ? null : log, CODES[code] ?? 'MALFORMED_REQUEST', code))
  }

/** Sends a JSON error for valid HTTP requests to which Node itself would send an empty response, or none. */
export function refuseUnusualHttp(http: FastifyInstance): void {
  http.addHook('onRequest', (request, _reply, done) => {
    const isWithoutHost = request.headers.host === undefined && request.raw.httpVersionMinor > 0
    done(isWithoutHost ? new AppError('MALFORMED_REQUEST') : undefined)
  })
  http.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = render(http.log, 'EXPECTATION_FAILED', String(request.headers.expect))
    response.writeHead(status, headers).end(text)
  })
  http.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    sendOn(socket, render(http.log, 'METHOD_NOT_ALLOWED', 'CONNECT'))
  })
}
