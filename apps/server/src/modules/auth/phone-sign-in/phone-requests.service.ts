import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type AccountRow, getAccount, lockAccountNames } from '../accounts/accounts.queries.ts'
import { findAccountByPhone, findPhoneChange } from '../accounts/phone-accounts.queries.ts'
import { readPhone } from '../accounts/phone-field.ts'
import { ownMetadata } from '../accounts/user-metadata.ts'
import type { Device } from '../audit/device.ts'
import { findWaitingPhoneSignUp } from '../mail-links/one-time-tokens.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'
import { type AttemptLimits, addressKey } from '../rate-limit/attempt-limits.ts'
import { inConstantTime } from '../rate-limit/constant-time.ts'
import type { Sessions } from '../sessions/sessions.service.ts'
import { insertSelfMadeByPhone } from '../sign-in/self-registered-account.ts'
import type { SignUpMode, SignUpOutcome } from '../sign-in/sign-up.service.ts'
import { assertPhonesEnabled } from '../phone/assert-phones-enabled.ts'
import type { MessageSlot } from '../phone/message-limits.ts'
import type { NewMessage, PhoneMessages } from '../phone/phone-messages.ts'
import type { PhoneSettings } from '../phone/phone-settings.ts'

export interface PhoneCodeRequest {
  phone: string
  /** Whether an unknown number signs up, provided that sign-ups are allowed. */
  createsAccount: boolean
  data: Record<string, unknown>
}

/**
 * Handles text messages that anybody can request. The response and its timing are the same whether or not the
 * number has an account.
 */
export interface PhoneRequests {
  /**
   * Sends a code to the number if its account may sign in, or if the number still has to be confirmed. Otherwise sends
   * nothing. Throws PHONE_DISABLED, PHONE_INVALID or TOO_MANY_SMS. With open sign-ups, also throws OTP_SIGNUP_DISABLED.
   */
  sendCode(request: PhoneCodeRequest, device: Device): Promise<void>
  /**
   * Sends the code of a sign-up or of a phone number change again. Throws PHONE_DISABLED, PHONE_INVALID or
   * TOO_MANY_SMS.
   */
  resend(request: { type: string | null; phone: string }, device: Device): Promise<void>
  /**
   * Creates an account with a phone number and a password, and sends a code to the number. Throws SIGNUP_DISABLED,
   * PHONE_DISABLED, PHONE_INVALID, WEAK_PASSWORD, TOO_MANY_SMS or TOO_MANY_REQUESTS. If sign-ups are open and numbers
   * need no code, also throws USER_ALREADY_EXISTS.
   */
  signUp(
    request: { phone: string; password: string; data: Record<string, unknown> },
    device: Device,
  ): Promise<SignUpOutcome>
}

/** Sends a code. Does nothing if strangers have used up the messages of this hour. */
type SendCode = (message: NewMessage) => Promise<void>

/**
 * Returns whether a code to this number may open the account. An unverified number may belong to somebody else, so it
 * does not open an account with a verified email address.
 */
const opensByPhone = (account: AccountRow): boolean =>
  account.phone_proved_at !== null || account.email_proved_at === null

