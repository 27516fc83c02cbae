import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { getCACertificates } from 'node:tls'
import { SECOND_MS } from '../clock.ts'
import { pinnedTo } from './pinned-lookup.ts'
import type { ResolveHost } from './resolve-host.ts'
import { AddressRefusedError, hostOf, parseWebAddress } from './web-address.ts'
import { CodedError } from '../errors/coded-error.ts'

/**
 * The reason why a call to a device failed: its address is unknown or not allowed, nothing listens there, the
 * connection ended, or the response is late, too long, compressed, or a redirect.
 */
export type DeviceFault =
  | 'address'
  | 'unreachable'
  | 'broke-off'
  | 'too-slow'
  | 'too-large'
  | 'encoded'
  | 'redirected'

/** A call to a device failed. The cause is for the log only. */
export class DeviceCallError extends CodedError {
  readonly code = 'DEVICE_CALL_FAILED'
  readonly fault: DeviceFault
  /** Whether part of the request was sent, so that the device may have acted on it. */
  readonly wasSent: boolean

  constructor(fault: DeviceFault, { wasSent, cause }: { wasSent: boolean; cause?: unknown }) {
    super(`The call to the device failed: ${fault}.`, { cause })
    this.fault = fault
    this.wasSent = wasSent
  }
}

export interface DeviceLimits {
  lookupMs: number
  /** The time limit from the start of the call to the end of the response, excluding the time that the upload takes. */
  answerMs: number
  /** The longest time for which an upload may make no progress. */
  uploadPauseMs: number
}

export const DEVICE_LIMITS: DeviceLimits = {
  lookupMs: 3 * SECOND_MS,
  answerMs: 10 * SECOND_MS,
  uploadPauseMs: 30 * SECOND_MS,
}

export interface DeviceRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the device's address, with its query. */
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

/** The only way to call devices in the workshop's own network. Administrators enter their addresses. */
export interface DeviceCall {
  /** Returns the response, whatever its status. Throws DeviceCallError, or the signal's reason. */
  (address: string, request: DeviceRequest): Promise<DeviceAnswer>
}

/**
 * Addresses that can never belong to a device: the unspecified address of this machine, cloud metadata, and groups of
 * machines. Any other address, including private addresses and this machine, may be a device if an administrator says
 * so.
 */
const NEVER = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['224.0.0.0', 3],
] as const)
  NEVER.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['64:ff9b::', 96],
] as const)
  NEVER.addSubnet(address, bits, 'ipv6')

const isAllowed = (address: string): boolean => {
  const version = address.includes('%') ? 0 : isIP(address)
  return version !== 0 && !NEVER.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Returns the canonical form of a device's address, without a trailing slash. Throws AddressRefusedError for anything
 * but a web address without a query, and for an IP address that cannot belong to a device.
 */
export function parseDeviceAddress(text: string): string {
  const url = parseWebAddress(text)
  if (url.search !== '') throw new AddressRefusedError('A device has no query in its address.')
  const host = hostOf(url)
  if (isIP(host) > 0 && !isAllowed(host)) throw new AddressRefusedError(`${host} is no device's address.`)
  return url.href.replace(/\/+$/, '')
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

/**
 * Calls devices. Each request resolves the name again, checks all its addresses, and connects to a checked address.
 * Redirects are never followed, so that a device cannot point into the network. No proxy and no shared connection is
 * used.
 */
export function createDeviceCall(options: {
  resolve: ResolveHost
  limits?: Partial<DeviceLimits> | undefined
  authorities?: readonly string[] | undefined
}): DeviceCall {
  const limits = { ...DEVICE_LIMITS, ...options.limits }
  const ca = options.authorities && [...getCACertificates('default'), ...options.authorities]

  const findAddresses = async (url: URL): Promise<readonly string[]> => {
    const host = hostOf(url)
    try {
      const addresses =
        isIP(host) > 0
          ? [host]
          : // An admin named it, so names of the local network count.
            await options.resolve(host, { isTrusted: true, timeoutMs: limits.lookupMs })
      if (addresses.length === 0 || !addresses.every(isAllowed))
        throw new AddressRefusedError(`${host} stands for an address that is no device's.`)
      return addresses
    } catch (cause) {
      throw new DeviceCallError('address', { wasSent: false, cause })
    }
  }

  return async (address, request) => {
    const base = parseDeviceAddress(address)
    const url = new URL(`${base}${request.path}`)
    if (!request.path.startsWith('/') || url.origin !== new URL(base).origin)
      throw new DeviceCallError('address', { wasSent: false })
    const addresses = await findAddresses(url)
    request.signal?.throwIfAborted()
    return send(url, request, { addresses, ca, limits })
  }
}

async function send(
  url: URL,
  { method, headers, body, maxBytes, signal }: DeviceRequest,
  wire: { addresses: readonly string[]; ca: string[] | undefined; limits: DeviceLimits },
): Promise<DeviceAnswer> {
  const { addresses, ca, limits } = wire
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  const sent = start(url, {
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
    sent.destroy()
  }
  let timer = setTimeout(() => stop('too-slow'), limits.answerMs)
  const restart = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => stop('too-slow'), ms)
  }
  sent.once('socket', (socket) =>
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true
    }),
  )
  try {
    const answered = Promise.withResolvers<IncomingMessage>()
    sent.once('response', answered.resolve)
    sent.on('error', answered.reject)
    // If the device upgrades the connection unasked, the request ends without a response.
    sent.once('close', () => answered.reject(new Error('The connection ended without an answer.')))
    if (typeof body === 'object') await Promise.race([writeBody(), answered.promise])
    else sent.end(body)
    const answer = await answered.promise
    return await readAnswer(answer)
  } catch (cause) {
    sent.destroy()
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

  /** Sends the body. An upload may take as long as it needs, but must keep making progress. */
  async function writeBody(): Promise<void> {
    if (typeof body !== 'object') return
    for await (const chunk of body.stream as AsyncIterable<Buffer>) {
      restart(limits.uploadPauseMs)
      if (sent.destroyed) return
      if (!sent.write(chunk))
        await new Promise<void>((resolve) => {
          sent.once('drain', resolve)
          sent.once('close', resolve)
        })
    }
    restart(limits.uploadPauseMs)
    sent.end()
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
