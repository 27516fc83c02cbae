import type { HostedUser, MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { noteMailSent, setNewEmail } from '../accounts/account-changes.queries.ts'
import {
  type AccountRow,
  findAccountByEmail,
  getAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import { isInvited } from '../accounts/admission.ts'
import { accountEntity } from '../audit/account-audit.ts'
import type { SignedInUsers } from '../hosted/hosted-user.service.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { readPassword, requireEmail } from './admin-fields.ts'
import { type HostedAccounts, lockBelowAdmin } from './hosted-accounts.service.ts'

export interface LinkRequest {
  type: string
  email: string | null
  password: string | null
  newEmail: string | null
  data: Record<string, unknown>
  /** An address that `Redirects.allow` has accepted. */
  redirectTo: string | null
}

export interface GeneratedLink extends HostedUser {
  action_link: string
  email_otp: string
  hashed_token: string
  verification_type: string
  redirect_to: string
}

/**
 * Creates links for programs with a secret key, which send the emails themselves. Also emails invitations.
 */
export interface HostedLinks {
  /**
   * Creates a link of the requested type. Throws REQUEST_INCOMPLETE, EMAIL_INVALID, EMAIL_TAKEN,
   * ACCOUNT_NOT_FOUND, ACCOUNT_DEACTIVATED or WEAK_PASSWORD. Throws OWNERS_ONLY for an admin or owner,
   * because anybody with the link can sign in.
   */
  generate(request: LinkRequest, audit: AuditContext): Promise<GeneratedLink>
  /** Emails an invitation. Throws the errors of `generate`, and TOO_MANY_MAILS. */
  invite(
    request: Pick<LinkRequest, 'email' | 'data' | 'redirectTo'>,
    audit: AuditContext,
  ): Promise<HostedUser>
}

/** The account that a link opens, and the type of the link's token. */
interface Subject {
  account: AccountRow
  type: MailTokenType
  /** The address that the person proves by using the link. */
  to: string
  passwordHash: string | null
}

export function createHostedLinks(deps: {
  database: Database
  hashing: PasswordHashing
  accounts: HostedAccounts
  tokens: OneTimeTokens
  mails: AccountMails
  redirects: Redirects
  person: SignedInUsers
}): HostedLinks {
  const { database, hashing, accounts, tokens, mails, redirects, person } = deps

  /**
   * Finds the account with an email address, and locks it. Returns null if there is none. Throws OWNERS_ONLY or
   * ACCOUNT_DEACTIVATED.
   */
  const findSubject = async (tx: TransactionSql, email: string): Promise<AccountRow | null> => {
    const account = await findAccountByEmail(tx, email)
    if (!account) return null
    await lockBelowAdmin(tx, account.id)
    if (!account.is_active) throw new AppError('ACCOUNT_DEACTIVATED')
    return account
  }

  const getSubject = async (tx: TransactionSql, email: string) =>
    orThrow(await findSubject(tx, email), 'ACCOUNT_NOT_FOUND')

  const insert = (
    tx: TransactionSql,
    { email, data, passwordHash }: { email: string; data: LinkRequest['data']; passwordHash: string | null },
    audit: AuditContext,
  ): Promise<AccountRow> =>
    accounts.insert(tx, { email, passwordHash, isConfirmed: false, userMetadata: data, role: null }, audit)

  /**
   * Returns a new account, or an invited one that has no password yet. Throws EMAIL_TAKEN if somebody has signed up
   * with the address, because the invitation would approve that account with a password that a stranger may know.
   */
  const invited = async (
    tx: TransactionSql,
    email: string,
    data: LinkRequest['data'],
    audit: AuditContext,
  ): Promise<AccountRow> => {
    const known = await findSubject(tx, email)
    if (!known) return insert(tx, { email, data, passwordHash: null }, audit)
    if (!isInvited(known)) throw new AppError('EMAIL_TAKEN')
    return known
  }

  const signUpSubject = async (
    tx: TransactionSql,
    email: string,
    { data }: LinkRequest,
    { passwordHash, audit }: { passwordHash: string | null; audit: AuditContext },
  ): Promise<Subject> => {
    const known = await findSubject(tx, email)
    if (known && known.email_confirmed_at !== null) throw new AppError('EMAIL_TAKEN')
    const account = known ?? (await insert(tx, { email, data, passwordHash }, audit))
    // An account that is waiting for confirmation keeps its old password until the link confirms the address.
    return { account, type: 'signup', to: email, passwordHash: known ? passwordHash : null }
  }

  const emailChangeSubject = async (
    tx: TransactionSql,
    email: string,
    newEmail: string,
    audit: AuditContext,
  ): Promise<Subject> => {
    const account = await getSubject(tx, email)
    if (await findAccountByEmail(tx, newEmail)) throw new AppError('EMAIL_TAKEN')
    await setNewEmail(tx, account.id, newEmail, audit.now)
    return { account, type: 'email_change', to: newEmail, passwordHash: null }
  }

  const subjectOf = async (
    tx: TransactionSql,
    email: string,
    request: LinkRequest,
    by: { passwordHash: string | null; audit: AuditContext },
  ): Promise<Subject> => {
    const plain = { to: email, passwordHash: null }
    switch (request.type) {
      case 'signup':
        return signUpSubject(tx, email, request, by)
      case 'invite':
        return { account: await invited(tx, email, request.data, by.audit), type: 'invite', ...plain }
      case 'magiclink': {
        const account = await findSubject(tx, email)
        if (!account) return signUpSubject(tx, email, request, { ...by, passwordHash: null })
        return { account, type: 'magiclink', ...plain }
      }
      case 'recovery':
        return { account: await getSubject(tx, email), type: 'recovery', ...plain }
      default:
        return emailChangeSubject(tx, email, requireEmail(request.newEmail), by.audit)
    }
  }

  const TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new']

  const assertComplete = ({ type, email, password, newEmail }: LinkRequest): void => {
    if (!TYPES.includes(type))
      throw new AppError('REQUEST_INCOMPLETE', {
        text: `Invalid email action link type: use ${TYPES.join(', ')}`,
      })
    if (!email) throw new AppError('REQUEST_INCOMPLETE', { text: 'An email address is required' })
    if (type === 'signup' && !password)
      throw new AppError('REQUEST_INCOMPLETE', { text: 'Signup requires a valid password' })
    if (type.startsWith('email_change') && !newEmail)
      throw new AppError('REQUEST_INCOMPLETE', { text: 'A new email address is required' })
  }

  return {
    async generate(request, audit) {
      assertComplete(request)
      const email = requireEmail(request.email)
      const passwordHash = await readPassword({ password: request.password }, hashing)
      const { account, type, issued } = await database.transaction(async (tx) => {
        await lockAccountNames(tx)
        const subject = await subjectOf(tx, email, request, { passwordHash, audit })
        const { id } = subject.account
        const token = {
          accountId: id,
          type: subject.type,
          email: subject.to,
          passwordHash: subject.passwordHash,
          flowStateId: null,
        }
        const made = await tokens.issue(tx, token, audit.now)
        if (subject.type === 'invite') await noteMailSent(tx, id, 'invite', audit.now)
        const event = { ...accountEntity({ id }), after: { type: request.type, email: subject.to } }
        await writeAudit(tx, { action: 'account.link_issued', ...event }, audit)
        return { account: await getAccount(tx, id), type: subject.type, issued: made }
      })
      const redirectTo = request.redirectTo ?? redirects.home
      return {
        ...(await person.asHostedUser(account)),
        action_link: redirects.linkTo({ token: issued.token, type }, redirectTo),
        email_otp: issued.code,
        hashed_token: issued.token,
        verification_type: type === 'signup' ? 'signup' : request.type,
        redirect_to: redirectTo,
      }
    },

    async invite({ email: text, data, redirectTo }, audit) {
      if (!text) throw new AppError('REQUEST_INCOMPLETE', { text: 'An email address is required' })
      const email = requireEmail(text)
      const account = await database.transaction(async (tx) => {
        await mails.claimSlot(tx, { to: email, kind: 'invite' })
        await lockAccountNames(tx)
        const { id } = await invited(tx, email, data, audit)
        await mails.send(tx, { type: 'invite', accountId: id, to: email, redirectTo, showsCode: false })
        await writeAudit(tx, { action: 'account.invited', ...accountEntity({ id }), after: { email } }, audit)
        return getAccount(tx, id)
      })
      return person.asHostedUser(account)
    },
  }
}
