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
  pullFutureFailures,
  settleAttempt,
} from './failed-attempts.queries.ts'
import { createTurns } from './keyed-queue.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** The longest time for which a failure can count. */
export const LONGEST_WINDOW_MS = DAY_MS
/**
 * The maximum time for checking an attempt, which normally takes tens of milliseconds. After this time, the process
 * that checks it has probably crashed, and the attempt does not count.
 */
const PENDING_MS = 30 * SECOND_MS
/**
 * The clocks of replicas may differ by this much. A time that is further in the future was recorded before the clock
 * was set back, or by a replica whose clock is wrong.
 */
export const CLOCK_LEEWAY_MS = MINUTE_MS
/**
 * How long an attempt waits for the checks of earlier attempts, and the pause between two looks at them (`LOOK_MS`).
 */
const PATIENCE_MS = 5 * SECOND_MS
const LOOK_MS = 50
const MAX_WAITING_PER_ADDRESS = 100

export interface AttemptLimitOptions {
  /** The maximum number of failures for one account from one IP address within the window. */
  perAccountAndAddress: number
  /** The maximum number of failures for all accounts from one IP address within the window. */
  perAddress: number
  /**
   * How long a failure counts, in milliseconds. The default is 15 minutes, the maximum is
   * `LONGEST_WINDOW_MS`.
   */
  windowMs?: number
}

/** A kind of attempt. Each kind is counted separately. For example, many sign-ups cannot block sign-ins. */
export interface AttemptKind {
  name:
    | 'sign-in'
    | 'sign-up'
    | 'mail'
    | 'mail-pair'
    | 'mail-to'
    | 'mail-code'
    | 'web3'
    | 'id-token'
    | 'sso'
    | 'sso-begin'
    | 'oauth'
    | 'passkey'
    | 'factor-code'
    | 'factor-code-anywhere'
    | 'recovery-code'
    | 'phone-code'
    | 'sms'
    | 'sms-pair'
    | 'sms-number'
    | 'sms-known'
    | 'sms-account'
    | 'sms-elsewhere'
    | 'sms-all'
  refusal:
    | 'TOO_MANY_SIGN_INS'
    | 'TOO_MANY_REQUESTS'
    | 'TOO_MANY_CODES'
    | 'TOO_MANY_MAILS'
    | 'TOO_MANY_SMS'
    | 'RECOVERY_CODES_LOCKED'
  /** Whether attempts are counted by key alone, for all IP addresses together. */
  isAnywhere?: boolean
}

const SIGN_IN: AttemptKind = { name: 'sign-in', refusal: 'TOO_MANY_SIGN_INS' }

/**
 * Returns an IP address in the form in which attempts are counted. An IPv6 address becomes its /64 network, because one
 * customer usually has a whole /64.
 */
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
 * Returns the key for an entered name. The name is normalized as in a search for an account. The key is a hash, because
 * people sometimes type their password into the wrong field.
 */
export const nameKeyOf = (name: string): string =>
  createHash('sha256').update(normalizeName(name)).digest('base64url')

/** Returns the text that the protocol gives for a refused email. */
export const mailRefusal = (seconds: number): string =>
  `For security purposes, you can only request this after ${seconds} seconds.`

export interface Attempt {
  /**
   * The key under which attempts are counted, for example the hash of a name. It exists whether or not an account has
   * this name.
   */
  key: string
  /** The account whose password is checked, or null for an unknown name. */
  accountId?: string | null
  /**
   * Whether the attempt comes from a session of that account. Such a session may learn about failed attempts under the
   * account's other names.
   */
  isOwn?: boolean
  ip: string
  /** Runs in the transaction that counts the attempt as wrong. */
  onWrong?: (tx: TransactionSql) => Promise<void>
}

