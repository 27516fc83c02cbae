import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { getCACertificates } from 'node:tls'
import { assertDeviceHost, findDeviceAddresses } from './device-address.ts'
import { DeviceCallError, type DeviceFault } from './device-fault.ts'
import { DEVICE_LIMITS, type DeviceLimits, uploadLimitMs } from './device-limits.ts'
import { pinnedTo } from './pinned-lookup.ts'
import type { ResolveHost } from './resolve-host.ts'
import { traceCall } from './trace-call.ts'
import { AddressRefusedError, hostOf, parseWebAddress } from './web-address.ts'
import { writeStream } from './write-stream.ts'

export interface DeviceRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** The path, with its query, relative to the device's address. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | { stream: Readable; sizeBytes: number }
  maxBytes: number
  signal?: AbortSignal | undefined
}

export interface DeviceAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * The only way to call devices in the workshop's own network. Administrators enter the addresses of these
 * devices.
 */
export interface DeviceCall {
  /** Returns the response with any status. Throws DeviceCallError, or the signal's reason. */
  (address: string, request: DeviceRequest): Promise<DeviceAnswer>
}

/**
 * Returns the canonical form of a device's address, without a trailing slash. Throws AddressRefusedError for anything
 * but a web address without a query, and for an IP address that cannot belong to a device.
 */
export function parseDeviceAddress(text: string): string {
  const url = parseWebAddress(text)
  if (url.search !== '') throw new AddressRefusedError('A device has no query in its address.')
  assertDeviceHost(hostOf(url))
  return url.href.replace(/\/+$/, '')
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

/**
 * Calls devices. Each request resolves the name again, checks all its addresses, and connects to one of the
 * checked addresses. Redirects are never followed, because a device could redirect to another machine in the
 * network. Neither proxies nor shared connections are used.
 */
export function createDeviceCall(options: {
  resolve: ResolveHost
  limits?: Partial<DeviceLimits> | undefined
  authorities?: readonly string[] | undefined
}): DeviceCall {
  const limits = { ...DEVICE_LIMITS, ...options.limits }
  const ca = options.authorities && [...getCACertificates('default'), ...options.authorities]

  return async (address, request) => {
    const base = parseDeviceAddress(address)
    const url = new URL(`${base}${request.path}`)
    if (!request.path.startsWith('/') || url.origin !== new URL(base).origin)
      throw new DeviceCallError('address', { wasSent: false })
    const addresses = await findDeviceAddresses(hostOf(url), {
      resolve: options.resolve,
      timeoutMs: limits.lookupMs,
    })
    request.signal?.throwIfAborted()
    return traceCall({ method: request.method, url }, () => send(url, request, { addresses, ca, limits }))
  }
}

async function send(
  url: URL,
  { method, headers, body, maxBytes, signal }: DeviceRequest,
  wire: { addresses: readonly string[]; ca: string[] | undefined; limits: DeviceLimits },
): Promise<DeviceAnswer> {
  const { addresses, ca, limits } = wire
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  const request = start(url, {
    method,
    agent: false,
    lookup: pinnedTo(addresses),
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Pegasus-Ops',
      ...headers,
      ...(body !== undefined && {
        'content-length': String(typeof body === 'string' ? Buffer.byteLength(body) : body.sizeBytes),
      }),
    },
    ...(signal && { signal }),
    ...(ca && { ca }),
  })
  let isConnected = false
  let fault: DeviceFault | null = null
  const stop = (why: DeviceFault) => {
    fault ??= why
    request.destroy()
  }
  let timer = setTimeout(() => stop('too-slow'), limits.answerMs)
  const restart = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => stop('too-slow'), ms)
  }
  request.once('socket', (socket) =>
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true
    }),
  )
  try {
    const answered = Promise.withResolvers<IncomingMessage>()
    request.once('response', answered.resolve)
    request.on('error', answered.reject)
    // If the device upgrades the connection without being asked, the request ends without a response.
    request.once('close', () => answered.reject(new Error('The connection ended without an answer.')))
    if (typeof body === 'object') await Promise.race([writeBody(), answered.promise])
    else request.end(body)
    const answer = await answered.promise
    return await readAnswer(answer)
  } catch (cause) {
    request.destroy()
    signal?.throwIfAborted()
    if (cause instanceof DeviceCallError) throw cause
    throw new DeviceCallError(fault ?? (isConnected ? 'broke-off' : 'unreachable'), {
      wasSent: isConnected,
      cause,
    })
  } finally {
    clearTimeout(timer)
    if (typeof body === 'object') body.stream.destroy()
  }

  /** Sends the body. An upload may take longer than other calls, but must keep making progress. */
  async function writeBody(): Promise<void> {
    if (typeof body !== 'object') return
    const whole = setTimeout(() => stop('too-slow'), uploadLimitMs(limits, body.sizeBytes))
    try {
      await writeStream(body.stream, request, () => restart(limits.uploadPauseMs))
    } finally {
      clearTimeout(whole)
    }
    request.end()
  }

  async function readAnswer(answer: IncomingMessage): Promise<DeviceAnswer> {
    const { statusCode: status = 0 } = answer
    const fail = (why: DeviceFault) => new DeviceCallError(why, { wasSent: true })
    if (isRedirect(status)) throw fail('redirected')
    const encoding = answer.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw fail('encoded')
    const chunks: Buffer[] = []
    let size = 0
    restart(limits.answerMs)
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw fail('too-large')
      chunks.push(chunk)
    }
    if (!answer.complete) throw fail('broke-off')
    return { status, headers: answer.headers, body: Buffer.concat(chunks) }
  }
}
