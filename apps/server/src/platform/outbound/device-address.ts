import { BlockList, isIP } from 'node:net'
import { DeviceCallError } from './device-fault.ts'
import { type ResolveHost, noHosts } from './resolve-host.ts'
import { AddressRefusedError } from './web-address.ts'

/**
 * Address ranges that can never contain a device: the unspecified address, link-local addresses including those of
 * cloud metadata, multicast and reserved ranges, and translated (NAT64) addresses. An administrator may enter any other
 * address, including private addresses and this machine.
 */
const NEVER = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['224.0.0.0', 3],
] as const)
  NEVER.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['64:ff9b::', 96],
  // The range for IPv4 addresses that a local translator makes reachable over IPv6 (RFC 8215).
  ['64:ff9b:1::', 48],
] as const)
  NEVER.addSubnet(address, bits, 'ipv6')

const isAllowed = (address: string): boolean => {
  const version = address.includes('%') ? 0 : isIP(address)
  return version !== 0 && !NEVER.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Throws AddressRefusedError for an IP address that cannot belong to a device. A host name is checked when
 * the device is called.
 */
export function assertDeviceHost(host: string): void {
  if (isIP(host) > 0 && !isAllowed(host))
    throw new AddressRefusedError(`${host} is not the address of a device.`)
}

/**
 * Resolves all IP addresses of a device. Throws DeviceCallError if the name is unknown, or if one of its
 * addresses cannot belong to a device.
 */
export async function findDeviceAddresses(
  host: string,
  { resolve, timeoutMs }: { resolve: ResolveHost; timeoutMs: number },
): Promise<readonly string[]> {
  try {
    if (resolve === noHosts) throw new AddressRefusedError(`${host} may not be reached from here.`)
    const addresses =
      isIP(host) > 0
        ? [host]
        : // An administrator entered the name, so it may also be resolved locally.
          await resolve(host, { isTrusted: true, timeoutMs })
    if (addresses.length === 0 || !addresses.every(isAllowed))
      throw new AddressRefusedError(`${host} resolves to an address that is not the address of a device.`)
    return addresses
  } catch (cause) {
    throw new DeviceCallError('address', { wasSent: false, cause })
  }
}
