import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, MINUTE_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'

const WINDOW_MS = 15 * MINUTE_MS

export interface SignInLimitOptions {
  /** Failures in 15 minutes for one account from one address. */
  perAccountAndAddress: number
  /** Failures in 15 minutes from one address, whatever the account. */
  perAddress: number
}

/** What is counted: each kind of attempt for itself, so that many sign-ups stop nobody's sign-in. */
export interface AttemptKind {
  name: 'sign-in' | 'sign-up' | 'mail' | 'mail-code'
  refusal: 'TOO_MANY_SIGN_INS' | 'TOO_MANY_REQUESTS'
}

const SIGN_IN: AttemptKind = { name: 'sign-in', refusal: 'TOO_MANY_SIGN_INS' }

export const DEFAULT_SIGN_IN_LIMITS: SignInLimitOptions = { perAccountAndAddress: 20, perAddress: 100 }

/** An IPv6 customer holds a whole /64, so that is what counts as one address. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('%', 1)[0]!.split('::', 2)
  const groups = head.split(':').filter((group) => group !== '')
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(tail?.split(':') ?? [])]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`
}

/** Names that were typed are kept as hashes only: people type passwords into the wrong field. */
export const accountKeyOf = (identifier: string): string =>
  createHash('sha256').update(identifier.normalize('NFKC').trim().toLowerCase()).digest('base64url')

export interface SignInLimits {
  /**
   * Counts an attempt before it is judged, so that a burst in parallel cannot outrun the count.
   * Throws the kind's refusal with the time to wait.
   */
  reserve(attempt: { accountKey: string; ip: string }): Promise<{ release(): Promise<void> }>
}

interface Counts {
  for_account: number
  for_address: number
  oldest_for_account: string | null
  oldest_for_address: string | null
}

export function createSignInLimits(
  deps: { database: Database; clock: Clock },
  limits: SignInLimitOptions,
  kind: AttemptKind = SIGN_IN,
): SignInLimits {
  const { database, clock } = deps
  const addressOf = (ip: string): string =>
    kind === SIGN_IN ? addressKey(ip) : `${kind.name}/${addressKey(ip)}`

  const refuse = (counts: Counts, now: Date): AppError => {
    const isAccount = counts.for_account >= limits.perAccountAndAddress
    const oldest = isAccount ? counts.oldest_for_account : counts.oldest_for_address
    const freeAt = addMs(oldest ? new Date(oldest) : now, WINDOW_MS)
    const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000))
    return new AppError(kind.refusal, { retryAfterSeconds })
  }

  return {
    async reserve({ accountKey, ip }) {
      const id = uuidv7()
      const address = addressOf(ip)
      const now = clock.now()
      const since = addMs(now, -WINDOW_MS)
      await database.transaction(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in:${address}`}, 0))`
        await tx`delete from sign_in_failures where at <= ${since}`
        const [counts] = await tx<[Counts]>`
          select count(*) filter (where account_key = ${accountKey})::int as for_account,
                 count(*)::int as for_address,
                 min(at) filter (where account_key = ${accountKey}) as oldest_for_account,
                 min(at) as oldest_for_address
          from sign_in_failures where address = ${address} and at > ${since}`
        if (counts.for_account >= limits.perAccountAndAddress || counts.for_address >= limits.perAddress)
          throw refuse(counts, now)
        await tx`
          insert into sign_in_failures (id, account_key, address, at)
          values (${id}, ${accountKey}, ${address}, ${now})`
      })
      return {
        release: async () => {
          await database.sql`delete from sign_in_failures where id = ${id}`
        },
      }
    },
  }
}
