import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { renderMail } from '../../../platform/mail/layout.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import { noteMailSent } from '../accounts/account-changes.queries.ts'
import { type CodeChallenge, insertFlowState } from './flow-states.ts'
import { type ComposedMail, composeTokenMail } from './mail-texts.ts'
import { type MailSlot, claimMailSlot } from './mail-throttle.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { Redirects } from './redirects.ts'

/** The `amr` method of a session that a mailed link opened. */
export const SESSION_METHOD: Readonly<Record<MailTokenType, string>> = {
  signup: 'otp',
  email_change: 'otp',
  recovery: 'recovery',
  invite: 'invite',
  magiclink: 'otp',
  // This type opens no session.
  reauthentication: 'otp',
}

export interface TokenMail {
  type: MailTokenType
  accountId: string
  to: string
  /** An address that `Redirects.allow` has accepted. */
  redirectTo?: string | null
  challenge?: CodeChallenge | null
  passwordHash?: string | null
  /**
   * Whether the email shows the code next to the link. Programs have a field for the code; our own screens do
   * not.
   */
  showsCode: boolean
}

/** Writes the emails of this module in the caller's transaction. */
export interface AccountMails {
  /** Whether emails reach people, so that a link can confirm an address. */
  readonly reachPeople: boolean
  /** The address with which every link in an email begins. */
  readonly publicUrl: string
  /**
   * Claims the right to send an email of this kind to an address. Only one is allowed within the interval.
   * Throws TOO_MANY_MAILS with the time to wait.
   */
  claimSlot(tx: Queryable, slot: MailSlot): Promise<void>
  /** Creates a token and writes the email that contains it. */
  send(tx: Queryable, mail: TokenMail): Promise<void>
  /** Writes an email without a token to the account's address. Does nothing if the account has no address. */
  notify(
    tx: Queryable,
    account: { id: string; email: string; has_email: boolean },
    mail: ComposedMail,
  ): Promise<void>
}

export function createAccountMails(deps: {
  transport: MailTransport
  tokens: OneTimeTokens
  redirects: Redirects
  publicUrl: string
  clock: Clock
  /** The minimum time between two emails of the same kind to one address. */
  intervalMs: number
}): AccountMails {
  const { transport, tokens, redirects, clock, intervalMs } = deps

  const post = async (
    tx: Queryable,
    to: { accountId: string; address: string },
    { subject, content }: ComposedMail,
  ): Promise<void> => {
    const mail = { id: uuidv7(), accountId: to.accountId, to: to.address, subject, ...renderMail(content) }
    await transport.post(tx, mail)
  }

  return {
    reachPeople: transport.reachesPeople,
    publicUrl: deps.publicUrl,

    claimSlot: (tx, slot) => claimMailSlot(tx, { clock, intervalMs, refusal: 'TOO_MANY_MAILS' }, slot),

    async send(
      tx,
      { type, accountId, to, showsCode, redirectTo = null, challenge = null, passwordHash = null },
    ) {
      const now = clock.now()
      const method = SESSION_METHOD[type]
      const flowStateId = challenge && (await insertFlowState(tx, { accountId, method, challenge, now }))
      const issued = await tokens.issue(tx, { accountId, type, email: to, passwordHash, flowStateId }, now)
      const isCodeAlone = type === 'reauthentication'
      const url = isCodeAlone ? null : redirects.linkTo({ token: issued.token, type }, redirectTo)
      await post(
        tx,
        { accountId, address: to },
        composeTokenMail(type, { url, code: showsCode || isCodeAlone ? issued.code : null }),
      )
      if (!isCodeAlone) await noteMailSent(tx, accountId, type, now)
    },

    async notify(tx, account, mail) {
      if (account.has_email) await post(tx, { accountId: account.id, address: account.email }, mail)
    },
  }
}
