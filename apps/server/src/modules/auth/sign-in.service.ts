import { type PasswordChange, passwordChangeError } from '@pegasus/contracts/passwords'
import { normalizeName } from '@pegasus/contracts/users'
import { type Clock, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import { assertAdmitted } from './admission.ts'
import { lockUnchanged } from './unchanged.ts'
import {
  type AccountRow,
  type SignInName,
  endOtherSignIns,
  endSessionAt,
  findAccountByName,
  getAccount,
  noteAuthentication,
  updatePassword,
} from './auth.queries.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { PasswordHashing } from './password-hashing.ts'
import type { Device } from './device.ts'
import type { IssuedSession, Sessions } from './sessions.service.ts'
import { type Attempt, type SignInLimits, judged, nameKeyOf } from './sign-in-limits.ts'

/** How long the session in which a password was changed lives on, for the client's farewell sequence. */
const FAREWELL_MS = 60 * SECOND_MS

export interface SignIn {
  /**
   * Throws INVALID_CREDENTIALS (the same for every reason) or TOO_MANY_SIGN_INS; after a right password
   * EMAIL_NOT_CONFIRMED or ACCOUNT_NOT_APPROVED where the account still waits.
   */
  withPassword(
    credentials: { name: string; kind: SignInName; password: string },
    device: Device,
  ): Promise<IssuedSession>
  /** Proves again who is there, for sensitive changes; answers when. Throws CURRENT_PASSWORD_WRONG. */
  reauthenticate(principal: UserPrincipal, password: string, device: Device): Promise<Date>
  /** Whether this is the account's password, judged under the limits for failed sign-ins. */
  isPasswordOf(account: AccountRow, password: string, device: Device): Promise<boolean>
  /** Changes the own password and ends all other sessions. Throws the first rule that is broken. */
  changePassword(principal: UserPrincipal, change: PasswordChange, device: Device): Promise<void>
}

export function createSignIn(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  limits: SignInLimits
  sessions: Sessions
}): SignIn {
  const { database, clock, hashing, limits, sessions } = deps

  /** Judges a password under the limits: only wrong ones stay counted. */
  const isRight = (attempt: Attempt, password: string, hash: string | null): Promise<boolean> =>
    judged(limits, attempt, ({ isUsedUp }) => hashing.matches(password, isUsedUp ? null : hash))

  const isPasswordOf = (account: AccountRow, password: string, { ip }: Device): Promise<boolean> =>
    isRight({ key: account.id, accountId: account.id, isOwn: true, ip }, password, account.password_hash)

  return {
    async withPassword({ name, kind, password }, device) {
      const account = await findAccountByName(database.sql, normalizeName(name), kind)
      const attempt = { key: nameKeyOf(name), accountId: account?.id ?? null, ip: device.ip }
      const isMatch = await isRight(attempt, password, account?.is_active ? account.password_hash : null)
      if (!account || !isMatch) throw new AppError('INVALID_CREDENTIALS')
      assertAdmitted(account)
      return sessions.open(account, device, 'password')
    },

    async reauthenticate({ accountId, sessionId }, password, device) {
      const account = await getAccount(database.sql, accountId)
      if (!(await isPasswordOf(account, password, device))) throw new AppError('CURRENT_PASSWORD_WRONG')
      const now = clock.now()
      await database.transaction(async (tx) => {
        if (!(await lockUnchanged(tx, account))) throw new AppError('CURRENT_PASSWORD_WRONG')
        await noteAuthentication(tx, sessionId, now)
      })
      return now
    },

    isPasswordOf,

    async changePassword({ accountId, sessionId }, change, device) {
      const broken = passwordChangeError(change)
      if (broken) throw new AppError(broken)
      const { current_password: current = '', new_password: next = '' } = change
      const account = await getAccount(database.sql, accountId)
      if (!(await isPasswordOf(account, current, device))) throw new AppError('CURRENT_PASSWORD_WRONG')
      if (isCommonPassword(next)) throw new AppError('NEW_PASSWORD_COMMON')
      const passwordHash = await hashing.hash(next)
      const now = clock.now()
      await database.transaction(async (tx) => {
        if (!(await lockUnchanged(tx, account))) throw new AppError('CURRENT_PASSWORD_WRONG')
        await updatePassword(tx, accountId, passwordHash, now)
        await endOtherSignIns(tx, accountId, sessionId)
        await endSessionAt(tx, sessionId, addMs(now, FAREWELL_MS))
      })
    },
  }
}
