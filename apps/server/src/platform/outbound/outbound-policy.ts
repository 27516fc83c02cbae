import { BlockList, isIP } from 'node:net'

/** The usual ports of web servers. Any other port must be named in one of the operator's rules. */
const WEB_PORTS = new Set([80, 443, 8080, 8443])

/**
 * Ranges outside the public internet (IANA special-purpose registries), and one public address that cloud
 * services use internally.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/**
 * All allocated IPv6 addresses. Mapped, translated (NAT64), local and multicast addresses lie outside this
 * range.
 */
const GLOBAL_IPV6 = ['2000::/3']
/** Exceptions inside the range above: protocols such as Teredo, documentation, 6to4 and AS112. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return list
}

const specialIpv4 = listOf(SPECIAL_IPV4)
const globalIpv6 = listOf(GLOBAL_IPV6)
const specialIpv6 = listOf(SPECIAL_IPV6)

/**
 * Whether an address belongs to the public internet. Returns false for any text that is not a plain address.
 */
export function isPublicAddress(address: string): boolean {
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 4) return !specialIpv4.check(address, 'ipv4')
  return version === 6 && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

/**
 * An address that the operator allows in addition to the public internet, or an additional port of a public
 * address.
 */
export interface AllowRule {
  /** An address or a range of addresses; null if the rule names a host. */
  range: string | null
  host: string | null
  /** Null means the usual ports of web servers. */
  port: number | null
}

const RULE = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d{1,5}))?$/
const HOST = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/**
 * Parses a rule: `10.0.0.5`, `10.0.0.0/8`, `nas.local` or `fd00::/8`, each with an optional `:port`. An IPv6
 * address with a port needs brackets. Returns null for anything else.
 */
export function parseAllowRule(text: string): AllowRule | null {
  // Without brackets, the port could be mistaken for the last group of an IPv6 address.
  if (isRange(text)) return { range: text, host: null, port: null }
  const [, bracketed, plain, portText] = RULE.exec(text) ?? []
  const target = bracketed ?? plain ?? ''
  const port = portText === undefined ? null : Number(portText)
  if (port !== null && (port < 1 || port > 65_535)) return null
  if (isRange(target)) return { range: target, host: null, port }
  // Browsers read a host that ends in a number as an IP address.
  const isName = bracketed === undefined && HOST.test(target) && !/(?:^|\.)\d+$/.test(target)
  return isName ? { range: null, host: target.toLowerCase(), port } : null
}

/** Whether a rule names this host, or the host is a private IP address in the range of a rule. */
export function matchesRule(rules: readonly AllowRule[], host: string, port: number): boolean {
  const policy = createOutboundPolicy(rules)
  return policy.isNamed(host) || (!isPublicAddress(host) && policy.allows(host, host, port))
}

export interface OutboundPolicy {
  /** Whether the operator named this host. Only such a name may be resolved locally, too. */
  isNamed(host: string): boolean
  /** Whether a connection to this address of `host` is allowed. */
  allows(host: string, address: string, port: number): boolean
}

/**
 * Creates the policy for addresses that the server may reach on behalf of a person: web servers on the public
 * internet, and addresses in the operator's rules.
 */
export function createOutboundPolicy(rules: readonly AllowRule[]): OutboundPolicy {
  const known = rules.map((rule) => ({
    ...rule,
    family: familyOf(rule.range?.split('/')[0] ?? ''),
    list: rule.range === null ? null : listOf([rule.range]),
  }))
  return {
    isNamed: (host) => rules.some((rule) => rule.host === host),
    allows(host, address, port) {
      const isWebPort = WEB_PORTS.has(port)
      if (isWebPort && isPublicAddress(address)) return true
      if (address.includes('%') || isIP(address) === 0) return false
      const family = familyOf(address)
      return known.some((rule) => {
        const isPort = rule.port === null ? isWebPort : rule.port === port
        // A list of IPv4 ranges treats mapped IPv6 addresses like their IPv4 form.
        const isInRange = rule.family === family && (rule.list?.check(address, family) ?? false)
        return isPort && (rule.host === host || isInRange)
      })
    },
  }
}
