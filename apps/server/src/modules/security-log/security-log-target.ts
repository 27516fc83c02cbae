import { isIP } from 'node:net'
import { hasUserInfo } from '@pegasus/contracts/web-address'
import { isLoopback } from '../../platform/outbound/web-address.ts'

/** The system that receives the security events: a syslog server, or a web address that takes lines of JSON. */
export type SecurityLogTarget =
  | { kind: 'http'; url: string; token: string | null }
  | { kind: 'tcp' | 'tls' | 'udp'; host: string; port: number }

const SYSLOG = /^syslog\+(tcp|tls|udp):$/
/** The default ports from RFC 6587, RFC 5425 and RFC 5426. */
const PORTS = { tcp: 601, tls: 6514, udp: 514 } as const
const HOST = /^[A-Za-z0-9.-]{1,253}$/

/** Parses the address of a target. Returns null if the address is missing or not valid. */
export function readSecurityLogTarget(address: string | undefined, token?: string): SecurityLogTarget | null {
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  if (hasUserInfo(address) || url.hash !== '') return null
  if (url.protocol === 'http:' || url.protocol === 'https:')
    return { kind: 'http', url: url.href, token: token ?? null }
  const kind = SYSLOG.exec(url.protocol)?.[1] as keyof typeof PORTS | undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (kind === undefined || !(HOST.test(host) || isIP(host) === 6)) return null
  if (!['', '/'].includes(url.pathname) || url.search !== '') return null
  return { kind, host, port: url.port === '' ? PORTS[kind] : Number(url.port) }
}

/** Returns whether the events and the token would cross the network as clear text, by HTTP to another machine. */
export function isReadableOnTheWay(target: SecurityLogTarget): boolean {
  if (target.kind !== 'http') return false
  const { protocol, hostname } = new URL(target.url)
  return protocol === 'http:' && !isLoopback(hostname)
}
