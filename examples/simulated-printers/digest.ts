import { createHash, randomBytes } from 'node:crypto'
import type { PrinterRequest } from './wire.ts'

const REALM = 'Printer API'
/** The default name of PrusaLink's user. */
const USER = 'maker'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Nonces that this process has issued. */
const nonces = new Set<string>()

/** Returns the header that requests digest authentication. */
export function digestChallenge(): string {
  const nonce = randomBytes(16).toString('hex')
  nonces.add(nonce)
  return `Digest realm="${REALM}", nonce="${nonce}", qop="auth"`
}

/** Returns whether the request proves the password with digest authentication (RFC 7616, MD5). */
export function isDigestValid({ method, headers }: PrinterRequest, password: string): boolean {
  const { authorization = '' } = headers
  if (!authorization.startsWith('Digest ')) return false
  const value = (name: string): string =>
    new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^ ,]*))`).exec(authorization)?.slice(1).find(Boolean) ?? ''
  const nonce = value('nonce')
  if (!nonces.has(nonce) || value('username') !== USER || value('realm') !== REALM) return false
  const ha1 = md5(`${USER}:${REALM}:${password}`)
  const ha2 = md5(`${method}:${value('uri')}`)
  const middle = value('qop') === '' ? nonce : `${nonce}:${value('nc')}:${value('cnonce')}:${value('qop')}`
  return value('response') === md5(`${ha1}:${middle}:${ha2}`)
}
