import { type Clock, HOUR_MS, addMs } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { saveUserMetadata, updatePassword } from '../accounts/account-changes.queries.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import { readEmail } from '../accounts/email-address.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { lockUnchanged } from '../accounts/recheck-account.ts'
import { mergeMetadata } from '../accounts/user-metadata.ts'
import type { ChangeEmail } from '../mail-links/email-change.ts'
import type { CodeChallenge } from '../mail-links/flow-states.ts'
import type { MailedCodes } from '../mail-links/mailed-codes.service.ts'
import type { PhoneChanges } from '../phone/phone-change.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { PasswordProof } from '../passwords/password-proof.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'
import { lockProvenHolder } from '../second-factor/second-step.ts'
import { isRecent } from '../sessions/recent-sign-in.ts'
import { type SessionRow, endSignIns, getSession } from '../sessions/sessions.queries.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'

/** How long after following a recovery link or an invitation a person may set a password. */
const CHOOSING_MS = HOUR_MS
const CHOOSING_METHODS: readonly string[] = ['recovery', 'invite']

export interface OwnAccountChange {
  email: string | null
  phone: string | null
  password: string | null
  currentPassword: string | null
  /** A mailed code. It is the proof of a person who sends no current password and has not signed in recently. */
  nonce: string | null
  data: Record<string, unknown> | null
  challenge: CodeChallenge | null
  redirectTo: string | null
}

/** Changes to the caller's own account, as the hosted protocol requests them. */
export interface OwnAccount {
  /**
   * Makes all requested changes to the account, or none of them. A new password ends all other sessions. If the server
   * sends emails, a new email address must first be confirmed. Otherwise it takes effect at once. A new phone number
   * always waits for its code. Throws SESSION_NOT_FOUND if the session has ended in the meantime.
   */
  update(principal: UserPrincipal, change: OwnAccountChange, device: Device): Promise<AccountRow>
}

interface NewPassword {
  hash: string
  /** The account at the time when the proof was checked. */
  provenBy: AccountRow
  /** The proof: the current password, a recent sign-in, a link, or a mailed code. */
  by: 'current_password' | 'recent_sign_in' | 'link' | 'mail_code'
}

interface Prepared {
  password: NewPassword | null
  email: string | null
  phone: string | null
}

export function createOwnAccount(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  passwords: PasswordProof
  changeEmail: ChangeEmail
  phoneChanges: PhoneChanges
  mailedCodes: Pick<MailedCodes, 'isRight'>
}): OwnAccount {
  const { database, clock, hashing, passwords, changeEmail, phoneChanges, mailedCodes } = deps

  const cameToChoosePassword = (session: SessionRow): boolean =>
    session.amr.some(({ method }) => CHOOSING_METHODS.includes(method)) &&
    addMs(new Date(session.created_at), CHOOSING_MS) > clock.now()

  /** Returns the proof that allows the person to set a password. Throws if no proof is valid. */
  const proveOwnership = async (
    principal: UserPrincipal,
    account: AccountRow,
    { currentPassword, nonce }: Pick<OwnAccountChange, 'currentPassword' | 'nonce'>,
    device: Device,
  ): Promise<NewPassword['by']> => {
    if (currentPassword !== null && !(await passwords.isRight(principal, account, currentPassword, device)))
      throw new AppError('CURRENT_PASSWORD_WRONG')
    if (currentPassword !== null) return 'current_password'
    if (cameToChoosePassword(await getSession(database.sql, principal.sessionId))) return 'link'
    if (isRecent(principal.authenticatedAt, clock)) return 'recent_sign_in'
    if (nonce === null) throw new AppError('REAUTHENTICATION_NEEDED')
    if (!(await mailedCodes.isRight(principal, account, nonce, device)))
      throw new AppError('REAUTHENTICATION_CODE_WRONG')
    return 'mail_code'
  }

  /**
   * Returns the hash of the new password together with the proof. Returns null if the request contains no password.
   * Throws if the password breaks the rules.
   */
  const readNewPassword = async (
    principal: UserPrincipal,
    { email, phone, password, currentPassword, nonce }: OwnAccountChange,
    device: Device,
  ): Promise<NewPassword | null> => {
    if (password === null) return null
    const account = await getAccount(database.sql, principal.accountId)
    assertNotSsoManaged(account)
    if (account.is_anonymous && email === null && phone === null) throw new AppError('ANONYMOUS_PASSWORD')
    const by = await proveOwnership(principal, account, { currentPassword, nonce }, device)
    assertStrongPassword(password)
    if (await hashing.matches(password, account.password_hash)) throw new AppError('SAME_PASSWORD')
    return { hash: await hashing.hash(password), provenBy: account, by }
  }

  const setPassword = async (
    tx: TransactionSql,
    { accountId, sessionId, user }: UserPrincipal,
    { hash, provenBy, by }: NewPassword,
    device: Device,
  ): Promise<void> => {
    // The account has changed since the proof was checked, and a parallel password change ends this session.
    if (!(await lockUnchanged(tx, provenBy))) throw new AppError('SESSION_NOT_FOUND')
    const now = clock.now()
    await updatePassword(tx, accountId, hash, now)
    const after = { by, ended_sessions: await endSignIns(tx, accountId, sessionId) }
    const event = { action: 'password.changed', ...accountEntity(provenBy), after } as const
    await writeAudit(tx, event, ownAuditContext(user, device, now))
  }

  const setMetadata = async (
    tx: TransactionSql,
    { user }: UserPrincipal,
    account: AccountRow,
    { data, device }: { data: Record<string, unknown>; device: Device },
  ): Promise<void> => {
    const now = clock.now()
    await saveUserMetadata(tx, account.id, mergeMetadata(account.user_metadata, data), now)
    // The metadata belongs to the person and may contain anything, so keep it out of the audit.
    const event = {
      action: 'profile.updated',
      ...accountEntity(account),
      after: { metadata: 'changed' },
    } as const
    await writeAudit(tx, event, ownAuditContext(user, device, now))
  }

  const apply = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    { change, prepared, device }: { change: OwnAccountChange; prepared: Prepared; device: Device },
  ): Promise<AccountRow> => {
    const { account } = await lockProvenHolder(tx, principal, 'SECOND_FACTOR_REQUIRED_TO_CHANGE')
    if (prepared.password !== null) await setPassword(tx, principal, prepared.password, device)
    if (change.data !== null) await setMetadata(tx, principal, account, { data: change.data, device })
    if (prepared.email !== null) {
      const { challenge, redirectTo } = change
      const wanted = { email: prepared.email, challenge, redirectTo, showsCode: redirectTo === null }
      await changeEmail(tx, wanted, { principal, account, device })
    }
    if (prepared.phone !== null) await phoneChanges.begin(tx, prepared.phone, { principal, account, device })
    return getAccount(tx, account.id)
  }

  return {
    async update(principal, change, device) {
      const email = change.email === null ? null : readEmail(change.email)
      const password = await readNewPassword(principal, change, device)
      const phone = await phoneChanges.prepare(principal, change.phone, device)
      const prepared = { password, email, phone }
      return database.transaction((tx) => apply(tx, principal, { change, prepared, device }))
    },
  }
}
