import { type Clock, DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { type PhoneSlot, claimMailSlot } from '../mail-links/mail-throttle.ts'
import {
  type Attempt,
  type AttemptKind,
  type AttemptLimitOptions,
  type AttemptLimits,
  type Reservation,
  addressKey,
} from '../rate-limit/attempt-limits.ts'
import { findAccountIdKnownAt } from './known-phone-addresses.queries.ts'
import type { PhoneSettings } from './phone-settings.ts'

/** The maximum number of requests per hour from one IP address. An office may share an IP address. */
const PER_ADDRESS_AND_HOUR = 20
/**
 * The maximum number of requests per day for one number from unknown IP addresses: from all of them together, and from
 * each. With the second limit, one address cannot use up all requests that the owner of the number can make from a new
 * address.
 */
const [PER_NUMBER_AND_DAY, PER_NUMBER_ADDRESS_AND_DAY] = [10, 5]
/** The maximum number of requests per day for one account, and for one number from its known IP addresses. */
const PER_ACCOUNT_AND_DAY = 20
/**
 * The maximum number of requests per day for one account by sessions that have not passed the second step and come from
 * unknown IP addresses.
 */
const PER_ACCOUNT_ELSEWHERE_AND_DAY = 10

const REFUSAL = 'TOO_MANY_SMS'

/** Groups of people. Each group has an hourly limit of messages that its members share. */
type Group = 'anybody' | 'signed-in' | 'self-registered'

/** A request that has been counted. */
export interface MessageSlot {
  /**
   * Runs `work`. Its argument says whether it may send a message. The work must call `onSent` after sending one,
   * because only sent messages count towards the limit of the group.
   */
  use<T>(work: (budget: { maySend: boolean; onSent: () => void }) => Promise<T>): Promise<T>
}

interface OwnPhoneSlot {
  accountId: string
  phone: string
  kind: PhoneSlot['kind']
  /** Whether the account has verified the number. */
  isProved: boolean
  /** Whether the request comes from an unknown IP address, in a session that has not passed the second step. */
  isElsewhere: boolean
}

/**
 * Limits text messages. A refused request does not count. Otherwise it would use up the requests of other people for
 * the same number.
 */
export interface MessageLimits {
  /** Counts a request without a session. Throws TOO_MANY_SMS with the time to wait. */
  claim(phone: string, ip: string): Promise<MessageSlot>
  /** Counts a request by a signed-in person. Throws TOO_MANY_SMS with the time to wait. */
  claimOwn(slot: OwnPhoneSlot, ip: string): Promise<void>
  /**
   * Counts a request by a signed-in person that is refused because the number is taken. Without this count, a person
   * could test many numbers. The request does not count towards the limit of the number. Throws TOO_MANY_SMS.
   */
  countTaken(accountId: string, ip: string): Promise<void>
}

export function createMessageLimits(deps: {
  database: Database
  clock: Clock
  settings: PhoneSettings
  /** Whether strangers can create accounts that need no approval. */
  hasOpenSignUps: boolean
  log: ServiceLog
  limitsOf(options: AttemptLimitOptions, kind: AttemptKind): AttemptLimits
}): MessageLimits {
  const { database, clock, settings, hasOpenSignUps, log } = deps
  const limitsOf = (
    name: AttemptKind['name'],
    [max, perAddress, windowMs]: [max: number, perAddress: number, windowMs: number],
    isAnywhere: boolean,
  ): AttemptLimits =>
    deps.limitsOf({ perAccountAndAddress: max, perAddress, windowMs }, { name, refusal: REFUSAL, isAnywhere })
  const anywhere = (name: AttemptKind['name'], max: number, windowMs: number): AttemptLimits =>
    limitsOf(name, [max, max, windowMs], true)

  const addresses = limitsOf('sms', [PER_ADDRESS_AND_HOUR, PER_ADDRESS_AND_HOUR, HOUR_MS], false)
  const pairs = limitsOf('sms-pair', [PER_NUMBER_ADDRESS_AND_DAY, Number.MAX_SAFE_INTEGER, DAY_MS], false)
  const numbers = anywhere('sms-number', PER_NUMBER_AND_DAY, DAY_MS)
  const knownNumbers = anywhere('sms-known', PER_ACCOUNT_AND_DAY, DAY_MS)
  const accounts = anywhere('sms-account', PER_ACCOUNT_AND_DAY, DAY_MS)
  const elsewhere = anywhere('sms-elsewhere', PER_ACCOUNT_ELSEWHERE_AND_DAY, DAY_MS)
  const all = anywhere('sms-all', settings.hourlyLimit, HOUR_MS)

  const claimPhoneSlot = ({ to, kind }: PhoneSlot): Promise<void> => {
    const { intervalMs } = kind === 'factor' ? settings.factor : settings.code
    return database.transaction((tx) =>
      claimMailSlot(tx, { clock, intervalMs, refusal: REFUSAL }, { to, kind }),
    )
  }

  /** Counts an attempt towards all limits. If one of the limits or `rest` refuses it, it counts towards none. */
  const claimAll = async <T>(
    attempts: readonly (readonly [AttemptLimits, Attempt])[],
    rest: () => Promise<T>,
  ): Promise<T> => {
    const taken: Reservation[] = []
    const settleAll = async (isFree: boolean): Promise<void> => {
      for (const reservation of taken) await reservation.settle(isFree)
    }
    try {
      for (const [limits, attempt] of attempts) taken.push(await limits.reserve(attempt))
      const result = await rest()
      await settleAll(false)
      return result
    } catch (error) {
      await settleAll(true).catch((cause: unknown) => log.error({ err: cause }, 'a message stays counted'))
      throw error
    }
  }

  /**
   * Returns the group whose limit applies to an account. Returns null if the account cannot belong to a stranger,
   * because the account's own limits are then sufficient.
   */
  const groupOf = async (accountId: string): Promise<Group | null> => {
    if (!hasOpenSignUps) return null
    const { role } = await getAccountSummary(database.sql, accountId)
    return role === 'viewer' ? 'self-registered' : null
  }

  const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === REFUSAL

  /**
   * Reserves one of the messages that a group may get this hour. Returns null if none remain and the caller must not
   * learn that.
   */
  const reserveMessage = async (group: Group, ip: string): Promise<Reservation | null> => {
    try {
      return await all.reserve({ key: group, ip })
    } catch (error) {
      // With open sign-ups, the refusal reveals nothing. Otherwise it would tell strangers whether a message was sent.
      if (group !== 'anybody' || hasOpenSignUps || !isRefusal(error)) throw error
      log.warn({}, 'the messages of strangers are used up for this hour: GOTRUE_RATE_LIMIT_SMS_SENT')
      return null
    }
  }

  const slotOf = (message: Reservation | null): MessageSlot => ({
    async use(work) {
      let isSent = false
      const onSent = (): void => {
        isSent = true
      }
      try {
        return await work({ maySend: message !== null, onSent })
      } catch (error) {
        isSent = false
        throw error
      } finally {
        await message?.settle(!isSent)
      }
    },
  })

  const unlimited: MessageSlot = { use: (work) => work({ maySend: true, onSent: () => undefined }) }

  /**
   * Reserves a message and checks the minimum interval between two requests. Releases the reservation if the request
   * comes too early.
   */
  const reserveMessageAndSlot = async (
    slot: PhoneSlot,
    { group, ip }: { group: Group | null; ip: string },
  ): Promise<MessageSlot> => {
    if (group === null) {
      await claimPhoneSlot(slot)
      return unlimited
    }
    const message = await reserveMessage(group, ip)
    try {
      await claimPhoneSlot(slot)
    } catch (error) {
      await message?.settle(true)
      throw error
    }
    return slotOf(message)
  }

  return {
    async claim(phone, ip) {
      const place = { phone, address: addressKey(ip), now: clock.now() }
      const accountId = await findAccountIdKnownAt(database.sql, place)
      const attempt = { key: phone, ip }
      if (accountId !== null) {
        const group = await groupOf(accountId)
        // Use a separate interval for known IP addresses, so that strangers' requests cannot delay the owner.
        const slot = { to: `${phone}/known`, kind: 'sms' } as const
        return claimAll([[knownNumbers, attempt]], () => reserveMessageAndSlot(slot, { group, ip }))
      }
      return claimAll(
        [
          [addresses, { key: 'anybody', ip }],
          [pairs, attempt],
          [numbers, attempt],
        ],
        () => reserveMessageAndSlot({ to: phone, kind: 'sms' }, { group: 'anybody', ip }),
      )
    },

    countTaken: (accountId, ip) => accounts.count({ key: accountId, ip }),

    async claimOwn({ accountId, phone, kind, isProved, isElsewhere }, ip) {
      const attempt = { key: accountId, ip }
      const group = isProved ? await groupOf(accountId) : 'signed-in'
      const own = isElsewhere
        ? ([
            [pairs, attempt],
            [elsewhere, attempt],
          ] as const)
        : ([[accounts, attempt]] as const)
      const ofNumber = isProved ? [] : ([[numbers, { key: phone, ip }]] as const)
      // Use a separate interval for each account, so that a colleague's requests cannot delay the owner of the number.
      const to = `${accountId}/${phone}${isElsewhere ? '/elsewhere' : ''}`
      const slot = await claimAll([...own, ...ofNumber], () =>
        reserveMessageAndSlot({ to, kind }, { group, ip }),
      )
      await slot.use(async ({ onSent }) => onSent())
    },
  }
}
