import { setTimeout as wait } from 'node:timers/promises'
import { MAIN_SITE_TIMEOUT_SECONDS } from '@pegasus/contracts/products/products'
import { SECOND_MS } from '../../../platform/clock.ts'
import { plainWords, readAnswer, type SiteAnswer, wordsOf } from './main-site-answer.ts'

export interface SiteCall {
  method: 'GET' | 'POST' | 'PUT'
  /** Below the site's address, such as `/api/admin/products`. */
  path: string
  body?: unknown
  idempotencyKey?: string
}

/** How a call ended. Whatever the other side does is a value here, and never an exception. */
export type SiteOutcome =
  | { ok: true; status: number; body: unknown }
  /** `status` is null where no answer came, so that nobody knows what the site has done. */
  /** `isUnsent`: it did not get as far as the site, which therefore has done nothing. */
  | { ok: false; status: number | null; message: string; isUnsent?: boolean }

/** With the answer as it came, which may repeat a key: for whoever asked, and never to be handed on. */
export type AnsweredOutcome = SiteOutcome & { answer?: SiteAnswer }

/** What may be handed on. */
export const withoutAnswer = (outcome: AnsweredOutcome): SiteOutcome =>
  outcome.ok ? { ok: true, status: outcome.status, body: outcome.body } : failureOf(outcome)

/** The same of one that failed. */
export const failureOf = ({
  status,
  message,
  isUnsent,
}: Extract<SiteOutcome, { ok: false }>): Extract<SiteOutcome, { ok: false }> => ({
  ok: false,
  status,
  message,
  ...(isUnsent && { isUnsent }),
})

/** The way to a site: no other code sends its key. */
export interface SiteCalls {
  url: string
  /** All the time that bringing a product may take. */
  timeoutMs: number
  /** Takes the keys out of a text that people may read. */
  hide(text: string): string
  /** Follows the site's wish to be called later where the time allows it. */
  call(call: SiteCall, waitMs?: number): Promise<AnsweredOutcome>
}

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
/** Those that repeat the very request; the others would make a GET of it. */
const REPEATING = new Set([307, 308])

/** A sentence about the other side that says all there is to say. */
class SiteError extends Error {
  override name = 'SiteError'
}

export function createSiteCalls(options: {
  /** Without a slash at its end. */
  url: string
  /** What signs a call in. */
  headers: Readonly<Record<string, string>>
  /** What must never be shown, the longest first. */
  secrets: readonly string[]
  timeoutMs?: number | undefined
}): SiteCalls {
  const { url: siteUrl, headers, secrets, timeoutMs = MAIN_SITE_TIMEOUT_SECONDS * SECOND_MS } = options
  const { origin } = new URL(siteUrl)

  // A site that repeats what it was sent must not show a key to people.
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

  /** Follows redirects within the site alone: the key is for nobody else. */
  const ask = async (call: SiteCall, signal: AbortSignal): Promise<Response> => {
    let url = `${siteUrl}${call.path}`
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await fetch(url, {
        method: call.method,
        headers: headersOf(call),
        redirect: 'manual',
        signal,
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      })
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
        throw new SiteError(`The main site redirects (HTTP ${status}) instead of taking the request.`)
      url = next.href
    }
    throw new SiteError(`The main site redirects more than ${MAX_REDIRECTS} times.`)
  }

  const read = async (response: Response): Promise<SiteAnswer> => {
    const text = await readText(response)
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
      const answer = await read(response)
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
        // What was turned away has done nothing, so it can be said again.
        if (performance.now() - begunAt + retryAfterMs >= waitMs) return outcome
        await wait(retryAfterMs)
      }
    },
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new SiteError('The answer of the main site is too long.')
    chunks.push(chunk)
  }
  // Some shops begin their answers with a byte order mark, which is no part of them.
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens at its address',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'nobody answers at its address',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answers at its address',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

const causeOf = (error: unknown): string =>
  (error instanceof Error ? codeOf(error.cause) : '') || codeOf(error)

/** Whether there was no connection that anything could be sent on. A connection that times out may have been one. */
const isUnreached = (error: unknown): boolean => {
  const cause = causeOf(error)
  return cause !== 'ETIMEDOUT' && cause in CAUSES
}

/** Why no answer came, in a sentence. */
function reasonOf(error: unknown, late: AbortSignal, timeoutMs: number): string {
  if (error instanceof SiteError) return error.message
  if (late.aborted) return `The main site did not answer within ${Math.round(timeoutMs / 100) / 10} seconds.`
  const known = CAUSES[causeOf(error)]
  if (known !== undefined) return `The main site cannot be reached: ${known}.`
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(causeOf(error))) return 'The certificate of the main site is not valid.'
  return 'The connection to the main site broke off before it had answered.'
}
