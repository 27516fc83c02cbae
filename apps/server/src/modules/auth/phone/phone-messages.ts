import { writtenPhone } from '@pegasus/contracts/auth/phone-number'
import type { HostedUser, PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, HOUR_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import { noteMailSent } from '../accounts/account-changes.queries.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import { type PhoneTurn, takeMailTurn } from '../mail-links/mail-throttle.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import {
  type AttemptKind,
  type AttemptLimitOptions,
  type AttemptLimits,
} from '../rate-limit/attempt-limits.ts'
import { type PhoneSettings, messageText } from './phone-settings.ts'

/** The maximum number of messages in an hour that one address may request. An office may share an address. */
const PER_ADDRESS_AND_HOUR = 20
/** The maximum number of messages in a day that people without a session may have sent to one number. */
const PER_NUMBER_AND_DAY = 10
/** The maximum number of messages in a day that one signed-in account may request. */
const PER_ACCOUNT_AND_DAY = 20
/** The common key of all people without a session, and of all signed-in people. */
const ALL = { anybody: 'anybody', signedIn: 'signed-in' } as const

/** The names of the messages in the call to the program that sends them. */
const CALL_TYPES = {
  sms: 'confirmation',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
  factor: 'mfa',
} as const

/** A message with a code that is already known. */
interface CodeMessage {
  account: AccountRow
  phone: string
  kind: keyof typeof CALL_TYPES
  code: string
  text: string
  expiresAt: Date
}

/** Sends codes to phones, within limits, because every message costs money. */
export interface PhoneMessages {
  /** True if messages reach people. Otherwise administrators read them in the outbox. */
  readonly reachPeople: boolean
  /**
   * Claims the message that somebody without a session requests for a number. Does not look at accounts, so the result
   * does not reveal which numbers have an account. Throws TOO_MANY_SMS with the time to wait. Call it outside of a
   * transaction.
   */
  takeTurn(phone: string, ip: string): Promise<void>
  /**
   * Claims the message that a signed-in person requests. `isProved` is true if the number is already known to belong to
   * the account. Throws TOO_MANY_SMS with the time to wait. Call it outside of a transaction.
   */
  takeOwnTurn(
    turn: { accountId: string; phone: string; kind: PhoneTurn['kind']; isProved: boolean },
    ip: string,
  ): Promise<void>
  /** Creates a code and sends it. Ends an earlier code of the same type. */
  sendCode(
    tx: Queryable,
    message: { account: AccountRow; phone: string; type: PhoneCodeType; passwordHash: string | null },
  ): Promise<void>
  /** Sends the code of a second factor's challenge. */
  sendFactorCode(
    tx: Queryable,
    message: { account: AccountRow; phone: string; code: string; expiresAt: Date },
  ): Promise<void>
}

export function createPhoneMessages(deps: {
  database: Database
  clock: Clock
  settings: PhoneSettings
  transport: SmsTransport
  tokens: OneTimeTokens
  /** Returns the account for the program that sends messages. */
  describe(tx: Queryable, account: AccountRow): Promise<HostedUser>
  limitsOf(options: AttemptLimitOptions, kind: AttemptKind): AttemptLimits
}): PhoneMessages {
  const { database, clock, settings, transport, tokens, describe, limitsOf } = deps
  const perKey = (max: number, windowMs: number): AttemptLimitOptions => ({
    perAccountAndAddress: max,
    perAddress: max,
    windowMs,
  })
  const refusal = 'TOO_MANY_SMS'
  const addresses = limitsOf(perKey(PER_ADDRESS_AND_HOUR, HOUR_MS), { name: 'sms', refusal })
  const numbers = limitsOf(perKey(PER_NUMBER_AND_DAY, DAY_MS), {
    name: 'sms-number',
    refusal,
    isAnywhere: true,
  })
  const accounts = limitsOf(perKey(PER_ACCOUNT_AND_DAY, DAY_MS), {
    name: 'sms-account',
    refusal,
    isAnywhere: true,
  })
  const all = limitsOf(perKey(settings.hourlyLimit, HOUR_MS), { name: 'sms-all', refusal, isAnywhere: true })

  const waitTurn = ({ to, kind }: PhoneTurn): Promise<void> => {
    const { intervalMs } = kind === 'factor' ? settings.factor : settings.code
    return database.transaction((tx) => takeMailTurn(tx, { clock, intervalMs, refusal }, { to, kind }))
  }

  const post = async (tx: Queryable, message: CodeMessage): Promise<void> => {
    const { account, phone, kind, code, text, expiresAt } = message
    const now = clock.now()
    const id = uuidv7()
    await transport.post(tx, {
      id,
      accountId: account.id,
      to: writtenPhone(phone),
      text,
      expiresAt: expiresAt.toISOString(),
      call: {
        metadata: { uuid: id, time: now.toISOString(), name: 'send-sms' },
        user: await describe(tx, account),
        sms: { otp: code, sms_type: CALL_TYPES[kind], phone, text },
      },
    })
  }

  return {
    reachPeople: transport.reachesPeople,

    async takeTurn(phone, ip) {
      await waitTurn({ to: phone, kind: 'sms' })
      await addresses.count({ key: ALL.anybody, ip })
      await numbers.count({ key: phone, ip })
      await all.count({ key: ALL.anybody, ip })
    },

    async takeOwnTurn({ accountId, phone, kind, isProved }, ip) {
      // A colleague's requests must not delay the codes of the number's owner.
      await waitTurn({ to: `${accountId}/${phone}`, kind })
      await accounts.count({ key: accountId, ip })
      if (!isProved) await numbers.count({ key: phone, ip })
      await all.count({ key: ALL.signedIn, ip })
    },

    async sendCode(tx, { account, phone, type, passwordHash }) {
      const now = clock.now()
      const { digits, lifetimeMs } = settings.code
      const issued = { accountId: account.id, type, phone, passwordHash, digits, lifetimeMs }
      const code = await tokens.issueForPhone(tx, issued, now)
      if (type !== 'reauthentication') await noteMailSent(tx, account.id, type, now)
      const current = await getAccount(tx, account.id)
      const expiresAt = addMs(now, lifetimeMs)
      await post(tx, {
        account: current,
        phone,
        kind: type,
        code,
        text: messageText(settings.code, code),
        expiresAt,
      })
    },

    sendFactorCode: (tx, message) =>
      post(tx, { ...message, kind: 'factor', text: messageText(settings.factor, message.code) }),
  }
}
