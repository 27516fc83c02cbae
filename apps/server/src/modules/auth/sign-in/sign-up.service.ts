import type { SIGNUP_MODES } from '@pegasus/contracts/client-config'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  type AccountRow,
  findAccountByEmail,
  getAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import { isInvited } from '../accounts/admission.ts'
import { readEmail } from '../accounts/email-address.ts'
import { ownMetadata } from '../accounts/user-metadata.ts'
import { inConstantTime } from '../rate-limit/constant-time.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { CodeChallenge } from '../mail-links/flow-states.ts'
import { composeDeclinedNotice } from '../mail-links/link-mails.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import type { Device } from '../audit/device.ts'
import { insertAnonymous, insertSelfMade } from './self-registered-account.ts'

export type SignUpMode = (typeof SIGNUP_MODES)[number]

export interface SignUpRequest {
  /** Null for an anonymous sign-up. */
  email: string | null
  password: string
  data: Record<string, unknown>
  challenge: CodeChallenge | null
  redirectTo: string | null
}

export type SignUpOutcome =
  /** The sign-up was open, so the account can be used at once. */
  | { kind: 'signed-in'; session: IssuedSession }
  /** The account waits until its address is confirmed and an administrator has approved it. */
  | { kind: 'waiting'; account: AccountRow }
  /**
   * The address or number already has an account, which does not change. Only the owner of the address may learn this,
   * by email.
   */
  | { kind: 'known'; email: string; phone: string; data: Record<string, unknown> }

export interface SignUp {
  /**
   * Creates an account. Throws SIGNUP_DISABLED, WEAK_PASSWORD, EMAIL_INVALID, TOO_MANY_MAILS or
   * TOO_MANY_REQUESTS. With open sign-ups, also throws USER_ALREADY_EXISTS.
   */
  signUp(request: SignUpRequest, device: Device): Promise<SignUpOutcome>
}

export function createSignUp(deps: {
  mode: SignUpMode
  database: Database
  clock: Clock
  hashing: PasswordHashing
  limits: AttemptLimits
  sessions: Sessions
  mails: AccountMails
  allowsAnonymous: boolean
}): SignUp {
  const { mode, database, clock, hashing, limits, sessions, mails, allowsAnonymous } = deps

  const signUpAnonymously = async (
    { password, data }: SignUpRequest,
    device: Device,
  ): Promise<SignUpOutcome> => {
    if (!allowsAnonymous) throw new AppError('ANONYMOUS_SIGNUP_DISABLED')
    if (password !== '')
      throw new AppError('REQUEST_INCOMPLETE', { text: 'To signup, please provide your email' })
    await limits.count({ key: 'sign-up', ip: device.ip })
    const { session, account } = await database.transaction(async (tx) => {
      const made = await insertAnonymous(tx, { data: ownMetadata(data), device }, clock.now())
      return sessions.openWithin(tx, made, device, 'anonymous')
    })
    return { kind: 'signed-in', session: await sessions.issue(session, account) }
  }

  const signUpOpenly = async (
    email: string,
    passwordHash: string,
    data: Record<string, unknown>,
    device: Device,
  ): Promise<SignUpOutcome> => {
    const { session, account } = await database.transaction(async (tx) => {
      await lockAccountNames(tx)
      if (await findAccountByEmail(tx, email)) throw new AppError('USER_ALREADY_EXISTS')
      const made = await insertSelfMade(
        tx,
        { email, passwordHash, data, confirms: true, approves: true, device },
        clock.now(),
      )
      return sessions.openWithin(tx, made, device, 'password')
    })
    return { kind: 'signed-in', session: await sessions.issue(session, account) }
  }

  const signUpForApproval = (
    email: string,
    passwordHash: string,
    data: Record<string, unknown>,
    { request: { challenge, redirectTo }, device }: { request: SignUpRequest; device: Device },
  ): Promise<SignUpOutcome> =>
    mails.onRequest({ to: email, kind: 'signup', ip: device.ip }, async (tx) => {
      await lockAccountNames(tx)
      const existingAccount = await findAccountByEmail(tx, email)
      if (
        existingAccount &&
        !existingAccount.is_active &&
        existingAccount.approved_at === null &&
        mails.reachPeople
      )
        await mails.notify(tx, existingAccount, composeDeclinedNotice())
      if (existingAccount && (existingAccount.email_confirmed_at !== null || !existingAccount.is_active))
        return { kind: 'known', email, phone: '', data }
      const fields = { email, passwordHash, data, confirms: false, approves: false, device }
      const account = existingAccount ?? (await insertSelfMade(tx, fields, clock.now()))
      const place = { redirectTo, challenge, showsCode: redirectTo === null }
      const mail = { type: 'signup', accountId: account.id, to: email, ...place } as const
      // The account was invited, and its owner chooses a password after following the link. Anybody may have sent this
      // request, so ignore its password.
      if (existingAccount && isInvited(existingAccount)) {
        await mails.send(tx, { ...mail, type: 'invite', showsCode: false })
        return { kind: 'known', email, phone: '', data }
      }
      // A waiting account keeps its old password until the link in the new email confirms the address.
      await mails.send(tx, { ...mail, passwordHash: existingAccount ? passwordHash : null })
      return { kind: 'waiting', account: await getAccount(tx, account.id) }
    })

  return {
    async signUp(request, device) {
      if (mode === 'closed') throw new AppError('SIGNUP_DISABLED')
      if (!request.email) return signUpAnonymously(request, device)
      const email = readEmail(request.email)
      if (request.password === '')
        throw new AppError('REQUEST_INCOMPLETE', { text: 'Signup requires a valid password' })
      assertStrongPassword(request.password)
      await limits.count({ key: 'sign-up', ip: device.ip })
      // Hash the password even if the address already has an account, so that the response time does not reveal it.
      const passwordHash = await hashing.hash(request.password)
      const data = ownMetadata(request.data)
      if (mode === 'open') return signUpOpenly(email, passwordHash, data, device)
      return inConstantTime(() => signUpForApproval(email, passwordHash, data, { request, device }))
    },
  }
}
