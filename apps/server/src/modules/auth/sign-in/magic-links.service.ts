import type { Clock } from '../../../platform/clock.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type AccountRow, findAccountByEmail, lockAccountNames } from '../accounts/accounts.queries.ts'
import { readEmail } from '../accounts/email-address.ts'
import { ownMetadata } from '../accounts/user-metadata.ts'
import { inConstantTime } from '../rate-limit/constant-time.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { CodeChallenge } from '../mail-links/flow-states.ts'
import type { Device } from '../audit/device.ts'
import { insertSelfMade } from './self-registered-account.ts'
import type { SignUpMode } from './sign-up.service.ts'

export interface MagicLinkRequest {
  email: string | null
  /** Whether an unknown address signs up, provided that sign-ups are allowed. */
  createsAccount: boolean
  data: Record<string, unknown>
  challenge: CodeChallenge | null
  redirectTo: string | null
}

/** Sign-in through a link in an email, without a password. */
export interface MagicLinks {
  /**
   * Emails a sign-in link to an account that may sign in, or whose address is not confirmed yet. Sends no email to
   * other accounts. The response and its timing are the same for every address, with one exception: OTP_SIGNUP_DISABLED
   * with open sign-ups, where a sign-up reveals accounts anyway. Throws EMAIL_INVALID, TOO_MANY_MAILS or
   * TOO_MANY_REQUESTS.
   */
  send(request: MagicLinkRequest, device: Device): Promise<void>
}

export function createMagicLinks(deps: {
  mode: SignUpMode
  clock: Clock
  limits: AttemptLimits
  mails: AccountMails
}): MagicLinks {
  const { mode, clock, limits, mails } = deps

  /**
   * Returns whether the account gets an email. An account that only waits for approval gets none, because the link
   * would open no session.
   */
  const getsMail = (account: AccountRow): boolean =>
    account.is_active && (account.email_confirmed_at === null || account.approved_at !== null)

  /**
   * Creates an account. The mailed link confirms its address. With open sign-ups, the link also signs the person in.
   */
  const signUp = async (
    tx: TransactionSql,
    email: string,
    data: Record<string, unknown>,
    device: Device,
  ): Promise<AccountRow> => {
    const fields = { email, passwordHash: null, data, confirms: false, approves: mode === 'open', device }
    return insertSelfMade(tx, fields, clock.now())
  }

  const findOrSignUp = async (
    tx: TransactionSql,
    email: string,
    { createsAccount, data }: MagicLinkRequest,
    device: Device,
  ): Promise<AccountRow | null> => {
    const mayCreate = createsAccount && mode !== 'closed'
    if (mayCreate) await lockAccountNames(tx)
    const known = await findAccountByEmail(tx, email)
    if (known) return getsMail(known) ? known : null
    if (mayCreate) return signUp(tx, email, ownMetadata(data), device)
    // With other sign-up settings, this error would reveal who has an account. With open sign-ups, a sign-up
    // reveals that anyway.
    if (mode === 'open') throw new AppError('OTP_SIGNUP_DISABLED')
    return null
  }

  return {
    async send(request, device) {
      const { email: text, challenge, redirectTo } = request
      if (!text) throw new AppError('REQUEST_INCOMPLETE', { text: 'An email address is required' })
      const email = readEmail(text)
      await limits.count({ key: 'magiclink', ip: device.ip })
      await inConstantTime(() =>
        mails.onRequest({ to: email, kind: 'magiclink', ip: device.ip }, async (tx) => {
          const account = await findOrSignUp(tx, email, request, device)
          if (!account) return
          const place = { challenge, redirectTo, showsCode: redirectTo === null }
          // Never send a sign-up link here. It would keep the account's password, which somebody else may have chosen.
          await mails.send(tx, { type: 'magiclink', accountId: account.id, to: account.email, ...place })
        }),
      )
    },
  }
}
