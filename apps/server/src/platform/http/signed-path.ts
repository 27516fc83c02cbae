import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { type Clock, HOUR_MS } from '../clock.ts'
import { FifoCache } from '../fifo-cache.ts'

const LIFETIME_HOURS = 24
/**
 * How many signed addresses are remembered. A list has a hundred addresses and is requested repeatedly, and
 * signing them each time would take longer than writing the list.
 */
const MAX_REMEMBERED = 5000

/**
 * Signs the addresses of pictures and downloads, because browsers request them without a token. A signed address
 * permits only reading, for 24 to 25 hours. It ends at a full hour, so an address stays the same for an hour, and
 * browsers can cache the response.
 */
export interface PathSigner {
  sign(path: string): string
  /**
   * When an address signed at this moment expires, in Unix seconds. Until the value changes, signing a path
   * again returns the same address.
   */
  endOfAddresses(): number
  /** Whether we signed the address and it has not expired. `url` is the path with the query, as received. */
  isValid(url: string): boolean
}

/**
 * Matches an unsigned address in JSON from the database: `"…_path":"~/api/…~&of=…"`. It begins with a field name and
 * `":"`, which cannot occur inside a value.
 */
const UNSIGNED = /"([a-z_]*_path)":"~([^"~]*)~([^"]*)"/g

/**
 * Signs the addresses in JSON that the database has written. Text after the second tilde is appended after
 * the signature.
 */
export const signPaths = (json: string, signer: PathSigner): string =>
  json.replace(
    UNSIGNED,
    (_, name: string, path: string, rest: string) => `"${name}":"${signer.sign(path)}${rest}"`,
  )

export function createPathSigner(options: { key: Buffer; clock: Clock }): PathSigner {
  // A key object is prepared once. A key in a buffer would be prepared again for each address.
  const key = createSecretKey(options.key)
  const signatureOf = (path: string, expiresAt: number): string =>
    createHmac('sha256', key).update(`${path}\n${expiresAt}`).digest('base64url')
  const signed = new FifoCache<{ address: string; expiresAt: number }>(MAX_REMEMBERED)

  const endOfAddresses = (): number => {
    const thisHour = Math.floor(options.clock.now().getTime() / HOUR_MS)
    return ((thisHour + LIFETIME_HOURS + 1) * HOUR_MS) / 1000
  }

  return {
    endOfAddresses,
    sign(path) {
      const expiresAt = endOfAddresses()
      const known = signed.get(path)
      if (known?.expiresAt === expiresAt) return known.address
      const address = `${path}?expires=${expiresAt}&signature=${signatureOf(path, expiresAt)}`
      signed.set(path, { address, expiresAt })
      return address
    },
    isValid(url) {
      const [path = '', query = ''] = url.split('?', 2)
      const parameters = new URLSearchParams(query)
      const expiresAt = Number(parameters.get('expires'))
      const given = Buffer.from(parameters.get('signature') ?? '')
      const expected = Buffer.from(signatureOf(path, expiresAt))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
      return expiresAt * 1000 > options.clock.now().getTime()
    },
  }
}
