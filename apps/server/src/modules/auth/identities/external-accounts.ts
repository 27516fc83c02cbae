import { v7 as uuidv7 } from 'uuid'
import type { ErrorCode } from '@pegasus/contracts/errors'
import { hasRole } from '@pegasus/contracts/roles'
import type { Clock } from '../../../platform/clock.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { insertProfile } from '../../users/index.ts'
import { confirmEmail } from '../accounts/account-changes.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import {
  type AccountRow,
  findAccountByEmail,
  freeUsernameFor,
  getAccount,
  lockAccount,
  lockAccountNames,
  placeholderEmail,
} from '../accounts/accounts.queries.ts'
import { fullNameIn } from '../accounts/user-metadata.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { hasSecondFactor } from '../second-factor/factors.queries.ts'
import type { SignUpMode } from '../sign-in/sign-up.service.ts'
import {
  type IdentityKey,
  type SsoAccount,
  findIdentity,
  insertIdentity,
  insertPasswordlessAccount,
  saveIdentityData,
  saveSsoEmail,
} from './identities.queries.ts'
import { composeIdentityLinked } from './identity-mails.ts'
import type { TakeOver } from '../take-over/take-over.ts'

/** An identity that a provider or a wallet's signature has verified. */
export interface ProvenIdentity extends IdentityKey {
  /** The provider's name as people know it. */
  label: string
  /** The data that is stored with the identity and shown to the person. */
  data: Record<string, unknown>
  /** The name from which the username of a new account is derived. */
  name: string
  /** An address that the provider has verified, or null. */
  verifiedEmail: string | null
  /** The error to throw if this identity would need a new account. Null if a new account is allowed. */
  creationError: ErrorCode | null
  /** Set if a SAML provider vouches for the identity. The identity then never gets an account that already exists. */
  sso?: SsoAccount
}

export interface AdmittedIdentity {
  account: AccountRow
  identityId: string
}

/** Finds or creates the accounts for proven identities. */
export interface ExternalAccounts {
  /**
   * Returns the account for a proven identity: the account that has the identity, else the account with the verified
   * address, else a new account. After the commit, the caller must check whether the account may have sessions. Throws
   * SIGNUP_DISABLED, EMAIL_TAKEN or the identity's own error.
   */
  admit(tx: TransactionSql, proven: ProvenIdentity, device: Device): Promise<AdmittedIdentity>
}

/** Top-level domains that cannot have mailboxes, so no provider can vouch for such an address. */
const NO_MAILBOX = /\.(?:invalid|local)$/i

export function createExternalAccounts(deps: {
  mode: SignUpMode
  clock: Clock
  mails: AccountMails
  takeOver: TakeOver
}): ExternalAccounts {
  const { mode, clock, mails } = deps

  const findAdmitted = async (
    tx: TransactionSql,
    proven: ProvenIdentity,
  ): Promise<AdmittedIdentity | null> => {
    const sought = await findIdentity(tx, proven)
    if (sought === null) return null
    // Unlinking an identity takes the same lock, so the identity cannot open a session while it is being removed.
    await lockAccount(tx, sought.account_id)
    const identity = await findIdentity(tx, proven)
    if (identity === null || identity.account_id !== sought.account_id) return null
    await saveIdentityData(tx, identity.id, proven.data, clock.now())
    if (proven.sso) await saveSsoEmail(tx, identity.account_id, proven.sso.email)
    return { account: await getAccount(tx, identity.account_id), identityId: identity.id }
  }

  const create = async (
    tx: TransactionSql,
    proven: ProvenIdentity,
    device: Device,
  ): Promise<AdmittedIdentity> => {
    const { name, verifiedEmail: email, provider, data, sso = null } = proven
    if (proven.creationError) throw new AppError(proven.creationError)
    if (mode === 'closed') throw new AppError('SIGNUP_DISABLED')
    const now = clock.now()
    const id = uuidv7()
    const username = await freeUsernameFor(tx, name)
    await insertPasswordlessAccount(tx, {
      id,
      email: email ?? placeholderEmail(id),
      username,
      has_email: email !== null,
      approvedAt: mode === 'open' ? now : null,
      userMetadata: data,
      sso,
      now,
    })
    // An account without a row in `user_roles` is a viewer.
    const fullName = fullNameIn(data)
    await insertProfile(tx, { accountId: id, fullName, systemAccess: false })
    const identity = await insertIdentity(tx, { ...proven, accountId: id, now })
    const after = {
      email: sso?.email ?? email,
      username,
      full_name: fullName,
      approved: mode === 'open',
      provider,
    }
    const event = { action: 'account.signed_up', ...accountEntity({ id }), after } as const
    await writeAudit(tx, event, ownAuditContext({ id, username, full_name: fullName }, device, now))
    return { account: await getAccount(tx, id), identityId: identity.id }
  }

  /**
   * Takes over an account whose address nobody has verified. Somebody else may have created it in the hope that the
   * owner of the address signs in later. All sign-in methods of the account end, so that its creator loses access.
   * Throws EMAIL_TAKEN if the account has a second factor, or if it has a password and at least the role staff. The
   * person can then verify the address by email instead. Returns the fields for the audit entry.
   */
  const takeOver = async (tx: TransactionSql, account: AccountRow, now: Date): Promise<object> => {
    const { id, password_hash: passwordHash } = account
    const isAtWork = passwordHash !== null && hasRole((await getAccountSummary(tx, id)).role, 'staff')
    if (isAtWork || (await hasSecondFactor(tx, id))) throw new AppError('EMAIL_TAKEN')
    return deps.takeOver(tx, id, { keepsPassword: false, flowStateId: null, now })
  }

  /**
   * Links the identity to the account with the same address. The provider has verified that the person owns this
   * address.
   */
  const linkByEmail = async (
    tx: TransactionSql,
    proven: ProvenIdentity & { verifiedEmail: string },
    { found, device }: { found: AccountRow; device: Device },
  ): Promise<AdmittedIdentity> => {
    const account = await lockAccount(tx, found.id)
    if (!account?.is_active || account.email.toLowerCase() !== proven.verifiedEmail)
      throw new AppError(account?.is_active ? 'EMAIL_TAKEN' : 'ACCOUNT_DEACTIVATED')
    if (!account.has_email || NO_MAILBOX.test(account.email)) throw new AppError('EMAIL_TAKEN')
    const now = clock.now()
    const takenOver = account.email_proved_at === null ? await takeOver(tx, account, now) : {}
    await confirmEmail(tx, account.id, proven.verifiedEmail, now)
    const identity = await insertIdentity(tx, { ...proven, accountId: account.id, now })
    const after = { provider: proven.label, by: 'email', ...takenOver }
    const event = { action: 'identity.linked', ...accountEntity(account), after } as const
    await writeAudit(tx, event, ownAuditContext(await getAccountSummary(tx, account.id), device, now))
    if (mails.reachPeople) await mails.notify(tx, account, composeIdentityLinked(proven.label))
    return { account: await getAccount(tx, account.id), identityId: identity.id }
  }

  return {
    async admit(tx, proven, device) {
      const known = await findAdmitted(tx, proven)
      if (known) return known
      await lockAccountNames(tx)
      // Another request may have created the account while this one was waiting.
      const created = await findAdmitted(tx, proven)
      if (created) return created
      const { verifiedEmail } = proven
      const found = verifiedEmail === null ? null : await findAccountByEmail(tx, verifiedEmail)
      if (verifiedEmail === null || found === null) return create(tx, proven, device)
      return linkByEmail(tx, { ...proven, verifiedEmail }, { found, device })
    },
  }
}
