import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { isEmail, normalizeName } from '@pegasus/contracts/users/users'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { confirmEmail, replaceEmail, updatePassword } from '../accounts/account-changes.queries.ts'
import { type AccountRow, getAccount, lockAccount } from '../accounts/accounts.queries.ts'
import type { UpgradeAnonymous } from '../accounts/anonymous-upgrade.ts'
import { assertAdmitted, isAdmitted } from '../accounts/admission.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { type Attempt, type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import type { SessionRow } from '../sessions/sessions.queries.ts'
import type { IdentityWay, IssuedSession, ProviderTokens, Sessions } from '../sessions/sessions.service.ts'
import { accountEntity, auditRefusedSignIn, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { TakeOver } from '../take-over/take-over.ts'
import { SESSION_METHOD } from './account-mails.ts'
import { auditNewEmail } from './email-change.ts'
import { type Flow, issueAuthCode, takeAuthCode } from './flow-states.ts'
import { type OneTimeTokenRow, type OneTimeTokens, deleteTokensOf } from './one-time-tokens.ts'

/**
 * The token types for each type name in the protocol. `email` stands for every link that confirms the current address.
 * `signup` includes the sign-in email, because programs also send this name for the sign-in email of a new address.
 */
const TYPES: Readonly<Record<string, readonly MailTokenType[]>> = {
  signup: ['signup', 'magiclink'],
  invite: ['invite'],
  recovery: ['recovery'],
  magiclink: ['magiclink', 'recovery'],
  email_change: ['email_change'],
  email: ['signup', 'invite', 'recovery', 'magiclink'],
}

export type Proof = { token: string } | { email: string; code: string }

export type VerifyOutcome =
  | { kind: 'session'; session: IssuedSession; type: MailTokenType }
  /** The client sent a code challenge, and exchanges this code for the session. */
  | { kind: 'code'; authCode: string }
  /** The address is confirmed, but the account still waits for approval. */
  | { kind: 'waiting'; account: AccountRow }
  /**
   * An administrator approved the account without waiting for the confirmation. The link opens no session;
   * the person can sign in with the password.
   */
  | { kind: 'ready'; account: AccountRow }

/** Completes the linking of an identity when the person who began it exchanges the code. */
export interface LinkCompletion {
  /** Links the identity. Throws the errors of `IdentityLinks.link`. */
  complete(tx: TransactionSql, accountId: string, linkSealed: string, device: Device): Promise<IdentityWay>
  /** Records a refusal in the audit, and counts it for the rate limit. */
  noteRefusal(error: unknown, accountId: string, device: Device): Promise<void>
}

export interface Verification {
  /**
   * Consumes a link or code and performs its action. Throws LINK_EXPIRED or CODE_EXPIRED if it is wrong, used
   * or expired. Also throws ACCOUNT_DEACTIVATED and EMAIL_TAKEN.
   */
  verify(type: string, proof: Proof, device: Device, options: { asCode: boolean }): Promise<VerifyOutcome>
  /** Exchanges the code of a link for a session. */
  exchange(code: string, verifier: string, device: Device, links: LinkCompletion): Promise<IssuedSession>
}

/**
 * Returns the normalized email address, or an empty string if the text is not an address. No code belongs to an empty
 * string. The database would refuse other texts, such as those with NUL characters.
 */
const emailOrNone = (text: string): string => {
  const email = normalizeName(text)
  return isEmail(email) ? email : ''
}

interface Used {
  account: AccountRow
  type: MailTokenType
  authCode: string | null
  /**
   * Null if the client gets a code instead, if the account is still waiting, or if there was nothing to
   * confirm.
   */
  session: SessionRow | null
  isProvedAlready: boolean
}

export function createVerification(deps: {
  database: Database
  clock: Clock
  limits: AttemptLimits
  sessions: Sessions
  tokens: OneTimeTokens
  upgradeAnonymous: UpgradeAnonymous
  takeOver: TakeOver
  openProviderTokens: (sealed: string) => ProviderTokens
}): Verification {
  const { database, clock, limits, sessions, tokens, upgradeAnonymous, takeOver, openProviderTokens } = deps

  /**
   * Sets the password of the sign-up whose link was followed. Somebody else may also have signed up with this address.
   * Only this password is certain to come from the person who reads its emails.
   */
  const setTypedPassword = async (
    tx: TransactionSql,
    account: AccountRow,
    passwordHash: string,
    device: Device,
  ): Promise<void> => {
    const now = clock.now()
    await updatePassword(tx, account.id, passwordHash, now)
    const event = { action: 'password.changed', ...accountEntity(account), after: { by: 'link' } } as const
    await writeAudit(tx, event, ownAuditContext(await getAccountSummary(tx, account.id), device, now))
  }

  /**
   * Handles the first verification of an address. Somebody else may have created the account in the hope that the owner
   * of the address uses it later. So all passwords are removed, except one that the link of the sign-up's own email has
   * confirmed.
   */
  const handOver = async (
    tx: TransactionSql,
    { type, flow_state_id: flowStateId }: OneTimeTokenRow,
    { account, device }: { account: AccountRow; device: Device },
  ): Promise<void> => {
    const now = clock.now()
    const ended = await takeOver(tx, account.id, { keepsPassword: type === 'signup', flowStateId, now })
    // An account with an unconfirmed address had no sessions, so nobody can have used it.
    if (account.email_confirmed_at === null) return
    const event = { action: 'account.updated', ...accountEntity(account), after: ended } as const
    await writeAudit(tx, event, ownAuditContext(await getAccountSummary(tx, account.id), device, now))
  }

  const apply = async (
    tx: TransactionSql,
    row: OneTimeTokenRow,
    { account, device }: { account: AccountRow; device: Device },
  ): Promise<void> => {
    const now = clock.now()
    if (row.type === 'email_change') {
      if (account.new_email !== row.email)
        throw new AppError('LINK_EXPIRED', { detail: 'another address by now' })
      // If nobody has verified the former address, a stranger may have requested the change and may be waiting for the
      // owner of the new address. So the new address does not count as verified, and its owner takes the account over
      // with the next link or code.
      const isProved = account.email_proved_at !== null || !account.has_email
      const address = { email: row.email, isProved }
      if (account.is_anonymous) await upgradeAnonymous(tx, account, address, now)
      else await replaceEmail(tx, account.id, address, now)
      await auditNewEmail(
        tx,
        account,
        row.email,
        ownAuditContext(await getAccountSummary(tx, account.id), device, now),
      )
      return
    }
    // The ability to read emails to a former address does not prove that a person owns the account.
    if (row.email.toLowerCase() !== account.email.toLowerCase())
      throw new AppError('LINK_EXPIRED', { detail: 'sent to an earlier address' })
    if (account.email_proved_at === null) await handOver(tx, row, { account, device })
    if (row.type === 'signup' && row.password_hash !== null)
      await setTypedPassword(tx, account, row.password_hash, device)
    await confirmEmail(tx, account.id, row.email, now)
  }

  const use = async (
    tx: TransactionSql,
    row: OneTimeTokenRow,
    { asCode, device }: { asCode: boolean; device: Device },
  ): Promise<Used> => {
    const before = await lockAccount(tx, row.account_id)
    if (!before?.is_active) throw new AppError('ACCOUNT_DEACTIVATED')
    const nothing = { type: row.type, authCode: null, session: null }
    // An administrator has already approved the account and may have read this link. So the link opens no session.
    if (row.type === 'signup' && before.email_confirmed_at !== null)
      return { ...nothing, account: before, isProvedAlready: true }
    await deleteTokensOf(tx, row.account_id)
    await apply(tx, row, { account: before, device })
    const account = await getAccount(tx, row.account_id)
    const used = { ...nothing, account, isProvedAlready: false }
    if (!isAdmitted(account)) return used
    if (asCode && row.flow_state_id !== null)
      return { ...used, authCode: await issueAuthCode(tx, row.flow_state_id, clock.now()) }
    return { ...used, ...(await sessions.openWithin(tx, account, device, SESSION_METHOD[row.type])) }
  }

  /** Returns null instead of throwing, because an error would roll back the count of the wrong code. */
  const findAndUse = (
    types: readonly MailTokenType[],
    proof: Proof,
    by: { asCode: boolean; device: Device },
  ): Promise<Used | null> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const row =
        'token' in proof
          ? await tokens.takeByToken(tx, proof.token, types, now)
          : await tokens.takeByCode(tx, { ...proof, types }, now)
      return row && use(tx, row, by)
    })

  const usedOrThrow = async (type: string, proof: Proof, device: Device, asCode: boolean): Promise<Used> => {
    const types = TYPES[type]
    if (!types) throw new AppError('REQUEST_INCOMPLETE', { text: 'Verify requires a verification type' })
    const refused = { account: null, reason: 'token' in proof ? 'wrong_link' : 'wrong_mail_code' }
    const attempt: Attempt = {
      key: 'mail-code',
      ip: device.ip,
      onWrong: (tx) => auditRefusedSignIn(tx, refused, device, clock.now()),
    }
    const used = await judged(limits, attempt, () => findAndUse(types, proof, { asCode, device }))
    if (!used) throw new AppError('token' in proof ? 'LINK_EXPIRED' : 'CODE_EXPIRED')
    return used
  }

  const openFlow = async (
    tx: TransactionSql,
    { accountId, way, linkSealed }: Flow,
    device: Device,
    links: LinkCompletion,
  ): Promise<{ session: SessionRow | null; account: AccountRow }> => {
    if (linkSealed === null) {
      const proven = await getAccount(tx, accountId)
      assertAdmitted(proven)
      return sessions.openWithin(tx, proven, device, way)
    }
    const linkedWay = await links.complete(tx, accountId, linkSealed, device)
    const account = await getAccount(tx, accountId)
    return isAdmitted(account)
      ? sessions.openWithin(tx, account, device, linkedWay)
      : { session: null, account }
  }

  return {
    async verify(type, proof, device, { asCode }) {
      const normalized = 'email' in proof ? { ...proof, email: emailOrNone(proof.email) } : proof
      const used = await usedOrThrow(type, normalized, device, asCode)
      const { account, authCode, session } = used
      if (used.isProvedAlready && isAdmitted(account)) return { kind: 'ready', account }
      if (authCode !== null) return { kind: 'code', authCode }
      if (session === null) return { kind: 'waiting', account }
      return { kind: 'session', session: await sessions.issue(session, account), type: used.type }
    },

    async exchange(code, verifier, device, links) {
      let linkedTo: string | null = null
      const take = async (tx: TransactionSql) => {
        const flow = await takeAuthCode(tx, { code, verifier }, clock.now())
        if (flow.linkSealed !== null) linkedTo = flow.accountId
        return { ...flow, ...(await openFlow(tx, flow, device, links)) }
      }
      const { session, account, providerTokensSealed } = await database
        .transaction(take)
        .catch(async (error: unknown) => {
          if (linkedTo !== null) await links.noteRefusal(error, linkedTo, device)
          throw error
        })
      // Throw only after the commit, so that an identity stays linked even if its account still waits for approval.
      assertAdmitted(account)
      if (session === null) throw new Error(`account ${account.id} got no session for no reason`)
      const issued = await sessions.issue(session, account)
      if (providerTokensSealed === null) return issued
      return { ...issued, provider: openProviderTokens(providerTokensSealed) }
    },
  }
}
