import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findAccountByEmail } from '../accounts/accounts.queries.ts'
import { readEmail } from '../accounts/email-address.ts'
import { inConstantTime } from '../rate-limit/constant-time.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { Device } from '../audit/device.ts'
import type { TokenMail, AccountMails } from './account-mails.ts'
import type { CodeChallenge } from './flow-states.ts'
import { findWaitingPasswordHash } from './one-time-tokens.ts'

export interface MailRequest {
  email: string | null
  challenge: CodeChallenge | null
  redirectTo: string | null
}

/** An email and its recipient, without the page to which the link leads. The request names that page. */
type FoundMail = Omit<TokenMail, 'showsCode'>

/**
 * Handles emails that anybody can request. The response and its timing are the same whether or not the
 * address has an account.
 */
export interface MailRequests {
  /**
   * Sends the link that confirms a sign-up or a new email address again. Throws TOO_MANY_MAILS or
   * TOO_MANY_REQUESTS.
   */
  resend(request: MailRequest & { type: string | null }, device: Device): Promise<void>
  /** Sends a link for choosing a new password. Throws TOO_MANY_MAILS or TOO_MANY_REQUESTS. */
  recover(request: MailRequest, device: Device): Promise<void>
}

export function createMailRequests(deps: { limits: AttemptLimits; mails: AccountMails }): MailRequests {
  const { limits, mails } = deps

  /** Finds a sign-up with this address that is still unconfirmed, and returns the email that confirms it. */
  const findSignUpMail = async (tx: Queryable, email: string): Promise<FoundMail | null> => {
    const account = await findAccountByEmail(tx, email)
    if (!account?.is_active || account.email_confirmed_at !== null) return null
    const passwordHash = await findWaitingPasswordHash(tx, account.id)
    return { type: 'signup', accountId: account.id, to: account.email, passwordHash }
  }

  const findEmailChangeMail = async (tx: Queryable, email: string): Promise<FoundMail | null> => {
    const account = await findAccountByEmail(tx, email)
    if (!account?.is_active || account.new_email === null) return null
    return { type: 'email_change', accountId: account.id, to: account.new_email }
  }

  /**
   * Finds the account for a recovery link. An account that waits for approval gets no link, because it cannot sign in
   * even with a new password.
   */
  const findRecoveryMail = async (tx: Queryable, email: string): Promise<FoundMail | null> => {
    const account = await findAccountByEmail(tx, email)
    if (!account?.is_active || account.approved_at === null) return null
    return { type: 'recovery', accountId: account.id, to: account.email }
  }

  const FINDERS = { signup: findSignUpMail, email_change: findEmailChangeMail, recovery: findRecoveryMail }

  const sendIfDue = async (
    kind: keyof typeof FINDERS,
    { email: text, challenge, redirectTo }: MailRequest,
    { ip }: Device,
  ): Promise<void> => {
    if (!text) throw new AppError('REQUEST_INCOMPLETE', { text: 'An email address is required' })
    const email = readEmail(text)
    await limits.count({ key: kind, ip })
    await inConstantTime(() =>
      mails.onRequest({ to: email, kind, ip }, async (tx) => {
        const mail = await FINDERS[kind](tx, email)
        if (mail) await mails.send(tx, { ...mail, challenge, redirectTo, showsCode: redirectTo === null })
      }),
    )
  }

  return {
    async resend({ type, ...request }, device) {
      if (type === 'sms' || type === 'phone_change')
        throw new AppError('REQUEST_INCOMPLETE', { text: 'Type provided requires a phone number' })
      if (type !== 'signup' && type !== 'email_change')
        throw new AppError('REQUEST_INCOMPLETE', {
          text: 'Missing one of these types: signup, email_change, sms, phone_change',
        })
      await sendIfDue(type, request, device)
    },
    recover: (request, device) => sendIfDue('recovery', request, device),
  }
}
