import { readText } from '../../../platform/outbound/read-body.ts'
import { traceCall } from '../../../platform/outbound/trace-call.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { MAIN_SITE_TIMEOUT_SECONDS } from '@pegasus/contracts/products/publishing'
import { SECOND_MS } from '../../../platform/clock.ts'
import { plainWords, readAnswer, type SiteAnswer, wordsOf } from './main-site-answer.ts'

export interface SiteCall {
  method: 'GET' | 'POST' | 'PUT'
  /** Path relative to the site's address, for example `/api/admin/products`. */
  path: string
  body?: unknown
  /** Maximum size of the response. The default is 1 MiB. */
  maxBytes?: number
  idempotencyKey?: string
}

/** Result of a call. Failures of the site are returned as values, never thrown. */
export type SiteOutcome = { ok: true; status: number; body: unknown } | SiteFailure

export interface SiteFailure {
  ok: false
  /** Null if no response arrived. The site's state is then unknown. */
  status: number | null
  message: string
  /** True if the request never reached the site, so that it changed nothing. */
  isUnsent?: boolean
}

export const failed = (status: number | null, message: string): SiteFailure => ({
  ok: false,
  status,
  message,
})

/**
 * An outcome with the raw response, which may contain a key. Only the caller may read the response; never
 * pass it on.
 */
export type AnsweredOutcome = SiteOutcome & { answer?: SiteAnswer }

/** Returns the part of an outcome that may be passed on. */
export const withoutAnswer = (outcome: AnsweredOutcome): SiteOutcome =>
  outcome.ok ? { ok: true, status: outcome.status, body: outcome.body } : failureOf(outcome)

