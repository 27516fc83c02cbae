import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { renderMail } from '../../../platform/mail/layout.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import { noteMailSent } from '../accounts/account-changes.queries.ts'
import { type CodeChallenge, insertFlowState } from './flow-states.ts'
import { type ComposedMail, composeTokenMail } from './mail-texts.ts'
import { type MailTurn, takeMailTurn } from './mail-throttle.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { Redirects } from './redirects.ts'

/** How the session that a mail's link opens says it was opened (`amr`). */
export const SESSION_METHOD: Readonly<Record<MailTokenType, string>> = {
  signup: 'otp',
  email_change: 'otp',
  recovery: 'recovery',
  invite: 'invite',
  magiclink: 'otp',
  // Opens none.
  reauthentication: 'otp',
}

export interface TokenMail {
  type: MailTokenType
  accountId: string
  to: string
  /** An address that `Redirects.allow` has let through. */
  redirectTo?: string | null
  challenge?: CodeChallenge | null
  passwordHash?: string | null
  /** Whether the mail shows the code beside the link: for programs that have a field for it, which our screens have not. */
  showsCode: boolean
}

/** Mails of this module, written in the caller's transaction. */
export interface AccountMails {
  /** Whether mails reach people, so that their links prove an address. */
  readonly reachPeople: boolean
  /** What the links of mails begin with. */
  readonly publicUrl: string
  /** Takes an address' turn to be sent a mail of a kind. Throws TOO_MANY_MAILS with the time to wait. */
  takeTurn(tx: Queryable, turn: MailTurn): Promise<void>
  /** Makes a token and writes the mail that carries it. */
  send(tx: Queryable, mail: TokenMail): Promise<void>
  /** Writes a mail that proves nothing, to the account's own address. */
  tell(tx: Queryable, account: { id: string; email: string }, mail: ComposedMail): Promise<void>
}

export function createAccountMails(deps: {
  transport: MailTransport
  tokens: OneTimeTokens
  redirects: Redirects
  publicUrl: string
  clock: Clock
  /** Between two mails of a kind to an address. */
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

    takeTurn: (tx, turn) => takeMailTurn(tx, { clock, intervalMs }, turn),

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

    tell: (tx, account, mail) => post(tx, { accountId: account.id, address: account.email }, mail),
  }
}
