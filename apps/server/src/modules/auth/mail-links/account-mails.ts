import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { languageOf } from '@pegasus/contracts/texts/languages'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, HOUR_MS } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { renderMail } from '../../../platform/mail/layout.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import {
  type AttemptKind,
  type AttemptLimitOptions,
  type AttemptLimits,
  type Reservation,
  addressKey,
  nameKeyOf,
} from '../rate-limit/attempt-limits.ts'
import { findUserMetadata, noteMailSent } from '../accounts/account-changes.queries.ts'
import { type CodeChallenge, insertFlowState } from './flow-states.ts'
import { isKnownForMails } from '../accounts/known-mail-addresses.queries.ts'
import { type ComposedMail, composeTokenMail } from './link-mails.ts'
import { type MailSlot, claimMailSlot } from './mail-throttle.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { Redirects } from './redirects.ts'

/** The method in the `amr` claim (authentication methods) of a session that a mailed link opened. */
export const SESSION_METHOD: Readonly<Record<MailTokenType, string>> = {
  signup: 'otp',
  email_change: 'otp',
  recovery: 'recovery',
  invite: 'invite',
  magiclink: 'otp',
  // This type opens no session.
  reauthentication: 'otp',
}

/**
 * The maximum number of emails of one kind per hour to one email address: those that one caller requests, and those
 * that all unknown callers request together. One caller alone must not use up the requests of the others. The second
 * limit ignores callers from whose IP address the recipient has signed in, so strangers cannot use up the recipient's
 * own requests.
 */
const [PER_CALLER_AND_HOUR, PER_ADDRESS_AND_HOUR] = [10, 60]

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
  /** Whether emails reach people. Only then can a link confirm an address. */
  readonly reachPeople: boolean
  /** The beginning of every link in an email. */
  readonly publicUrl: string
  /**
   * Claims the right to send an email of this kind to an address. This is possible once within the interval. Throws
   * TOO_MANY_MAILS with the time to wait.
   */
  claimSlot(tx: Queryable, slot: MailSlot): Promise<void>
  /**
   * Runs `work` in a transaction, for an email that anybody may request. Counts the request for the caller, whether or
   * not `work` sends an email. Also counts it for the recipient, unless the recipient has signed in from the caller's
   * IP address. Throws TOO_MANY_MAILS with the time to wait.
   */
  onRequest<T>(slot: Required<MailSlot>, work: (tx: TransactionSql) => Promise<T>): Promise<T>
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
  database: Database
  clock: Clock
  /** The minimum time between two emails of the same kind to one address. */
  intervalMs: number
  limitsOf(kind: AttemptKind, options: AttemptLimitOptions): AttemptLimits
}): AccountMails {
  const { transport, tokens, redirects, database, clock, intervalMs } = deps
  const limitsOf = (name: AttemptKind['name'], max: number, isAnywhere: boolean): AttemptLimits =>
    deps.limitsOf(
      { name, refusal: 'TOO_MANY_MAILS', isAnywhere },
      { perAccountAndAddress: max, perAddress: Number.MAX_SAFE_INTEGER, windowMs: HOUR_MS },
    )
  const pairs = limitsOf('mail-pair', PER_CALLER_AND_HOUR, false)
  const addresses = limitsOf('mail-to', PER_ADDRESS_AND_HOUR, true)
  const claimSlot = (tx: Queryable, slot: MailSlot): Promise<void> =>
    claimMailSlot(tx, { clock, intervalMs, refusal: 'TOO_MANY_MAILS' }, slot)

  const post = async (
    tx: Queryable,
    to: { accountId: string; address: string },
    composed: ComposedMail,
  ): Promise<void> => {
    const language = languageOf(await findUserMetadata(tx, to.accountId))
    const mail = { id: uuidv7(), accountId: to.accountId, to: to.address, ...renderMail(composed, language) }
    await transport.post(tx, mail)
  }

  return {
    reachPeople: transport.reachesPeople,
    publicUrl: deps.publicUrl,

    claimSlot,

    async onRequest(slot, work) {
      const { to, kind, ip } = slot
      const attempt = { key: nameKeyOf(`${kind}/${to}`), ip }
      const place = { email: to, address: addressKey(ip), now: clock.now() }
      const isKnown = await isKnownForMails(database.sql, place)
      const taken: Reservation[] = []
      let isFree = true
      try {
        taken.push(await pairs.reserve(attempt))
        if (!isKnown) taken.push(await addresses.reserve(attempt))
        const result = await database.transaction(async (tx) => {
          await claimSlot(tx, slot)
          return work(tx)
        })
        isFree = false
        return result
      } finally {
        for (const reservation of taken) await reservation.settle(isFree)
      }
    },

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
