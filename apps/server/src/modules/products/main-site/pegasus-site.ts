import { SECOND_MS } from '../../../platform/clock.ts'
import {
  findProblem,
  findRemoteValues,
  isPlausible,
  OTHER_PRODUCT,
  plainWords,
  productOf,
  type SiteAnswer,
  wordsOf,
} from './main-site-answer.ts'
import type { MainSite, SitePublishing } from './main-site.ts'
import { createPegasusOrders } from './pegasus-orders.ts'
import { createSiteCalls, failureOf } from './site-calls.ts'

export interface PegasusSiteOptions {
  /** Address of the site, without a trailing slash. */
  url: string
  /** Null if the site needs no key. */
  adminKey: string | null
  adminHeader: string
  /** Secret that signs the site's webhooks. Null means that no webhooks are accepted. */
  webhookSecret: string | null
  timeoutMs?: number
}

interface PegasusSite extends MainSite {
  publish(payload: { slug: string }, idempotencyKey: string, spentMs?: number): Promise<SitePublishing>
}

const PRODUCTS_PATH = '/api/admin/products'
/** Timeout of an optional request. It is short, so that time is left to send the product. */
const LOOK_SECONDS = 5

/** Creates access to a shop that implements our own contract, see `examples/main-site`. */
export function createPegasusSite(options: PegasusSiteOptions): PegasusSite {
  const { url: siteUrl, adminKey, adminHeader } = options
  const calls = createSiteCalls({
    url: siteUrl,
    headers: adminKey === null ? {} : { [adminHeader]: adminKey },
    secrets: adminKey === null ? [] : [adminKey],
    timeoutMs: options.timeoutMs,
    isOwn: true,
  })
  const { call, timeoutMs, hide } = calls

  return {
    kind: 'pegasus',
    url: siteUrl,
    orders: createPegasusOrders(calls, options.webhookSecret),

    async publish(payload, idempotencyKey, spentMs = 0) {
      const request = { method: 'POST', path: PRODUCTS_PATH, body: payload, idempotencyKey } as const
      const outcome = await call(request, Math.max(1, Math.floor(timeoutMs - spentMs)))
      if (!outcome.ok) return failureOf(outcome)
      const { status, body, answer } = outcome
      const doubt = answer ? findProblem(answer, payload.slug) : null
      if (answer && doubt !== null)
        return {
          ok: false,
          status,
          message: plainWords(`${doubt} ${siteMessageOf(answer, hide)}`),
          isUnclear: true,
          plausible:
            doubt === OTHER_PRODUCT && isPlausible(answer, payload.slug)
              ? productOf(body, siteUrl, hide)
              : null,
        }
      return { ok: true, status, ...productOf(body, siteUrl, hide) }
    },

    async look(slug) {
      const waitMs = Math.min(timeoutMs, LOOK_SECONDS * SECOND_MS)
      const outcome = await call({ method: 'GET', path: `${PRODUCTS_PATH}/${slug}` }, waitMs)
      if (!outcome.ok) {
        const { status, message } = outcome
        if (status === 404 || status === 410) return { kind: 'missing', isCertain: status === 410 }
        return { kind: 'unclear', message, isAway: status === null || status === 429 || status >= 500 }
      }
      const fields = findRemoteValues(outcome.body, slug)
      if (fields === null)
        return {
          kind: 'unclear',
          message: outcome.answer?.isHtml
            ? 'The main site returned a web page instead of the product.'
            : OTHER_PRODUCT,
          isAway: false,
        }
      const { status, body } = outcome
      return { kind: 'found', status, fields, ...productOf(body, siteUrl, hide) }
    },
  }
}

/** Returns the site's own text in an unclear response, or an empty text. */
function siteMessageOf(answer: SiteAnswer | undefined, hide: (text: string) => string): string {
  const words = answer ? wordsOf({ ...answer, statusText: '' }, hide) : ''
  return words.startsWith(`HTTP ${answer?.status}`) ? '' : words
}
