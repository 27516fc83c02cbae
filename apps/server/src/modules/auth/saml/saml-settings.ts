import { type KeyObject, createPrivateKey } from 'node:crypto'
import { isBaseAddress } from '@pegasus/contracts/web-address'
import { MINUTE_MS } from '../../../platform/clock.ts'
import { readDurationMs } from '../../../platform/go-duration.ts'
import { StartupError } from '../../../platform/startup-error.ts'

/** The settings for single sign-on through SAML. */
export interface SamlSettings {
  /** The base of our addresses. It ends in `/auth/v1`. */
  baseUrl: string
  /** The configured key. If null, the server generates its own. */
  privateKey: KeyObject | null
  /** The next signing key. It is already configured and published in our metadata. */
  nextPrivateKey: KeyObject | null
  /** How much time a person has to sign in at the provider. */
  stateMs: number
}

const DEFAULT_STATE_MS = 10 * MINUTE_MS
const MAX_STATE_MS = 60 * MINUTE_MS
const MIN_KEY_BITS = 2048

const lack = (name: string, should: string): never => {
  throw new StartupError(`GOTRUE_SAML_${name} should hold ${should}.`)
}

/** Reads a key in the form that the hosted service expects: PKCS#1 in base64. The error does not contain the value. */
function readKey(name: string, text: string | undefined): KeyObject | null {
  if (text === undefined) return null
  const should = `an RSA key of at least ${MIN_KEY_BITS} bits, in the form PKCS#1 (DER) and base64`
  try {
    const key = createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'pkcs1' })
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS) return key
  } catch {
    // Ignore this error, because it could contain parts of the key. The error below replaces it.
  }
  return lack(name, should)
}

/**
 * Reads the settings. Returns null unless `GOTRUE_SAML_ENABLED=true`. Throws StartupError for a setting that
 * is wrong or not supported.
 */
export function readSamlSettings(
  given: Readonly<Record<string, string>>,
  publicUrl: string,
): SamlSettings | null {
  const readSetting = (name: string): string | undefined => given[`GOTRUE_SAML_${name}`]?.trim()
  const flag = (name: string): boolean => {
    const text = readSetting(name) ?? 'false'
    return text === 'true' || (text === 'false' ? false : lack(name, 'true or false'))
  }
  if (!flag('ENABLED')) return null
  if (flag('ALLOW_ENCRYPTED_ASSERTIONS'))
    lack('ALLOW_ENCRYPTED_ASSERTIONS', 'false, because encrypted assertions are not part of this version')
  const base = readSetting('EXTERNAL_URL')?.replace(/\/+$/, '') ?? `${publicUrl}/auth/v1`
  if (!isBaseAddress(base))
    lack(
      'EXTERNAL_URL',
      'a web address without a user name and a password, such as https://ops.example.com/auth/v1',
    )
  const period = readSetting('RELAY_STATE_VALIDITY_PERIOD')
  const stateMs = period === undefined ? DEFAULT_STATE_MS : (readDurationMs(period) ?? 0)
  if (stateMs <= 0 || stateMs > MAX_STATE_MS)
    lack('RELAY_STATE_VALIDITY_PERIOD', 'a duration of at most one hour, such as 10m')
  return {
    baseUrl: base,
    privateKey: readKey('PRIVATE_KEY', readSetting('PRIVATE_KEY')),
    nextPrivateKey: readKey('PRIVATE_KEY_NEXT', readSetting('PRIVATE_KEY_NEXT')),
    stateMs,
  }
}
