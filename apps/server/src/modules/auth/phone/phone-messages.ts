import { writtenPhone } from '@pegasus/contracts/auth/phone-number'
import type { HostedUser, PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import { noteMailSent } from '../accounts/account-changes.queries.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import type { MessageLimits } from './message-limits.ts'
import { type PhoneSettings, messageText } from './phone-settings.ts'

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

export interface NewMessage {
  account: AccountRow
  phone: string
  type: PhoneCodeType
  passwordHash: string | null
  /** Where the code was requested, in the form that `addressKey` returns; null if strangers cannot guess it. */
  address: string | null
}

/** Sends codes to phones, within limits, because every message costs money. */
export interface PhoneMessages {
  /** True if messages reach people. Otherwise administrators read them in the outbox. */
  readonly reachPeople: boolean
  /** Claims messages. Call it outside of a transaction. */
  readonly limits: MessageLimits
  /** Creates a code and sends it. Ends an earlier code of the same type. */
  sendCode(tx: Queryable, message: NewMessage): Promise<void>
  /** Sends the code of a second factor's challenge. */
  sendFactorCode(
    tx: Queryable,
    message: { account: AccountRow; phone: string; code: string; expiresAt: Date },
  ): Promise<void>
}

export function createPhoneMessages(deps: {
  clock: Clock
  settings: PhoneSettings
  transport: SmsTransport
  tokens: OneTimeTokens
  /** Returns the account for the program that sends messages. */
  describe(tx: Queryable, account: AccountRow): Promise<HostedUser>
  limits: MessageLimits
}): PhoneMessages {
  const { clock, settings, transport, tokens, describe, limits } = deps

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

    limits,

    async sendCode(tx, { account, phone, type, passwordHash, address }) {
      const now = clock.now()
      const { digits, lifetimeMs } = settings.code
      const issued = { accountId: account.id, type, phone, passwordHash, address, digits, lifetimeMs }
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
