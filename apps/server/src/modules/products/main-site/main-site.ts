import { MAIN_SITE_TIMEOUT_SECONDS } from '@pegasus/contracts/products'
import { SECOND_MS } from '../../../platform/clock.ts'
import { doubtOf, findTold, plainWords, productOf, type SiteAnswer, wordsOf } from './main-site-answer.ts'

export interface MainSiteOptions {
  /** Without a slash at its end. */
  url: string
  /** Null where the site wants none. */
  adminKey: string | null
  adminHeader: string
  timeoutMs?: number
}

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
  | { ok: false; status: number | null; message: string }

/** The main shop site, as it is configured. */
export interface MainSite {
  url: string
  /** Calls any path on the site with the key in its header. */
  call(call: SiteCall): Promise<SiteOutcome>
  /** Brings a product: what the site calls it, or why it has not taken it. `spentMs` of its time have passed already. */
  publish(
    payload: unknown,
    idempotencyKey: string,
    spentMs?: number,
  ): Promise<
    { ok: true; status: number; id: string | null; url: string | null } | Extract<SiteOutcome, { ok: false }>
  >
  /** What the site tells of a product; null where it has none of that slug, or does not answer such questions. */
  find(slug: string): Promise<SiteProduct | null>
}

/** A product as the site tells it, in its own fields. */
export interface SiteProduct {
  status: number
  id: string | null
  url: string | null
  fields: Readonly<Record<string, unknown>>
}

const PRODUCTS_PATH = '/api/admin/products'
/** Of a question that a site need not answer: it must not use up the time for bringing the product. */
const LOOK_SECONDS = 5
const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
/** Those that repeat the very request; the others would make a GET of it. */
const REPEATING = new Set([307, 308])

/** A sentence about the other side that says all there is to say. */
class SiteError extends Error {
  override name = 'SiteError'
}

/** The one helper for the main site: no other code knows its key. */
export function createMainSite(options: MainSiteOptions): MainSite {
  const { url: siteUrl, adminKey, adminHeader, timeoutMs = MAIN_SITE_TIMEOUT_SECONDS * SECOND_MS } = options
  const { origin } = new URL(siteUrl)

  // A site that repeats what it was sent must not show the key to people.
  const withoutKey = (text: string): string => (adminKey ? text.replaceAll(adminKey, '•••') : text)

  const headersOf = ({ idempotencyKey }: SiteCall): Record<string, string> => ({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'Pegasus-Ops',
    ...(adminKey !== null && { [adminHeader]: adminKey }),
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
    const type = response.headers.get('content-type') ?? ''
    const isHtml = /\bhtml\b/i.test(type) || /^\s*<(!doctype|html|head|body)\b/i.test(text)
    return { status, statusText, isHtml, body: isHtml ? text : parsed(text) }
  }

  const call = async (
    given: SiteCall,
    waitMs = timeoutMs,
  ): Promise<SiteOutcome & { answer?: SiteAnswer }> => {
    const late = AbortSignal.timeout(waitMs)
    try {
      const answer = await read(await ask(given, late))
      const { status, body } = answer
      if (status >= 200 && status < 300) return { ok: true, status, body, answer }
      return { ok: false, status, message: wordsOf(answer, withoutKey) }
    } catch (error) {
      return { ok: false, status: null, message: plainWords(withoutKey(reasonOf(error, late, waitMs))) }
    }
  }

  return {
    url: siteUrl,
    call: (given) => call(given),

    async publish(payload, idempotencyKey, spentMs = 0) {
      const request = { method: 'POST', path: PRODUCTS_PATH, body: payload, idempotencyKey } as const
      const outcome = await call(request, Math.max(1, Math.floor(timeoutMs - spentMs)))
      if (!outcome.ok) return outcome
      const { status, body, answer } = outcome
      const doubt = answer ? doubtOf(answer) : null
      if (doubt !== null)
        return { ok: false, status, message: plainWords(`${doubt} ${saidIn(answer, withoutKey)}`) }
      return { ok: true, status, ...productOf(body, siteUrl, withoutKey) }
    },

    async find(slug) {
      const waitMs = Math.min(timeoutMs, LOOK_SECONDS * SECOND_MS)
      const outcome = await call({ method: 'GET', path: `${PRODUCTS_PATH}/${slug}` }, waitMs)
      const fields = outcome.ok && outcome.status === 200 ? findTold(outcome.body, slug) : null
      if (!outcome.ok || fields === null) return null
      return { status: outcome.status, fields, ...productOf(outcome.body, siteUrl, withoutKey) }
    },
  }
}

/** What a doubtful answer says, unless it only has a status to tell, which says that all is well. */
function saidIn(answer: SiteAnswer | undefined, hide: (text: string) => string): string {
  const words = answer ? wordsOf({ ...answer, statusText: '' }, hide) : ''
  return words.startsWith(`HTTP ${answer?.status}`) ? '' : words
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
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
  return Buffer.concat(chunks).toString('utf8')
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

/** Why no answer came, in a sentence. */
function reasonOf(error: unknown, late: AbortSignal, timeoutMs: number): string {
  if (error instanceof SiteError) return error.message
  if (late.aborted) return `The main site did not answer within ${Math.round(timeoutMs / 100) / 10} seconds.`
  const cause = error instanceof Error ? error.cause : undefined
  const known = CAUSES[codeOf(cause)] ?? CAUSES[codeOf(error)]
  if (known !== undefined) return `The main site cannot be reached: ${known}.`
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(codeOf(cause))) return 'The certificate of the main site is not valid.'
  return 'The connection to the main site broke off before it had answered.'
}
