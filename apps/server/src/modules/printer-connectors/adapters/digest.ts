import { createHash, randomBytes } from 'node:crypto'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

export interface DigestChallenge {
  realm: string
  nonce: string
  /** Whether the server requests the quality of protection (`qop`) `auth`. */
  hasAuth: boolean
}

/** Parses a `WWW-Authenticate` header. Returns null unless it requests digest authentication with MD5. */
export function parseDigestChallenge(header: string | undefined): DigestChallenge | null {
  if (!header || !/^digest /i.test(header) || header.length > 2000) return null
  const value = (name: string): string | undefined =>
    new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^ ,]*))`, 'i').exec(header)?.slice(1).find(Boolean)
  const [realm, nonce] = [value('realm'), value('nonce')]
  const isMd5 = /^md5$/i.test(value('algorithm') ?? 'MD5')
  if (realm === undefined || nonce === undefined || !isMd5) return null
  return { realm, nonce, hasAuth: /\bauth\b/.test(value('qop') ?? '') }
}

/** Returns the `Authorization` header for a request (RFC 7616). */
export function digestAuthorization(
  { realm, nonce, hasAuth }: DigestChallenge,
  request: { method: string; uri: string; user: string; password: string; count: number },
): string {
  const { method, uri, user, password, count } = request
  const ha1 = md5(`${user}:${realm}:${password}`)
  const ha2 = md5(`${method}:${uri}`)
  const fields = [`username="${user}"`, `realm="${realm}"`, `nonce="${nonce}"`, `uri="${uri}"`]
  if (!hasAuth) return `Digest ${[...fields, `response="${md5(`${ha1}:${nonce}:${ha2}`)}"`].join(', ')}`
  const cnonce = randomBytes(8).toString('hex')
  const nc = count.toString(16).padStart(8, '0')
  const response = md5(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}`)
  return `Digest ${[...fields, 'qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`, `response="${response}"`].join(', ')}`
}
