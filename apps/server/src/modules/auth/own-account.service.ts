import { type Clock, HOUR_MS, addMs } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import {
  findAccountByEmail,
  lockAccount,
  replaceEmail,
  saveUserMetadata,
  setNewEmail,
} from './accounts.queries.ts'
import { composeEmailChangeNotice } from './auth-mails.ts'
import {
  type AccountRow,
  type SessionRow,
  endOtherSignIns,
  getAccount,
  getSession,
  updatePassword,
} from './auth.queries.ts'
import type { CodeChallenge } from './flow-states.ts'
import { takeMailTurn } from './mail-limits.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { assertStrongPassword } from './password-rules.ts'
import { assertRecent, isRecent } from './recent-sign-in.ts'
import type { Device } from './device.ts'
import type { SignIn } from './sign-in.service.ts'
import { readEmail } from './sign-up.service.ts'
import type { TokenMails } from './token-mails.ts'
import { lockUnchanged } from './unchanged.ts'
import { mergeMetadata } from './user-metadata.ts'

/** Who came by a link for choosing a password has this long to choose one. */
const CHOOSING_MS = HOUR_MS
const CHOOSING_METHODS: readonly string[] = ['recovery', 'invite']

export interface OwnAccountChange {
  email: string | null
  password: string | null
  currentPassword: string | null
  data: Record<string, unknown> | null
  challenge: CodeChallenge | null
  redirectTo: string | null
}

export interface OwnAccount {
  /**
   * Changes the own account, all or nothing. A new password ends all other sessions. A new email waits for its
   * confirmation where mails are sent, and holds at once where they are not.
   */
  update(principal: UserPrincipal, change: OwnAccountChange, device: Device): Promise<AccountRow>
}

interface NewPassword {
  hash: string
  /** The account as it was when the change was found to be its owner's. */
  provenBy: AccountRow
}

export function createOwnAccount(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  signIn: SignIn
  mails: TokenMails
}): OwnAccount {
  const { database, clock, hashing, signIn, mails } = deps

  const cameToChoosePassword = (session: SessionRow): boolean =>
    session.amr.some(({ method }) => CHOOSING_METHODS.includes(method)) &&
    addMs(new Date(session.created_at), CHOOSING_MS) > clock.now()

  const assertMaySetPassword = async (
    principal: UserPrincipal,
    account: AccountRow,
    currentPassword: string | null,
    device: Device,
  ): Promise<void> => {
    if (currentPassword !== null && !(await signIn.isPasswordOf(account, currentPassword, device)))
      throw new AppError('CURRENT_PASSWORD_WRONG')
    if (currentPassword !== null || isRecent(principal.authenticatedAt, clock)) return
    if (!cameToChoosePassword(await getSession(database.sql, principal.sessionId)))
      throw new AppError('REAUTHENTICATION_REQUIRED')
  }

  /** A new password that may be set, or null if none was given. */
  const readNewPassword = async (
    principal: UserPrincipal,
    { password, currentPassword }: OwnAccountChange,
    device: Device,
  ): Promise<NewPassword | null> => {
    if (password === null) return null
    const account = await getAccount(database.sql, principal.accountId)
    await assertMaySetPassword(principal, account, currentPassword, device)
    assertStrongPassword(password)
    if (await hashing.matches(password, account.password_hash)) throw new AppError('SAME_PASSWORD')
    return { hash: await hashing.hash(password), provenBy: account }
  }

  const changeEmail = async (
    tx: TransactionSql,
    account: AccountRow,
    email: string,
    { challenge, redirectTo }: OwnAccountChange,
  ): Promise<void> => {
    if (email === account.email.toLowerCase()) return
    if (await findAccountByEmail(tx, email)) throw new AppError('EMAIL_TAKEN')
    if (!mails.reachPeople) {
      await replaceEmail(tx, account.id, email, clock.now())
      return
    }
    // Both: nobody's inbox is flooded, and nobody writes to many addresses in our name.
    await takeMailTurn(tx, clock, { to: email, kind: 'email_change' })
    await takeMailTurn(tx, clock, { to: account.email, kind: 'email_change' })
    await setNewEmail(tx, account.id, email, clock.now())
    await mails.tell(tx, account, composeEmailChangeNotice(email))
    await mails.send(tx, { type: 'email_change', accountId: account.id, to: email, challenge, redirectTo })
  }

  const apply = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    change: OwnAccountChange,
    prepared: { password: NewPassword | null; email: string | null },
  ): Promise<AccountRow> => {
    const { accountId, sessionId } = principal
    const account = await lockAccount(tx, accountId)
    if (!account) throw new Error(`account ${accountId} is gone`)
    if (prepared.password !== null) {
      // Whoever changed it meanwhile has ended this session.
      if (!(await lockUnchanged(tx, prepared.password.provenBy))) throw new AppError('SESSION_NOT_FOUND')
      await updatePassword(tx, accountId, prepared.password.hash, clock.now())
      await endOtherSignIns(tx, accountId, sessionId)
    }
    if (change.data !== null)
      await saveUserMetadata(tx, accountId, mergeMetadata(account.user_metadata, change.data), clock.now())
    if (prepared.email !== null) await changeEmail(tx, account, prepared.email, change)
    return getAccount(tx, accountId)
  }

  return {
    async update(principal, change, device) {
      const email = change.email === null ? null : readEmail(change.email)
      if (email !== null && email !== principal.user.email.toLowerCase())
        assertRecent(principal.authenticatedAt, clock)
      const password = await readNewPassword(principal, change, device)
      return database.transaction((tx) => apply(tx, principal, change, { password, email }))
    },
  }
}
