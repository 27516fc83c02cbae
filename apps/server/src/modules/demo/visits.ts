import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { DEMO_COOKIE, DEMO_HEADER } from '@pegasus/contracts/demo'
import { type Clock, HOUR_MS } from '../../platform/clock.ts'
import type { RootSecret } from '../../platform/root-secret.ts'

/** A person's visit to the demo. It belongs to the session in the shop in which it began. */
export interface Visit {
  demoId: string
  accountId: string
  sessionId: string
}

const LIFETIME_MS = 12 * HOUR_MS
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const VALUE = new RegExp(`^(${UUID})\\.(${UUID})\\.(${UUID})\\.(\\d{1,12})\\.([\\w-]{43})$`)
const IN_COOKIES = new RegExp(`(?:^|;\\s*)${DEMO_COOKIE}=([^;]*)`)

/** Creates and reads the cookie of a visit. */
export interface Visits {
  /** Returns the `Set-Cookie` header that begins a visit. */
  begin(visit: Visit): string
  /** Returns the `Set-Cookie` header that ends a visit. */
  end(): string
  /**
   * Returns the visit in a cookie. Returns null if this installation has not issued the cookie, or if it has expired.
   */
  read(cookie: string): Visit | null
}

/** Creates and reads cookies of visits. They are signed, so nobody can invent or change one. */
export function createVisits(deps: { secret: RootSecret; clock: Clock; isHttps: boolean }): Visits {
  const key = deps.secret.deriveKey('demo-visits')
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const cookie = (value: string, seconds: number): string =>
    `${DEMO_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${deps.isHttps ? '; Secure' : ''}`
  return {
    begin({ demoId, accountId, sessionId }) {
      const endsAt = Math.floor((deps.clock.now().getTime() + LIFETIME_MS) / 1000)
      const text = `${demoId}.${accountId}.${sessionId}.${endsAt}`
      return cookie(`${text}.${sign(text)}`, LIFETIME_MS / 1000)
    },
    end: () => cookie('', 0),
    read(value) {
      const [, demoId, accountId, sessionId, endsAt, signature] = VALUE.exec(value) ?? []
      if (!demoId || !accountId || !sessionId || !signature) return null
      const expected = sign(`${demoId}.${accountId}.${sessionId}.${endsAt}`)
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
      return Number(endsAt) * 1000 > deps.clock.now().getTime() ? { demoId, accountId, sessionId } : null
    },
  }
}

/**
 * Paths that always belong to the shop: the switch of the demo, the paths for other programs and for monitoring, and
 * the paths to which a sign-in provider or an email leads back.
 */
const SHOP_PATHS =
  /^\/(?:api\/demo|metrics|healthz|readyz|spoolman|rest|realtime|functions|auth\/v1\/(?:callback|authorize|verify|sso))(?:[/?]|$)/
/** Matches the access token of a person, which has three parts. API keys have a different form. */
const PERSON = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+ *$/i

/** Paths of the switch of the demo. The demo's pages call it to leave the demo. */
const OWN_PATHS = /^\/api\/demo(?:[/?]|$)/

/**
 * A request that may belong to the demo. If `isBound` is true, a page of the demo sent it, so the shop must not answer
 * it. If `isForeign` is true, it is meant for the shop, so the demo must not answer it either and it is refused.
 */
export interface DemoRequest {
  cookie: string
  isBound: boolean
  isForeign: boolean
}

/**
 * Returns the cookie of the visit (empty if missing) for a request that may belong to the demo. Returns null for a
 * request to the shop. Pages of the demo mark their requests with a header. Of all other requests, only those that a
 * browser makes by itself, such as for pages and pictures, follow the cookie. So calls of the shop's page in another
 * tab stay in the shop, and so do requests with an API key. A page of the demo reaches only the demo and its switch.
 */
export function readDemoRequest({ method, url = '/', headers }: IncomingMessage): DemoRequest | null {
  const isBound = headers[DEMO_HEADER] !== undefined
  const cookie = IN_COOKIES.exec(headers.cookie ?? '')?.[1]
  if (!isBound && cookie === undefined) return null
  const { authorization } = headers
  const isOfShop = SHOP_PATHS.test(url) || headers['x-api-key'] !== undefined
  if (isBound) {
    if (OWN_PATHS.test(url)) return null
    const isForeign = isOfShop || (authorization !== undefined && !PERSON.test(authorization))
    return { cookie: cookie ?? '', isBound, isForeign }
  }
  if (isOfShop) return null
  const isBrowsing = method === 'GET' || method === 'HEAD'
  if (!isBrowsing || authorization !== undefined || headers.accept === 'application/json') return null
  return { cookie: cookie ?? '', isBound, isForeign: false }
}