export function createPhoneRequests(deps: {
  mode: SignUpMode
  settings: PhoneSettings
  database: Database
  clock: Clock
  hashing: PasswordHashing
  messages: PhoneMessages
  sessions: Sessions
  signUpLimits: AttemptLimits
}): PhoneRequests {
  const { mode, settings, database, clock, hashing, messages, sessions, signUpLimits } = deps

  /**
   * Runs `work` in a transaction for a request that was counted. `work` receives the function that sends the message.
   */
  const withSlot = <T>(
    slot: MessageSlot,
    work: (tx: TransactionSql, send: SendCode) => Promise<T>,
  ): Promise<T> =>
    slot.use(({ maySend, onSent }) =>
      database.transaction((tx) =>
        work(tx, async (message) => {
          if (!maySend) return
          await messages.sendCode(tx, message)
          onSent()
        }),
      ),
    )

  /** Returns whether the account is waiting for its first code, or may sign in. Other accounts get no messages. */
  const isDue = (account: AccountRow): boolean =>
    account.is_active &&
    opensByPhone(account) &&
    (account.phone_confirmed_at === null || account.approved_at !== null)

  const findOrSignUp = async (
    tx: TransactionSql,
    phone: string,
    { createsAccount, data }: PhoneCodeRequest,
    device: Device,
  ): Promise<AccountRow | null> => {
    const mayCreate = createsAccount && mode !== 'closed'
    if (mayCreate) await lockAccountNames(tx)
    const known = await findAccountByPhone(tx, phone)
    if (known) return isDue(known) ? known : null
    if (mayCreate) {
      const fields = { phone, passwordHash: null, data: ownMetadata(data), confirms: false }
      return insertSelfMadeByPhone(tx, { ...fields, approves: mode === 'open', device }, clock.now())
    }
    // With other sign-up settings, this error would reveal who has an account. With open sign-ups, a sign-up
    // reveals that anyway.
    if (mode === 'open') throw new AppError('OTP_SIGNUP_DISABLED')
    return null
  }

  /** Creates an account whose number needs no code. With open sign-ups, the account can be used at once. */
  const signUpUnseen = async (
    fields: { phone: string; passwordHash: string; data: Record<string, unknown> },
    device: Device,
  ): Promise<SignUpOutcome> => {
    const { phone, data } = fields
    const outcome = await database.transaction(async (tx) => {
      await lockAccountNames(tx)
      if (await findAccountByPhone(tx, phone)) {
        if (mode === 'open') throw new AppError('USER_ALREADY_EXISTS')
        return null
      }
      const approves = mode === 'open'
      const account = await insertSelfMadeByPhone(
        tx,
        { ...fields, confirms: true, approves, device },
        clock.now(),
      )
      return approves ? sessions.openWithin(tx, account, device, 'password') : { account, session: null }
    })
    if (outcome === null) return { kind: 'known', email: '', phone, data }
    if (outcome.session === null) return { kind: 'waiting', account: outcome.account }
    return { kind: 'signed-in', session: await sessions.issue(outcome.session, outcome.account) }
  }

  const signUpByCode = (
    slot: MessageSlot,
    fields: { phone: string; passwordHash: string; data: Record<string, unknown> },
    device: Device,
  ): Promise<SignUpOutcome> =>
    withSlot(slot, async (tx, send) => {
      const { phone, passwordHash, data } = fields
      await lockAccountNames(tx)
      const known = await findAccountByPhone(tx, phone)
      const isOpen = known?.is_active && known.phone_confirmed_at === null && opensByPhone(known)
      if (known && !isOpen) return { kind: 'known', email: '', phone, data }
      const made = { ...fields, confirms: false, approves: mode === 'open', device }
      const account = known ?? (await insertSelfMadeByPhone(tx, made, clock.now()))
      // Somebody else may have signed up with this number, and people cannot tell the messages apart. So the password
      // takes effect only when this message's code is used at this IP address.
      await send({ account, phone, type: 'sms', passwordHash, address: addressKey(device.ip) })
      return { kind: 'waiting', account: await getAccount(tx, account.id) }
    })

  interface Resend {
    phone: string
    address: string
    send: SendCode
  }

  const resendSignUp = async (tx: TransactionSql, { phone, address, send }: Resend): Promise<void> => {
    const account = await findAccountByPhone(tx, phone)
    if (!account?.is_active || account.phone_confirmed_at !== null || !opensByPhone(account)) return
    const waiting = await findWaitingPhoneSignUp(tx, account.id)
    await send({ account, phone, type: 'sms', ...(waiting ?? { passwordHash: null, address }) })
  }

  /**
   * Returns whether the code of a phone number change may be sent again. The request may contain the current number,
   * but the message goes to the new one. So the request counts for the new number as well. The caller must not report a
   * refusal, because it would reveal that a change is waiting.
   */
  const mayRepeatChange = async (phone: string, ip: string): Promise<boolean> => {
    const change = await findPhoneChange(database.sql, phone)
    if (change === null || change.new_phone === null || change.new_phone === phone) return true
    try {
      const slot = await messages.limits.claim(change.new_phone, ip)
      await slot.use(async () => undefined)
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'TOO_MANY_SMS') return false
      throw error
    }
  }

  const resendChange = async (tx: TransactionSql, { phone, address, send }: Resend): Promise<void> => {
    const account = await findPhoneChange(tx, phone)
    if (!account?.is_active || account.new_phone === null) return
    await send({ account, phone: account.new_phone, type: 'phone_change', passwordHash: null, address })
  }

  return {
    async sendCode(request, device) {
      assertPhonesEnabled(settings, 'Unsupported phone provider')
      const phone = readPhone(request.phone)
      const slot = await messages.limits.claim(phone, device.ip)
      const address = addressKey(device.ip)
      await inConstantTime(() =>
        withSlot(slot, async (tx, send) => {
          const account = await findOrSignUp(tx, phone, request, device)
          if (account) await send({ account, phone, type: 'sms', passwordHash: null, address })
        }),
      )
    },

    async resend({ type, phone: text }, device) {
      if (type !== 'sms' && type !== 'phone_change')
        throw new AppError('REQUEST_INCOMPLETE', { text: 'Type provided requires an email address' })
      assertPhonesEnabled(settings, 'Phone logins are disabled')
      const phone = readPhone(text)
      const slot = await messages.limits.claim(phone, device.ip)
      const resend = type === 'sms' ? resendSignUp : resendChange
      const address = addressKey(device.ip)
      await inConstantTime(async () => {
        const isDue = type === 'sms' || (await mayRepeatChange(phone, device.ip))
        await withSlot(slot, async (tx, send) => {
          if (isDue) await resend(tx, { phone, address, send })
        })
      })
    },

    async signUp({ phone: text, password, data: given }, device) {
      if (mode === 'closed') throw new AppError('SIGNUP_DISABLED')
      assertPhonesEnabled(settings, 'Phone signups are disabled')
      const phone = readPhone(text)
      if (password === '')
        throw new AppError('REQUEST_INCOMPLETE', { text: 'Signup requires a valid password' })
      assertStrongPassword(password)
      await signUpLimits.count({ key: 'sign-up', ip: device.ip })
      const slot = settings.autoConfirms ? null : await messages.limits.claim(phone, device.ip)
      // Hash the password even if the number already has an account, so that the response time does not reveal it.
      const fields = { phone, passwordHash: await hashing.hash(password), data: ownMetadata(given) }
      return inConstantTime(() => (slot ? signUpByCode(slot, fields, device) : signUpUnseen(fields, device)))
    },
  }
}
