import { createHash, randomBytes } from 'node:crypto'
import type { SimulatedPrinter } from './printer.ts'
import type { PrinterRequest } from './wire.ts'

const REALM = 'Printer API'
/** The default name of PrusaLink's user. */
const USER = 'maker'
/** Prusa's firmware accepts a nonce for this time. Older versions accept it for five seconds. */
const NONCE_LIFETIME_MS = 300_000

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Returns the header that requests digest authentication. `isStale` means that only the nonce was wrong. */
export function digestChallenge({ nonces }: SimulatedPrinter, { isStale }: { isStale: boolean }): string {
  const nonce = randomBytes(16).toString('hex')
  nonces.set(nonce, Date.now())
  return `Digest realm="${REALM}", nonce="${nonce}", qop="auth", stale=${isStale}`
}

/**
 * Returns whether the request proves the password with digest authentication (RFC 7616, MD5), and with a valid nonce.
 */
export function checkDigest(
  { nonces }: SimulatedPrinter,
  { method, headers }: PrinterRequest,
  password: string,
): 'valid' | 'stale' | 'wrong' {
  const { authorization = '' } = headers
  if (!authorization.startsWith('Digest ')) return 'wrong'
  const value = (name: string): string =>
    new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^ ,]*))`).exec(authorization)?.slice(1).find(Boolean) ?? ''
  const nonce = value('nonce')
  if (value('username') !== USER || value('realm') !== REALM) return 'wrong'
  const ha1 = md5(`${USER}:${REALM}:${password}`)
  const ha2 = md5(`${method}:${value('uri')}`)
  const middle = value('qop') === '' ? nonce : `${nonce}:${value('nc')}:${value('cnonce')}:${value('qop')}`
  if (value('response') !== md5(`${ha1}:${middle}:${ha2}`)) return 'wrong'
  return Date.now() - (nonces.get(nonce) ?? 0) < NONCE_LIFETIME_MS ? 'valid' : 'stale'
}
