import { isIP } from 'node:net'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'

/** The site that keys and devices sign for. */
export interface RelyingParty {
  /** The host, or a domain above it. */
  id: string
  name: string
  /** Addresses whose pages may ask a key. */
  origins: readonly string[]
}

export interface RelyingPartySettings {
  /** Replaces the host of our own address; null for none. */
  id: string | null
  /** Pages of other addresses that may ask a key too. */
  origins: readonly string[]
}

/** Whether pages of that host may use credentials of that site. */
const belongsTo = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`)

/** Browsers know keys by names only, and only over an encrypted connection or on the same machine. */
function isUsable({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 && (protocol === 'https:' || host === 'localhost' || host.endsWith('.localhost'))
}

/** The site of this instance; null if no browser would use a key at its address. */
export function relyingPartyOf(publicUrl: string, settings: RelyingPartySettings): RelyingParty | null {
  const own = new URL(publicUrl)
  const id = settings.id ?? own.hostname
  if (!isUsable(own) || !belongsTo(own.hostname, id)) return null
  return { id, name: PRODUCT_NAME, origins: [own.origin, ...settings.origins] }
}
