import { isIP, type LookupFunction } from 'node:net'

/** Returns a lookup that yields only the checked addresses, even if the name now resolves to others. */
export const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
