import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { normalizeName } from '@pegasus/contracts/users/users'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  type AttemptCounts,
  countAttempts,
  insertAttempt,
  lockAddress,
  settleAttempt,
} from './failed-attempts.queries.ts'
import { createTurns } from './keyed-queue.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** No failure counts for longer than this. */
export const LONGEST_WINDOW_MS = DAY_MS
/** Judging takes tens of milliseconds; what is older belongs to a process that died, and counts for nothing. */
const PENDING_MS = 30 * SECOND_MS
/** How long an attempt waits for those before it to be judged, and how often it looks. */
const PATIENCE_MS = 5 * SECOND_MS
const LOOK_MS = 50
const MAX_WAITING_PER_ADDRESS = 100

export interface AttemptLimitOptions {
  /** Failures in the window for one account from one address. */
  perAccountAndAddress: number
  /** Failures in the window from one address, whatever the account. */
  perAddress: number
  /** How long a failure counts; 15 minutes unless told. At most `LONGEST_WINDOW_MS`. */
  windowMs?: number
}

/** What is counted: each kind of attempt for itself, so that many sign-ups stop nobody's sign-in. */
export interface AttemptKind {
  name:
    | 'sign-in'
    | 'sign-up'
    | 'mail'
    | 'mail-code'
    | 'factor-code'
    | 'factor-code-anywhere'
    | 'recovery-code'
  refusal: 'TOO_MANY_SIGN_INS' | 'TOO_MANY_REQUESTS' | 'TOO_MANY_CODES' | 'RECOVERY_CODES_LOCKED'
  /** Counted for each key, wherever the attempts come from; all addresses are one. */
  isAnywhere?: boolean
}

const SIGN_IN: AttemptKind = { name: 'sign-in', refusal: 'TOO_MANY_SIGN_INS' }

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

/**
 * The key of a typed name, in the form in which names are looked up. A hash, since people type passwords into the
 * wrong field.
 */
export const nameKeyOf = (name: string): string =>
  createHash('sha256').update(normalizeName(name)).digest('base64url')

export interface Attempt {
  /** What the caller sees counted; the same whether or not it stands for an account. */
  key: string
  /** Whose password is tried, if anybody's. */
  accountId?: string | null
  /** Made within a session of that account, so that it may be told of attempts under any name. */
  isOwn?: boolean
  ip: string
  /** Done in the transaction that counts the attempt as wrong: neither is there without the other. */
  onWrong?: (tx: TransactionSql) => Promise<void>
}

export interface Reservation {
  /**
   * The account has had all its guesses, under its other name too, while the typed name has not. It must be answered
   * like a wrong guess and not be judged: a refusal would tell that both names are one account's.
   */
  isUsedUp: boolean
  /** Throws the kind's refusal if judging took so long that the attempt no longer held its place. */
  settle(isRight: boolean): Promise<void>
}

export interface AttemptLimits {
  /**
   * Takes a place for an attempt before it is judged, so that a burst in parallel cannot outrun the count. Only what
   * is judged wrong counts: while attempts that are still being judged could fill the limit, it waits for them.
   * Throws the kind's refusal with the time to wait.
   */
  reserve(attempt: Attempt): Promise<Reservation>
  /** Counts an attempt whatever comes of it. Throws the kind's refusal. */
  count(attempt: Attempt): Promise<void>
}

