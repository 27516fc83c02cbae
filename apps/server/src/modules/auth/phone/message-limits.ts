import { type Clock, DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceLog } from '../../../platform/service-log.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { type PhoneTurn, takeMailTurn } from '../mail-links/mail-throttle.ts'
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

/** The maximum number of requests in an hour from one address. An office may share an address. */
const PER_ADDRESS_AND_HOUR = 20
/**
 * The maximum number of requests in a day for one number from unknown addresses, together and from each of them. So one
 * address cannot use up what the owner of the number needs at a new place.
 */
const [PER_NUMBER_AND_DAY, PER_NUMBER_ADDRESS_AND_DAY] = [10, 5]
/** The maximum number of requests in a day of one account, and for one number from the addresses that it knows. */
const PER_ACCOUNT_AND_DAY = 20
/** The maximum number of requests in a day of sessions before the second step at unknown addresses. */
const PER_ACCOUNT_ELSEWHERE_AND_DAY = 10

const REFUSAL = 'TOO_MANY_SMS'

/** The groups of people that share the messages of the instance. */
type Group = 'anybody' | 'signed-in' | 'self-registered'

/** A request that has been counted. */
export interface MessageTurn {
  /**
   * Runs the work, and tells it whether it may send a message. It calls `onSent` when it has sent one. Only messages
   * that are sent count for the instance.
   */
  use<T>(work: (budget: { maySend: boolean; onSent: () => void }) => Promise<T>): Promise<T>
}

interface OwnPhoneTurn {
  accountId: string
  phone: string
  kind: PhoneTurn['kind']
  /** True if the number is already known to belong to the account. */
  isProved: boolean
  /** True before the second step, at an address that the account does not know. */
  isElsewhere: boolean
}

/**
 * Limits messages. A refused request counts nowhere, so that it takes no turn of somebody else who needs one for the
 * same number.
 */
export interface MessageLimits {
  /** Claims a request of somebody without a session. Throws TOO_MANY_SMS with the time to wait. */
  claim(phone: string, ip: string): Promise<MessageTurn>
  /** Claims a request of a signed-in person. Throws TOO_MANY_SMS with the time to wait. */
  claimOwn(turn: OwnPhoneTurn, ip: string): Promise<void>
  /**
   * Counts a request of a signed-in person that is refused because the number is taken, so that nobody can test many
   * numbers. It takes no turn of the number. Throws TOO_MANY_SMS.
   */
  countTaken(accountId: string, ip: string): Promise<void>
}

export function createMessageLimits(deps: {
  database: Database
  clock: Clock
  settings: PhoneSettings
  /** True if strangers can make accounts that need no approval. */
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

  const waitTurn = ({ to, kind }: PhoneTurn): Promise<void> => {
    const { intervalMs } = kind === 'factor' ? settings.factor : settings.code
    return database.transaction((tx) =>
      takeMailTurn(tx, { clock, intervalMs, refusal: REFUSAL }, { to, kind }),
    )
  }

  /** Counts an attempt under all limits, or, if one of them or the rest refuses it, under none. */
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
   * Returns the group whose messages are counted together; null if no stranger can be in it. Then the limits of the
   * account suffice.
   */
  const groupOf = async (accountId: string): Promise<Group | null> => {
    if (!hasOpenSignUps) return null
    const { role } = await getAccountSummary(database.sql, accountId)
    return role === 'viewer' ? 'self-registered' : null
  }

  const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === REFUSAL

  /** Reserves a message of the instance; null if there is none left, and the person must not learn it. */
  const reserveMessage = async (group: Group, ip: string): Promise<Reservation | null> => {
    try {
      return await all.reserve({ key: group, ip })
    } catch (error) {
      // With open sign-ups, the refusal reveals nothing. With others it would show strangers whether a message was sent.
      if (group !== 'anybody' || hasOpenSignUps || !isRefusal(error)) throw error
      log.warn({}, 'the messages of strangers are used up for this hour: GOTRUE_RATE_LIMIT_SMS_SENT')
      return null
    }
  }

  const turnOf = (message: Reservation | null): MessageTurn => ({
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

  const unlimited: MessageTurn = { use: (work) => work({ maySend: true, onSent: () => undefined }) }

  /** Takes the turn of an interval. Gives the reserved message back if it is too early. */
  const reserveAndWait = async (
    turn: PhoneTurn,
    { group, ip }: { group: Group | null; ip: string },
  ): Promise<MessageTurn> => {
    if (group === null) {
      await waitTurn(turn)
      return unlimited
    }
    const message = await reserveMessage(group, ip)
    try {
      await waitTurn(turn)
    } catch (error) {
      await message?.settle(true)
      throw error
    }
    return turnOf(message)
  }

  return {
    async claim(phone, ip) {
      const place = { phone, address: addressKey(ip), now: clock.now() }
      const accountId = await findAccountIdKnownAt(database.sql, place)
      const attempt = { key: phone, ip }
      if (accountId !== null) {
        const group = await groupOf(accountId)
        // Requests of strangers must not delay the person whose address the account knows.
        const turn = { to: `${phone}/known`, kind: 'sms' } as const
        return claimAll([[knownNumbers, attempt]], () => reserveAndWait(turn, { group, ip }))
      }
      return claimAll(
        [
          [addresses, { key: 'anybody', ip }],
          [pairs, attempt],
          [numbers, attempt],
        ],
        () => reserveAndWait({ to: phone, kind: 'sms' }, { group: 'anybody', ip }),
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
      // A colleague's requests must not delay the codes of the number's owner.
      const to = `${accountId}/${phone}${isElsewhere ? '/elsewhere' : ''}`
      const turn = await claimAll([...own, ...ofNumber], () => reserveAndWait({ to, kind }, { group, ip }))
      await turn.use(async ({ onSent }) => onSent())
    },
  }
}
