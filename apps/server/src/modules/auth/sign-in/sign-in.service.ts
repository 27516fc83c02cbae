import { normalizeName } from '@pegasus/contracts/users/users'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import {
  type AccountRow,
  type SignInName,
  findAccountByName,
  getAccount,
  replacePasswordHash,
} from '../accounts/accounts.queries.ts'
import { type AdmissionError, admissionError } from '../accounts/admission.ts'
import { findPhoneIdentityId } from '../accounts/phone-accounts.queries.ts'
import { lockUnchanged } from '../accounts/recheck-account.ts'
import { nameKeyOf } from '../rate-limit/attempt-limits.ts'
import { bcryptCostOf, type PasswordHashing } from '../passwords/password-hashing.ts'
import type { PasswordProof } from '../passwords/password-proof.ts'
import { noteAuthentication } from '../sessions/sessions.queries.ts'
import type { IdentityWay, IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { auditRefusedSignIn, ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { claimRefusalSlot } from '../audit/refused-sign-ins.queries.ts'

/**
 * Returns whether this is a current code of the person's second factor. Counts a wrong code. A right code cannot be
 * used again.
 */
export type VerifyFactorCode = (principal: UserPrincipal, code: string, device: Device) => Promise<boolean>

/** The proof for a reauthentication: a password or a code. */
export interface Reproof {
  password?: string | undefined
  code?: string | undefined
}

export interface SignIn {
  /**
   * Opens a session. Throws INVALID_CREDENTIALS, which does not reveal the reason, or TOO_MANY_SIGN_INS. If the
   * password is right but the account is still waiting, throws EMAIL_NOT_CONFIRMED, PHONE_NOT_CONFIRMED or
   * ACCOUNT_NOT_APPROVED.
   */
  withPassword(
    credentials: { name: string; kind: SignInName; password: string },
    device: Device,
  ): Promise<IssuedSession>
  /**
   * Reauthenticates the signed-in person before sensitive changes. Returns the time of the proof. Throws
   * CURRENT_PASSWORD_WRONG or FACTOR_CODE_WRONG.
   */
  reauthenticate(principal: UserPrincipal, proof: Reproof, device: Device): Promise<Date>
}

const REASONS = {
  ACCOUNT_DEACTIVATED: 'deactivated',
  EMAIL_NOT_CONFIRMED: 'email_not_confirmed',
  PHONE_NOT_CONFIRMED: 'phone_not_confirmed',
  ACCOUNT_NOT_APPROVED: 'not_approved',
} as const

/**
 * Returns an error if the email address or phone number that was entered is not confirmed. The account may have another
 * name that is confirmed.
 */
function unconfirmedName(account: AccountRow, kind: SignInName): AdmissionError | null {
  if (kind === 'phone' && account.phone_confirmed_at === null) return 'PHONE_NOT_CONFIRMED'
  if (kind === 'email' && account.has_email && account.email_confirmed_at === null)
    return 'EMAIL_NOT_CONFIRMED'
  return null
}

const reasonOf = (account: AccountRow | null): string => {
  if (!account) return 'unknown_name'
  return account.is_active ? 'wrong_password' : REASONS.ACCOUNT_DEACTIVATED
}

export function createSignIn(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  passwords: PasswordProof
  sessions: Sessions
  verifyFactorCode: VerifyFactorCode
}): SignIn {
  const { database, clock, hashing, passwords, sessions, verifyFactorCode } = deps

  /**
   * Returns the account for these credentials. If they are wrong, throws INVALID_CREDENTIALS and records the reason in
   * the audit.
   */
  const prove = async ({ name, kind, password }: Parameters<SignIn['withPassword']>[0], device: Device) => {
    const account = await findAccountByName(database.sql, normalizeName(name), kind)
    const attempt = {
      key: nameKeyOf(name),
      accountId: account?.id ?? null,
      ip: device.ip,
      onWrong: (tx: Parameters<typeof auditRefusedSignIn>[0]) =>
        auditRefusedSignIn(tx, { account, reason: reasonOf(account) }, device, clock.now()),
    }
    const hash = account?.is_active ? account.password_hash : null
    if (!(await passwords.judge(attempt, password, hash)) || !account)
      throw new AppError('INVALID_CREDENTIALS')
    return account
  }

  /**
   * Replaces an imported bcrypt hash with an argon2id hash of the same password, which was just checked. Returns the
   * account with its stored hash, or null if the password has changed in the meantime.
   */
  const rehash = async (account: AccountRow, password: string): Promise<AccountRow | null> => {
    const { id, password_hash: imported } = account
    if (imported === null || bcryptCostOf(imported) === null) return account
    return replacePasswordHash(database.sql, id, { from: imported, to: await hashing.hash(password) })
  }

  /** Like `prove`, but also replaces an imported hash. */
  const proveAndRehash: typeof prove = async (credentials, device) => {
    const account = await rehash(await prove(credentials, device), credentials.password)
    // If the hash has changed in the meantime, check the password against the new hash.
    return account ?? prove(credentials, device)
  }

  /**
   * Records a sign-in with the right password that opens no session, at most once per minute. The number of right
   * passwords has no limit, so somebody could otherwise flood the audit.
   */
  const noteWaiting = (account: AccountRow, reason: string, device: Device): Promise<void> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      if (!(await claimRefusalSlot(tx, { accountId: account.id, endpoint: `sign-in, ${reason}` }, now)))
        return
      await auditRefusedSignIn(tx, { account, reason }, device, now)
    })

  /** Checks the proof. Returns the account at the time of the check. Throws if the proof is wrong. */
  const assertProof = async (principal: UserPrincipal, { password, code }: Reproof, device: Device) => {
    const account = await getAccount(database.sql, principal.accountId)
    if (password && !(await passwords.isRight(principal, account, password, device)))
      throw new AppError('CURRENT_PASSWORD_WRONG')
    if (!password && !(await verifyFactorCode(principal, code ?? '', device)))
      throw new AppError('FACTOR_CODE_WRONG')
    return account
  }

  /** Returns the sign-in method for the session: the password, or the identity of a phone number. */
  const wayOf = async (account: AccountRow, kind: SignInName): Promise<string | IdentityWay> => {
    if (kind !== 'phone') return 'password'
    const identityId = await findPhoneIdentityId(database.sql, account.id)
    return identityId === null ? 'password' : { method: 'password', identityId }
  }

  return {
    async withPassword(credentials, device) {
      const account = await proveAndRehash(credentials, device)
      const waitsFor = unconfirmedName(account, credentials.kind) ?? admissionError(account)
      if (waitsFor) {
        await noteWaiting(account, REASONS[waitsFor], device)
        throw new AppError(waitsFor)
      }
      return sessions.open(account, device, await wayOf(account, credentials.kind))
    },

    async reauthenticate(principal, proof, device) {
      const { sessionId, user } = principal
      const account = await assertProof(principal, proof, device)
      const now = clock.now()
      const event = { ...sessionEntity(sessionId, user), after: { by: proof.password ? 'password' : 'code' } }
      await database.transaction(async (tx) => {
        if (!(await lockUnchanged(tx, account))) throw new AppError('SESSION_NOT_FOUND')
        await noteAuthentication(tx, sessionId, now)
        await writeAudit(tx, { action: 'session.confirmed', ...event }, ownAuditContext(user, device, now))
      })
      return now
    },
  }
}
