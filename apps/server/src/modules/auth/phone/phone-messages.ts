import { writtenPhone } from '@pegasus/contracts/auth/phone-number'
import type { HostedUser, PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { languageOf } from '@pegasus/contracts/texts/languages'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { translatorTo } from '../../../platform/server-texts.ts'
import type { SmsTransport } from '../../../platform/sms/sms.ts'
import { noteMailSent } from '../accounts/account-changes.queries.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import type { MessageLimits } from './message-limits.ts'
import { type PhoneSettings, messageText } from './phone-settings.ts'

/** The types of messages, with the names by which the sending program receives them. */
const CALL_TYPES = {
  sms: 'confirmation',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
  factor: 'mfa',
} as const

/** A message that contains an existing code. */
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
  /**
   * The IP address that requested the code, in the form that `addressKey` returns. Null if strangers cannot try to
   * guess the code.
   */
  address: string | null
}

/** Sends codes to phones. The number of messages is limited, because each of them costs money. */
export interface PhoneMessages {
  /** Whether messages reach people. If not, they stay in the outbox, where administrators read them. */
  readonly reachPeople: boolean
  /** The limits of messages. Call their functions outside a transaction. */
  readonly limits: MessageLimits
  /** Creates a code and sends it. Ends an earlier code of the same type. */
  sendCode(tx: Queryable, message: NewMessage): Promise<void>
  /** Sends the code for a challenge of a second factor. */
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
  /** Returns the account in the form that the program for sending messages receives. */
  describe(tx: Queryable, account: AccountRow): Promise<HostedUser>
  limits: MessageLimits
}): PhoneMessages {
  const { clock, settings, transport, tokens, describe, limits } = deps

  const post = async (tx: Queryable, message: CodeMessage): Promise<void> => {
    const { account, phone, kind, code, expiresAt } = message
    const text = translatorTo(languageOf(account.user_metadata))(message.text)
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
