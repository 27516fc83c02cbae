import { isIP } from 'node:net'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'

/** The site for which keys and devices sign. */
export interface RelyingParty {
  /** The host of our address, or a parent domain. */
  id: string
  name: string
  /** The origins whose pages may use a key. */
  origins: readonly string[]
}

export interface RelyingPartySettings {
  /** The domain to use instead of the host of our own address. Null to use that host. */
  id: string | null
  /** Additional origins whose pages may use a key. */
  origins: readonly string[]
}

/** Returns whether pages at this host may use the credentials of this site. */
const belongsTo = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`)

/**
 * Returns whether browsers can use keys at this address. They require a host name rather than an IP address,
 * and https unless the host is this machine.
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