/** The beginning of a JSON object or list. A body that is still a text and begins like this is broken JSON. */
const BROKEN_JSON = /^\s*[{[]/

/**
 * Returns the outcome of a change. A success with a web page (for example a maintenance notice) or a truncated response
 * counts as a failure, because the shop may not have made the change.
 */
export function confirmedOutcome(outcome: AnsweredOutcome): SiteOutcome {
  const { ok, status, answer } = outcome
  if (ok && answer?.isHtml)
    return failed(status, 'The main site returned a web page instead of accepting the change.')
  if (ok && typeof answer?.body === 'string' && BROKEN_JSON.test(answer.text))
    return failed(status, 'The main site returned a broken response, so it may not have accepted the change.')
  return withoutAnswer(outcome)
}

/** Returns the part of a failure that may be passed on. */
export const failureOf = ({ status, message, isUnsent }: SiteFailure): SiteFailure => ({
  ...failed(status, message),
  ...(isUnsent && { isUnsent }),
})

/** HTTP access to a site. The site's key is sent only by this code. */
export interface SiteCalls {
  url: string
  /** Time limit for sending a product, in milliseconds, for all calls together. */
  timeoutMs: number
  /** Masks the keys of the site in a text for people. */
  hide(text: string): string
  /**
   * Sends a call. If the site responds with `Retry-After`, and that delay fits into `waitMs`, waits and repeats the
   * call.
   */
  call(call: SiteCall, waitMs?: number): Promise<AnsweredOutcome>
}

const MAX_ANSWER_BYTES = 1024 * 1024
/** Maximum size of a response with a page of orders, each of which can have a thousand lines. */
export const MAX_LIST_BYTES = 32 * 1024 * 1024
const MAX_REDIRECTS = 3
/** Statuses of redirects that keep the method and the body. All other redirects would turn the request into a GET. */
const REPEATING = new Set([307, 308])

/** A failure of the site, with a complete sentence as message. */
class SiteError extends Error {
  override name = 'SiteError'
}

export function createSiteCalls(options: {
  /** Address of the site, without a trailing slash. */
  url: string
  /** Headers with the site's key, sent with each call. */
  headers: Readonly<Record<string, string>>
  /** Secrets that people must never see, longest first. */
  secrets: readonly string[]
  timeoutMs?: number | undefined
  /** Whether the operator runs the site, too. Its program then gets the headers that continue our traces. */
  isOwn?: boolean
}): SiteCalls {
  const { url: siteUrl, headers, secrets, timeoutMs = MAIN_SITE_TIMEOUT_SECONDS * SECOND_MS } = options
  const { isOwn = false } = options
  const { origin } = new URL(siteUrl)

  // The site may repeat our request in its response. So each key must be hidden in all forms in which it can occur
  // there.
  const disguised = secrets.flatMap((secret) => [
    ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  ])
  const hide = (text: string): string =>
    disguised.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)

  const headersOf = ({ idempotencyKey }: SiteCall): Record<string, string> => ({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'Pegasus-Ops',
    ...headers,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  })

  /** Sends a request. Follows redirects only within the site, because no other host may get the key. */
  const ask = async (call: SiteCall, signal: AbortSignal): Promise<Response> => {
    let url = `${siteUrl}${call.path}`
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const target = url
      const { method } = call
      const response = await traceCall({ method, url: new URL(target), isOwn }, (traceHeaders) =>
        fetch(target, {
          method,
          headers: { ...headersOf(call), ...traceHeaders },
          redirect: 'manual',
          signal,
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        }),
      )
      const { status } = response
      if (status < 300 || status > 399 || status === 304) return response
      await response.body?.cancel()
      const location = response.headers.get('location')
      const next = location !== null && URL.canParse(location, url) ? new URL(location, url) : null
      if (next?.origin !== origin)
        throw new SiteError(
          `The main site redirects to ${next ? next.origin : 'nowhere'}, which is not followed. Please correct MAIN_SITE_URL.`,
        )
      if (!REPEATING.has(status) && call.method !== 'GET')
        throw new SiteError(`The main site redirects (HTTP ${status}) instead of accepting the request.`)
      url = next.href
    }
    throw new SiteError(`The main site redirects more than ${MAX_REDIRECTS} times.`)
  }

  const read = async (response: Response, maxBytes: number): Promise<SiteAnswer> => {
    const text = await readAnswerText(response, maxBytes)
    const { status, statusText } = response
    return readAnswer({ status, statusText, type: response.headers.get('content-type') ?? '', text })
  }

  const callOnce = async (
    given: SiteCall,
    waitMs: number,
  ): Promise<AnsweredOutcome & { retryAfterMs?: number }> => {
    const late = AbortSignal.timeout(Math.max(1, Math.floor(waitMs)))
    try {
      const response = await ask(given, late)
      const answer = await read(response, given.maxBytes ?? MAX_ANSWER_BYTES)
      const { status, body } = answer
      if (status >= 200 && status < 300) return { ok: true, status, body, answer }
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      return {
        ok: false,
        status,
        message: wordsOf(answer, hide),
        answer,
        ...(status === 429 && seconds > 0 && { retryAfterMs: seconds * SECOND_MS }),
      }
    } catch (error) {
      const message = plainWords(hide(reasonOf(error, late, waitMs)))
      return { ok: false, status: null, message, isUnsent: !late.aborted && isUnreached(error) }
    }
  }

  return {
    url: siteUrl,
    timeoutMs,
    hide,
    async call(given, waitMs = timeoutMs) {
      const begunAt = performance.now()
      for (;;) {
        const leftMs = waitMs - (performance.now() - begunAt)
        const { retryAfterMs, ...outcome } = await callOnce(given, leftMs)
        if (retryAfterMs === undefined) return outcome
        // A call that was refused with `Retry-After` has changed nothing, so it can be repeated.
        if (performance.now() - begunAt + retryAfterMs >= waitMs) return outcome
        await wait(retryAfterMs)
      }
    },
  }
}

const readAnswerText = (response: Response, maxBytes: number) =>
  readText(response, maxBytes, () => new SiteError('The response of the main site is too long.'))

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens at its address',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no network route to it',
  ENETUNREACH: 'there is no network route to it',
  ETIMEDOUT: 'its address does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'its address does not respond',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

const causeOf = (error: unknown): string =>
  (error instanceof Error ? codeOf(error.cause) : '') || codeOf(error)

/** Returns whether no connection was made. After a connection timeout, this is uncertain, so it returns false. */
const isUnreached = (error: unknown): boolean => {
  const cause = causeOf(error)
  return cause !== 'ETIMEDOUT' && cause in CAUSES
}

/** Returns the reason why no response arrived, as a sentence for people. */
function reasonOf(error: unknown, late: AbortSignal, timeoutMs: number): string {
  if (error instanceof SiteError) return error.message
  if (late.aborted) return `The main site did not respond within ${Math.round(timeoutMs / 100) / 10} seconds.`
  const known = CAUSES[causeOf(error)]
  if (known !== undefined) return `The main site cannot be reached: ${known}.`
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(causeOf(error))) return 'The certificate of the main site is not valid.'
  return 'The connection to the main site was interrupted before the site responded.'
}
