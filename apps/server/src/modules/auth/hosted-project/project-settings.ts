import { hasUserInfo, isBaseAddress } from '@pegasus/contracts/web-address'
import { decodeJwt } from 'jose'
import { StartupError } from '../../../platform/startup-error.ts'

/** The hosted project that holds the accounts and the product media instead of this server. */
export interface HostedProject {
  /** The address of the project, without a slash at its end. */
  url: string
  /** The key that browsers send. It grants no access. */
  anonKey: string
  /** The key with which the server reads roles. It never leaves the server. */
  serviceKey: string
}

type Variables = Readonly<Record<string, string | undefined>>

const NAMES = ['SUPABASE_URL', 'SUPABASE_ANON_KEY', 'SUPABASE_SERVICE_ROLE_KEY'] as const

const MAX_KEY_LENGTH = 4096
const SHAPE = /^[\w.-]+$/

/** Returns whether a text is a key of this kind: `sb_<prefix>_…`, or a JWT with this role. */
function isKey(key: string, prefix: string, role: string): boolean {
  if (!SHAPE.test(key) || key.length > MAX_KEY_LENGTH) return false
  if (key.startsWith('sb_')) return key.startsWith(`sb_${prefix}_`)
  try {
    return decodeJwt(key)['role'] === role
  } catch {
    return false
  }
}

const isProjectAddress = (address: string): boolean => isBaseAddress(address) && !hasUserInfo(address)

/**
 * Returns the hosted project; null if none is configured. Throws StartupError if one of its three variables is missing
 * or wrong. A key never appears in the message.
 */
export function readHostedProject(variables: Variables, publicUrl: string): HostedProject | null {
  const given = NAMES.filter((name) => variables[name] !== undefined)
  if (given.length === 0) return null
  const [url = '', anonKey = '', serviceKey = ''] = NAMES.map((name) => variables[name]?.trim())
  const fail = (name: (typeof NAMES)[number], should: string): never => {
    const value = variables[name]
    const holds = value === undefined ? 'nothing' : `a value of ${value.length} characters`
    const why =
      value === undefined ? `, but ${given.join(' and ')} ${given.length > 1 ? 'are' : 'is'} set` : ''
    throw new StartupError(`${name} holds ${holds}${why}; it should hold ${should}.`)
  }
  if (!isProjectAddress(url))
    fail('SUPABASE_URL', 'the web address of the hosted project, such as https://project.example.com')
  if (!isKey(anonKey, 'publishable', 'anon'))
    fail('SUPABASE_ANON_KEY', "the project's publishable key (sb_publishable_…) or its anon key")
  if (!isKey(serviceKey, 'secret', 'service_role'))
    fail('SUPABASE_SERVICE_ROLE_KEY', "the project's secret key (sb_secret_…) or its service_role key")
  const address = url.replace(/\/+$/, '')
  if (address === publicUrl)
    fail('SUPABASE_URL', 'the address of another installation, because PUBLIC_URL is the address of this one')
  return { url: address, anonKey, serviceKey }
}
