import type { IncomingHttpHeaders } from 'node:http'
import { getCACertificates } from 'node:tls'
import { SECOND_MS } from '../clock.ts'
import { type OutboundRequest, ask } from './outbound-request.ts'
import { type AllowRule, createOutboundPolicy, matchesRule } from './outbound-policy.ts'
import { readBody } from './read-body.ts'
import { type ResolveHost, resolveHost } from './resolve-host.ts'
import { checkInConstantTime } from './constant-time-check.ts'
import { checkWebAddress, hostOf, parseWebAddress, portOf } from './web-address.ts'

const LOOKUP_MS = 3 * SECOND_MS
const ANSWER_MS = 10 * SECOND_MS
const MAX_BYTES = 1024 * 1024
/** The maximum number of bytes that are read from a response to find the reason of a failure. */
const BEGINNING_BYTES = 4 * 1024

export interface CallAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Makes one call to a service on the internet, by the same rules as `SafeFetch`: every IP address of its name
 * is checked, and the connection goes to a checked address. A redirect is returned, not followed. Throws if
 * the address is refused, if the service does not respond within ten seconds, or if the response exceeds 1
 * MiB.
 */
export type SafeCall = (address: string, request: OutboundRequest) => Promise<CallAnswer>

interface SafeCallOptions {
  allow: readonly AllowRule[]
  resolve?: ResolveHost | undefined
  /**
   * Certificates (PEM) of authorities to trust in addition to those of the machine and of
   * `NODE_EXTRA_CA_CERTS`.
   */
  authorities?: readonly string[] | undefined
}

/**
 * Returns the function that calls a service. If the service itself tells the server which further addresses to call,
 * pass its own address: private addresses are then allowed only if one of the operator's rules matches the service's
 * own host. Otherwise, a service on the internet could direct calls into our network. Pass null if the operator has set
 * all addresses of the service.
 */
export interface CallFor {
  (service: string | null): SafeCall
  /** Whether one of the operator's rules allows the host of this address, for example in the operator's own network. */
  isListed(address: string): boolean
}

export const createCallFor = (options: SafeCallOptions): CallFor => {
  const isListed = (address: string): boolean => {
    const url = parseWebAddress(address)
    return matchesRule(options.allow, hostOf(url), portOf(url))
  }
  const callFor = (service: string | null): SafeCall =>
    createSafeCall(service === null || isListed(service) ? options : { ...options, allow: [] })
  return Object.assign(callFor, { isListed })
}

/** Calls addresses that people enter. */
export interface SafeCaller {
  /** Like `SafeCall`, but returns only the first `BEGINNING_BYTES` of the body. */
  call: SafeCall
  /** Throws AddressRefusedError if the address must not be called. */
  check(address: string): Promise<void>
}

export const createSafeCaller = (
  options: SafeCallOptions & { limits?: { lookupMs?: number } | undefined },
): SafeCaller => ({
  call: createSafeCall(options, { beginningBytes: BEGINNING_BYTES }),
  async check(address) {
    const timeoutMs = options.limits?.lookupMs ?? LOOKUP_MS
    await checkInConstantTime(parseWebAddress(address), { ...rulesOf(options), timeoutMs })
  },
})

export type OwnCallOptions = Omit<SafeCallOptions, 'allow'>

/**
 * Returns the call to an address that the operator has configured. Only this host and port may be in a private network.
 */
export function createOwnCall(address: string, options: OwnCallOptions = {}): SafeCall {
  const url = parseWebAddress(address)
  const allow = [{ range: null, host: hostOf(url), port: portOf(url) }]
  return createSafeCall({ ...options, allow }, { isOwn: true })
}

const rulesOf = (options: SafeCallOptions) => ({
  reach: createOutboundPolicy(options.allow),
  resolve: options.resolve ?? resolveHost,
  timeoutMs: LOOKUP_MS,
})

/**
 * Creates a call. `beginningBytes` limits how much of the body is read. `isOwn` sends the headers with which the
 * service can continue our traces.
 */
function createSafeCall(
  options: SafeCallOptions,
  { beginningBytes = Infinity, isOwn = false }: { beginningBytes?: number; isOwn?: boolean } = {},
): SafeCall {
  const ca = options.authorities && [...getCACertificates('default'), ...options.authorities]
  const rules = rulesOf(options)
  return async (address, request) => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const checked = await checkWebAddress(parseWebAddress(address), rules)
    const answer = await ask(checked, { signal, ca, isOwn }, request)
    const limits = { maxBytes: MAX_BYTES, windowMs: ANSWER_MS, windowBytes: 0, totalMs: ANSWER_MS }
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of readBody(answer, limits)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= beginningBytes) break
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }
  }
}
