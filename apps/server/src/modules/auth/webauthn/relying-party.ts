import { isIP } from 'node:net'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'

/** The site at which keys and devices sign (the WebAuthn relying party). */
export interface RelyingParty {
  /** The host of our address, or one of its parent domains. */
  id: string
  name: string
  /** The origins whose pages may use a key. */
  origins: readonly string[]
}

export interface RelyingPartySettings {
  /** The domain that the site uses as its id. If null, this is the host of our own address. */
  id: string | null
  /** Additional origins whose pages may use a key. */
  origins: readonly string[]
}

/** Returns whether pages at a host may use credentials for the site with this id. */
const belongsTo = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`)

/**
 * Returns whether browsers can use keys at this address. They require a host name rather than an IP address. They also
 * require https, unless the host is localhost.
 */
function isUsable({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 && (protocol === 'https:' || host === 'localhost' || host.endsWith('.localhost'))
}

/** Returns the site of this instance, or null if no browser would use a key at our address. */
export function relyingPartyOf(publicUrl: string, settings: RelyingPartySettings): RelyingParty | null {
  const own = new URL(publicUrl)
  const id = settings.id ?? own.hostname
  if (!isUsable(own) || !belongsTo(own.hostname, id)) return null
  return { id, name: PRODUCT_NAME, origins: [own.origin, ...settings.origins] }
}
