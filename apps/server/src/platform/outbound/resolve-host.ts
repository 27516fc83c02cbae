import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name, of both families. Throws if there are none, or on timeout. */
export type ResolveHost = (
  host: string,
  options: { isTrusted: boolean; timeoutMs: number },
) => Promise<string[]>

/**
 * Queries the name servers directly. The system resolver (hosts file, local names) is only for names the operator
 * trusts: it occupies one of the few file-reading threads until it answers.
 */
export const resolveHost: ResolveHost = async (host, { isTrusted, timeoutMs }) => {
  if (isTrusted) return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
  // Each server of the list has its own timeout, so the whole needs one, too.
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  throw answers[0].status === 'rejected' ? answers[0].reason : new Error(`${host} has no address.`)
}