export interface Reservation {
  /**
   * Whether the account has used up its attempts under another name, but not under the entered one. The attempt must
   * then fail like a wrong guess, without a check. A refusal would reveal that both names belong to one account.
   */
  isUsedUp: boolean
  /** Ends the attempt. Throws the refusal of this kind if the check took so long that the slot has expired. */
  settle(isRight: boolean): Promise<void>
}

export interface AttemptLimits {
  /**
   * Reserves a slot for an attempt before it is checked, so that parallel attempts cannot exceed the limit. Only wrong
   * attempts count. Waits while unfinished attempts could still reach the limit. Throws the refusal of this kind, with
   * the time to wait.
   */
  reserve(attempt: Attempt): Promise<Reservation>
  /** Counts an attempt whatever its result. Throws the refusal of this kind. */
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

  const refusal = (retryAfterSeconds = 1): AppError =>
    new AppError(kind.refusal, {
      retryAfterSeconds,
      ...(kind.refusal === 'TOO_MANY_MAILS' && { text: mailRefusal(retryAfterSeconds) }),
    })

  const refusalUntilFree = (oldest: string | null, now: Date): AppError => {
    const freeAt = addMs(oldest ? new Date(oldest) : now, windowMs)
    return refusal(Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000)))
  }

  /** Returns the refusal if a limit is reached, and null otherwise. */
  const refusalWhenFull = (counts: AttemptCounts, isOwn: boolean, now: Date): AppError | null => {
    if (counts.failed_for_name >= perAccountAndAddress) return refusalUntilFree(counts.oldest_for_name, now)
    if (counts.failed_for_address >= perAddress) return refusalUntilFree(counts.oldest_for_address, now)
    if (isOwn && counts.failed_for_account >= perAccountAndAddress)
      return refusalUntilFree(counts.oldest_for_account, now)
    return null
  }

  const mustWait = (counts: AttemptCounts, isUsedUp: boolean): boolean =>
    counts.failed_for_name + counts.pending_for_name >= perAccountAndAddress ||
    counts.failed_for_address + counts.pending_for_address >= perAddress ||
    (!isUsedUp && counts.failed_for_account + counts.pending_for_account >= perAccountAndAddress)

  const settle = async ({ onWrong }: Attempt, { id, isRight }: { id: string; isRight: boolean }) => {
    const settleIn = async (sql: Queryable): Promise<void> => {
      if (!(await settleAttempt(sql, { id, isRight, now: clock.now() }))) throw refusal()
    }
    if (isRight || !onWrong) return settleIn(database.sql)
    await database.transaction(async (tx) => {
      await settleIn(tx)
      await onWrong(tx)
    })
  }

  /**
   * Reserves a slot. Returns null if other attempts must be checked first. Returns a refusal instead of throwing it,
   * because the transaction must commit the correction of failures with a future time.
   */
  const take = (attempt: Attempt, isPending: boolean): Promise<Reservation | AppError | null> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const address = addressOf(attempt)
      const { key } = attempt
      const accountId = attempt.accountId ?? null
      // Send the statements together. They run in this order, so the count begins only when the lock is taken.
      const [, , counts] = await Promise.all([
        lockAddress(tx, address),
        pullFutureFailures(tx, { address, now }),
        countAttempts(tx, {
          key,
          accountId,
          address,
          now,
          since: addMs(now, -windowMs),
          until: addMs(now, CLOCK_LEEWAY_MS),
        }),
      ])
      const full = refusalWhenFull(counts, attempt.isOwn ?? false, now)
      if (full) return full
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
      const taken = await take(attempt, isPending)
      if (taken instanceof AppError) throw taken
      if (taken) return taken
      if (performance.now() >= givesUpAt) throw refusal()
      await wait(LOOK_MS)
    }
  }

  /**
   * Puts attempts from one IP address into a queue, so that a hundred waiting attempts cause only one query at a time.
   */
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

/**
 * Reserves an attempt, runs `judge` and records the outcome. A falsy result counts as a failed attempt; a thrown error
 * does not.
 */
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