export function createAttemptLimits(
  deps: { database: Database; clock: Clock },
  limits: AttemptLimitOptions,
  kind: AttemptKind = SIGN_IN,
): AttemptLimits {
  const { database, clock } = deps
  const { perAccountAndAddress, perAddress, windowMs = WINDOW_MS } = limits
  const turns = createTurns(MAX_WAITING_PER_ADDRESS)
  const addressOf = ({ ip, key }: Attempt): string => {
    if (kind.isAnywhere) return `${kind.name}/${key}`
    return kind === SIGN_IN ? addressKey(ip) : `${kind.name}/${addressKey(ip)}`
  }

  const refusal = (retryAfterSeconds = 1): AppError => new AppError(kind.refusal, { retryAfterSeconds })

  const refuseUntilFree = (oldest: string | null, now: Date): never => {
    const freeAt = addMs(oldest ? new Date(oldest) : now, windowMs)
    throw refusal(Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000)))
  }

  const assertNotFull = (counts: AttemptCounts, isOwn: boolean, now: Date): void => {
    if (counts.failed_for_name >= perAccountAndAddress) refuseUntilFree(counts.oldest_for_name, now)
    if (counts.failed_for_address >= perAddress) refuseUntilFree(counts.oldest_for_address, now)
    if (isOwn && counts.failed_for_account >= perAccountAndAddress)
      refuseUntilFree(counts.oldest_for_account, now)
  }

  const mustWait = (counts: AttemptCounts, isUsedUp: boolean): boolean =>
    counts.failed_for_name + counts.pending_for_name >= perAccountAndAddress ||
    counts.failed_for_address + counts.pending_for_address >= perAddress ||
    (!isUsedUp && counts.failed_for_account + counts.pending_for_account >= perAccountAndAddress)

  const settle = async (
    { onWrong }: Attempt,
    { id, isRight }: { id: string; isRight: boolean },
  ): Promise<void> => {
    const settleIn = async (sql: Queryable): Promise<void> => {
      if (!(await settleAttempt(sql, { id, isRight, now: clock.now() }))) throw refusal()
    }
    if (isRight || !onWrong) return settleIn(database.sql)
    await database.transaction(async (tx) => {
      await settleIn(tx)
      await onWrong(tx)
    })
  }

  /** Takes a place, or answers null while others must be judged first. */
  const take = (attempt: Attempt, isPending: boolean): Promise<Reservation | null> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const address = addressOf(attempt)
      const { key } = attempt
      const accountId = attempt.accountId ?? null
      // Sent together; the database counts once it has the lock.
      const [, counts] = await Promise.all([
        lockAddress(tx, address),
        countAttempts(tx, { key, accountId, address, now, since: addMs(now, -windowMs) }),
      ])
      assertNotFull(counts, attempt.isOwn ?? false, now)
      const isUsedUp = counts.failed_for_account >= perAccountAndAddress
      if (mustWait(counts, isUsedUp)) return null
      const id = uuidv7()
      const judged = isUsedUp ? null : accountId
      const pendingUntil = isPending ? addMs(now, PENDING_MS) : null
      await insertAttempt(tx, { id, key, accountId: judged, address, at: now, pendingUntil })
      return {
        isUsedUp,
        settle: (isRight) => settle(attempt, { id, isRight }),
      }
    })

  const takeWhenFree = async (attempt: Attempt, isPending: boolean): Promise<Reservation> => {
    const givesUpAt = performance.now() + PATIENCE_MS
    for (;;) {
      const reservation = await take(attempt, isPending)
      if (reservation) return reservation
      if (performance.now() >= givesUpAt) throw refusal()
      await wait(LOOK_MS)
    }
  }

  /** Those of one address look one after the other: a hundred that wait together ask the database once at a time. */
  const inTurn = async (attempt: Attempt, isPending: boolean): Promise<Reservation> => {
    const reservation = await turns.take(addressOf(attempt), () => takeWhenFree(attempt, isPending))
    if (!reservation) throw refusal()
    return reservation
  }

  return {
    reserve: (attempt) => inTurn(attempt, true),
    async count(attempt) {
      await inTurn(attempt, false)
    },
  }
}

/** Judges one attempt in its place: what is answered null or false counts, and a failure of ours does not. */
export async function judged<T>(
  limits: AttemptLimits,
  attempt: Attempt,
  judge: (reservation: Reservation) => Promise<T>,
): Promise<T> {
  const reservation = await limits.reserve(attempt)
  let verdict: T
  try {
    verdict = await judge(reservation)
  } catch (error) {
    await reservation.settle(true)
    throw error
  }
  await reservation.settle(Boolean(verdict))
  return verdict
}
