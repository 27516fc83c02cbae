import { isIP } from 'node:net'
import type { OutboundPolicy } from './outbound-policy.ts'
import { type ResolveHost, noHosts } from './resolve-host.ts'
import { CodedError } from '../errors/coded-error.ts'

/**
 * An address that must not be fetched. The reason is for the log only, because it could reveal details of our
 * network.
 */
export class AddressRefusedError extends CodedError {
  readonly code = 'ADDRESS_REFUSED'
}

/** A web address with all IP addresses of its host. Connecting to any of them is allowed. */
export interface CheckedAddress {
  url: URL
  addresses: readonly string[]
}

/** Returns whether the host of a URL is this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

const MAX_LENGTH = 2000
/**
 * Programs interpret these characters in an address differently, so they could be used to bypass the checks.
 */
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const AMBIGUOUS = /[\u0000-\u0020\u007f-\u00a0\\]/
/** Names that never belong to the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's "internal"). */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion|test|invalid)$/

/**
 * Parses an address as browsers do. Throws AddressRefusedError for anything but a plain web address, such as
 * another scheme, user information or ambiguous characters.
 */
export function parseWebAddress(text: string): URL {
  if (text.length > MAX_LENGTH || AMBIGUOUS.test(text) || !/^https?:\/\/[^/]/i.test(text))
    throw new AddressRefusedError('This is not a plain web address.')
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AddressRefusedError('This is not a web address.')
  if (url.username !== '' || url.password !== '') throw new AddressRefusedError('It names a user.')
  url.hash = ''
  return url
}

/**
 * Returns the target of a redirect. The target must be checked like any other address. Throws
 * AddressRefusedError like `parseWebAddress`, and also for a change from HTTPS to plain HTTP.
 */
export function resolveRedirect(from: URL, location: string): URL {
  const target = URL.parse(location, from.href)
  if (!target) throw new AddressRefusedError('The redirect has no valid address.')
  const next = parseWebAddress(target.href)
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new AddressRefusedError('The redirect leads to an address without encryption.')
  return next
}

/** Returns the host name or IP address in the form that rules use. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '')

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Resolves all addresses of the host. Throws AddressRefusedError unless all of them are allowed. */
export async function checkWebAddress(
  url: URL,
  deps: { reach: OutboundPolicy; resolve: ResolveHost; timeoutMs: number },
): Promise<CheckedAddress> {
  const { reach, resolve, timeoutMs } = deps
  const host = hostOf(url)
  if (resolve === noHosts) throw new AddressRefusedError(`${url.host} may not be reached from here.`)
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host)
  const stranger = addresses.find((address) => !reach.allows(host, address, portOf(url)))
  if (addresses.length === 0 || stranger !== undefined)
    throw new AddressRefusedError(
      `${url.host} stands for ${stranger ?? 'nothing'}, which may not be reached.`,
    )
  return { url, addresses }

  async function addressesOf(name: string): Promise<string[]> {
    const isTrusted = reach.isNamed(name)
    if (!isTrusted && (LOCAL_NAME.test(name) || !name.includes('.')))
      throw new AddressRefusedError(`${name} is not a public host name.`)
    try {
      return await resolve(name, { isTrusted, timeoutMs })
    } catch (cause) {
      throw new AddressRefusedError(`${name} has no address.`, { cause })
    }
  }
}
