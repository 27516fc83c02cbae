import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const HSTS_SECONDS = 180 * 24 * 60 * 60

/** No inline script and no eval; only WebAssembly may be compiled, for the label decoder. */
const policy = (styles: string): string =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')

/** Built once: building the policy for each response takes a twentieth of its time. */
const POLICY = policy("'self'")

/** The policy of a page, whose style elements carry the nonce (dialogs and menus create some). */
export const pagePolicy = (nonce: string): string => policy(`'self' 'nonce-${nonce}'`)

/** The policy of a page with one style element, which holds exactly `style`. */
export const styledPagePolicy = (style: string): string =>
  policy(`'self' 'sha256-${hash('sha256', style, 'base64')}'`)

/** The same of every response. Written out once, because they are part of each of thousands of responses a second. */
const ALWAYS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** Headers of every response. HSTS only if the product is served over HTTPS, because it would block plain HTTP. */
export function addSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  const always = options.isHttps
    ? { ...ALWAYS, 'strict-transport-security': `max-age=${HSTS_SECONDS}` }
    : ALWAYS
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(always)
    reply.header('x-request-id', request.id)
    // Product media may be shown by other sites, and says so itself.
    if (!reply.hasHeader('cross-origin-resource-policy'))
      reply.header('cross-origin-resource-policy', 'same-origin')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', POLICY)
    // A response without a caching header belongs to its caller alone.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
}

/** For responses that no hook sees, such as those to undecodable addresses: nothing may load at all. */
export const BARE_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
