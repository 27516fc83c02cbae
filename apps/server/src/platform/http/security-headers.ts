import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const HSTS_SECONDS = 180 * 24 * 60 * 60

/**
 * Returns the content security policy. It allows neither inline scripts nor eval. WebAssembly may be
 * compiled, because the decoder for scanned labels needs it. `project` is the origin of a hosted project, to which the
 * page may connect, and from which it shows pictures and videos.
 */
function policy(styles: string, project: string | null = null): string {
  const own = project === null ? "'self'" : `'self' ${project}`
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src ${styles}`,
    `img-src ${own} data: blob:`,
    `media-src ${own} blob:`,
    "worker-src 'self' blob:",
    `connect-src ${own}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')
}

/**
 * The policy is built once, because building it for each response would take a twentieth of the response's
 * time.
 */
const POLICY = policy("'self'")

/**
 * Returns the policy for a page that allows style elements with the nonce, because dialogs and menus create such
 * elements.
 */
export const pagePolicy = (nonce: string, project: string | null): string =>
  policy(`'self' 'nonce-${nonce}'`, project)

/** Returns the policy for a page with one style element, whose content is exactly `style`. */
export const styledPagePolicy = (style: string): string =>
  policy(`'self' 'sha256-${hash('sha256', style, 'base64')}'`)

/**
 * Headers that are the same in every response. They are built once, because the server sends thousands of responses per
 * second.
 *
 * `Origin-Agent-Cluster` is left out. Together with the opener policy, it would keep Chromium from storing compiled
 * scripts, and each visit would compile them again. Browsers separate origins even without this header.
 */
const ALWAYS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/**
 * Adds headers to every response. HSTS is sent only if the address of the server is HTTPS, because HSTS would block
 * plain HTTP.
 */
export function addSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  const always = options.isHttps
    ? { ...ALWAYS, 'strict-transport-security': `max-age=${HSTS_SECONDS}` }
    : ALWAYS
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(always)
    reply.header('x-request-id', request.id)
    // Other sites may show product media, whose endpoint sets this header itself.
    if (!reply.hasHeader('cross-origin-resource-policy'))
      reply.header('cross-origin-resource-policy', 'same-origin')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', POLICY)
    // A response without a caching header must not be stored, because it may be private to its caller.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
}

/**
 * Headers for responses that are sent before any hook runs, such as those to malformed addresses. The policy lets a
 * page load nothing.
 */
export const BARE_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
