import { lookup, Resolver } from 'node:dns/promises'

/** Returns all IPv4 and IPv6 addresses of a name. Throws if there are none, or on timeout. */
export type ResolveHost = (
  host: string,
  options: { isTrusted: boolean; timeoutMs: number },
) => Promise<string[]>

/** Prevents all outgoing connections: with it, `checkWebAddress` and `findDeviceAddresses` refuse every address. */
export const noHosts: ResolveHost = async () => []

/**
 * Resolves a name by asking the name servers directly. Only for names that the operator trusts, uses the resolver of
 * the system, which also knows the hosts file and local names. It blocks one of the few threads that also read files.
 */
export const resolveHost: ResolveHost = async (host, { isTrusted, timeoutMs }) => {
  if (isTrusted) return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
  // The resolver applies its timeout to each name server in turn, so limit the whole query as well.
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  throw answers[0].status === 'rejected' ? answers[0].reason : new Error(`${host} has no address.`)
}
