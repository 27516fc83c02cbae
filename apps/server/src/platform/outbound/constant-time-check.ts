import { isIP } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { OutboundPolicy } from './outbound-policy.ts'
import type { ResolveHost } from './resolve-host.ts'
import { checkWebAddress, hostOf } from './web-address.ts'

/**
 * Checks an address that a person has entered. A forbidden IP address is refused at once. A forbidden or unknown name
 * is refused after exactly `timeoutMs`, so that the duration does not reveal which names exist in our network. Throws
 * AddressRefusedError.
 */
export async function checkInConstantTime(
  url: URL,
  rules: { reach: OutboundPolicy; resolve: ResolveHost; timeoutMs: number },
): Promise<void> {
  const startedAt = performance.now()
  try {
    await checkWebAddress(url, rules)
  } catch (error) {
    if (isIP(hostOf(url)) === 0) await waitUntil(startedAt + rules.timeoutMs)
    throw error
  }
}

export async function waitUntil(moment: number, signal?: AbortSignal): Promise<void> {
  const restMs = moment - performance.now()
  if (restMs > 0) await wait(restMs, undefined, { signal })
}
