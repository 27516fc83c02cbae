import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

const HSTS_SECONDS = 180 * 24 * 60 * 60

/** No inline script and no eval; WebAssembly alone may be compiled, for the label decoder. */
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

/** Made once: a policy built anew for each answer costs a twentieth of it. */
const POLICY = policy("'self'")

/** The policy of a page, whose style elements carry the nonce (dialogs and menus make some). */
export const pagePolicy = (nonce: string): string => policy(`'self' 'nonce-${nonce}'`)

/** Headers of every response. HSTS only where the product is reached by https, since it would lock plain http out. */
export async function addSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: options.isHttps ? { maxAge: HSTS_SECONDS, includeSubDomains: false } : false,
  })
  app.addHook('onSend', async (request, reply: FastifyReply) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', POLICY)
    // An answer that says nothing about caching belongs to its caller alone.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/** For answers that no hook sees, such as those to an address that cannot be decoded: nothing may load at all. */
export const BARE_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
