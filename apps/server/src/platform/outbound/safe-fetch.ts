import type { IncomingMessage } from 'node:http'
import { getCACertificates } from 'node:tls'
import { HOUR_MS, SECOND_MS } from '../clock.ts'
import { ask } from './outbound-request.ts'
import { type AllowRule, createOutboundPolicy } from './outbound-policy.ts'
import { type ResolveHost, resolveHost } from './resolve-host.ts'
import { readBody } from './read-body.ts'
import { DownloadError } from './download-error.ts'
import { checkInConstantTime, waitUntil } from './constant-time-check.ts'
import { checkWebAddress, parseWebAddress, resolveRedirect } from './web-address.ts'

/** Timeouts for remote servers. */
export interface DownloadLimits {
  /** The time limit for resolving a name. A refused name is reported after exactly this time. */
  lookupMs: number
  /**
   * The time limit from the start to the headers of the response. Earlier failures are reported after exactly
   * this time.
   */
  answerMs: number
  /** At least `windowBytes` must arrive in every `windowMs`, unless the server reads more slowly. */
  windowMs: number
  windowBytes: number
  totalMs: number
}

/**
 * A download must deliver at least 50 KB per second. Slow connections reach that, and a sender of single bytes is
 * detected within a minute. The total time is enough for 1 GiB at that speed.
 */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  lookupMs: 3 * SECOND_MS,
  answerMs: 15 * SECOND_MS,
  windowMs: 30 * SECOND_MS,
  windowBytes: 1_500_000,
  totalMs: 6 * HOUR_MS,
}

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface Download {
  /** The address after all redirects. */
  url: URL
  /** The size of the file; null if the server did not send it. */
  totalBytes: number | null
  contentDisposition: string | undefined
  /** The bytes of the file, which can be read only once. Throws DownloadError. */
  body: AsyncIterable<Uint8Array>
  /** Closes the connection, even if the body was not read to its end. */
  close(): void
}

/** Fetches addresses that people enter. Other code must not fetch such addresses. */
export interface SafeFetch {
  /** Returns the address in canonical form. Throws AddressRefusedError. */
  check(text: string): Promise<string>
  /** Starts to download an address. Throws DownloadError, or the signal's reason. */
  open(text: string, options: { maxBytes: number; signal: AbortSignal }): Promise<Download>
}

export function createSafeFetch(options: {
  allow: readonly AllowRule[]
  resolve?: ResolveHost | undefined
  limits?: Partial<DownloadLimits> | undefined
  /**
   * Certificates (PEM) of authorities to trust in addition to those of the machine and of
   * `NODE_EXTRA_CA_CERTS`.
   */
  authorities?: readonly string[] | undefined
}): SafeFetch {
  const limits = { ...DOWNLOAD_LIMITS, ...options.limits }
  const ca = options.authorities && [...getCACertificates('default'), ...options.authorities]
  const rules = {
    reach: createOutboundPolicy(options.allow),
    resolve: options.resolve ?? resolveHost,
    timeoutMs: limits.lookupMs,
  }

  /** Follows redirects. Each target is checked like the original address. */
  const follow = async (
    text: string,
    signal: AbortSignal,
  ): Promise<{ url: URL; answer: IncomingMessage }> => {
    let url = parseWebAddress(text)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const checked = await checkWebAddress(url, rules)
      signal.throwIfAborted()
      const answer = await ask(checked, { signal, ca })
      const { statusCode = 0, headers } = answer
      if (statusCode === 200) return { url, answer }
      answer.destroy()
      if (!REDIRECTS.has(statusCode) || headers.location === undefined)
        throw new Error(`${url.host} responded with ${statusCode}.`)
      url = resolveRedirect(url, headers.location)
    }
    throw new Error(`There are more than ${MAX_REDIRECTS} redirects.`)
  }

  return {
    async check(text) {
      const url = parseWebAddress(text)
      await checkInConstantTime(url, rules)
      return url.href
    },

    async open(text, { maxBytes, signal }) {
      const startedAt = performance.now()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new Error('There was no response in time.')), limits.answerMs)
      let found: { url: URL; answer: IncomingMessage }
      try {
        const lost = Promise.withResolvers<never>()
        late.signal.addEventListener('abort', () => lost.reject(late.signal.reason), { once: true })
        found = await Promise.race([follow(text, AbortSignal.any([signal, late.signal])), lost.promise])
      } catch (cause) {
        signal.throwIfAborted()
        // Refused, filtered, unknown and silent hosts must look alike, so all failures are reported after the same
        // time.
        await waitUntil(startedAt + limits.answerMs, signal)
        throw new DownloadError('unreachable', { cause })
      } finally {
        clearTimeout(timer)
      }
      return describe(found, { ...limits, maxBytes })
    },
  }
}

function describe(
  { url, answer }: { url: URL; answer: IncomingMessage },
  limits: DownloadLimits & { maxBytes: number },
): Download {
  const { headers } = answer
  const length = headers['content-length']
  const totalBytes = length === undefined ? null : Number(length)
  try {
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new DownloadError('encoded')
    if (totalBytes !== null && totalBytes > limits.maxBytes) throw new DownloadError('too-large')
  } catch (error) {
    answer.destroy()
    throw error
  }
  return {
    url,
    totalBytes,
    contentDisposition: headers['content-disposition'],
    body: readBody(answer, limits),
    close: () => void answer.destroy(),
  }
}
