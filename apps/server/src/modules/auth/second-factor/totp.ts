import { Secret, TOTP } from 'otpauth'

/** Parameters of RFC 6238. Every authenticator app supports them, and the hosted service uses them. */
const CODES = { algorithm: 'SHA1', digits: 6, period: 30 }
const CODE = /^\d{6}$/
const SECRET_BYTES = 20
/** How many codes before and after the current one are also accepted, because clocks differ and people type slowly. */
const SKEW = 1
const PERIOD_MS = CODES.period * 1000

/** Returns a new secret of 160 bits in Base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns the `otpauth://totp/…` address of a secret, which authenticator apps read from a QR code. */
export const totpUri = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...CODES, issuer, label: account, secret }).toString()

/**
 * Returns the time step to which a code belongs, counted in units of 30 seconds since 1970. Returns null for a wrong
 * code. Ignores spaces.
 */
export function findTotpStep(secret: string, typed: string, now: Date): number | null {
  const token = typed.replace(/\s/g, '')
  if (!CODE.test(token)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    ...CODES,
    token,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: SKEW,
  })
  return delta === null ? null : Math.floor(timestamp / PERIOD_MS) + delta
}
