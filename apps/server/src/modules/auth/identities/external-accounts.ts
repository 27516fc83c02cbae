import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { insertProfile } from '../../users/index.ts'
import {
  type AccountRow,
  freeUsernameFor,
  getAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { SignUpMode } from '../sign-in/sign-up.service.ts'
import {
  type IdentityKey,
  findIdentity,
  insertIdentity,
  insertPasswordlessAccount,
  saveIdentityData,
} from './identities.queries.ts'

/** A person as somebody else vouches for them: a wallet's signature, or a provider. */
export interface ProvenIdentity extends IdentityKey {
  /** Stored with the identity and shown to its person. */
  data: Record<string, unknown>
  /** A username is derived from this. */
  name: string
}

export interface AdmittedIdentity {
  account: AccountRow
  identityId: string
}

/**
 * Returns the account of a proven identity, and creates one for a new identity. Whether the account may have sessions is
 * for the caller to check, after the transaction has committed. Throws SIGNUP_DISABLED.
 */
export type AdmitIdentity = (
  tx: TransactionSql,
  proven: ProvenIdentity,
  device: Device,
) => Promise<AdmittedIdentity>

/** Fills the column of an account without an address. No mail reaches it. */
const placeholderEmail = (id: string): string => `no-address-${id}@no-address.invalid`

export function createExternalAccounts(deps: { mode: SignUpMode; clock: Clock }): AdmitIdentity {
  const { mode, clock } = deps

  const findAdmitted = async (
    tx: TransactionSql,
    proven: ProvenIdentity,
  ): Promise<AdmittedIdentity | null> => {
    const identity = await findIdentity(tx, proven)
    if (identity === null) return null
    await saveIdentityData(tx, identity.id, proven.data, clock.now())
    return { account: await getAccount(tx, identity.account_id), identityId: identity.id }
  }

  const create = async (
    tx: TransactionSql,
    { name, ...proven }: ProvenIdentity,
    device: Device,
  ): Promise<AdmittedIdentity> => {
    if (mode === 'closed') throw new AppError('SIGNUP_DISABLED')
    const now = clock.now()
    const id = uuidv7()
    const username = await freeUsernameFor(tx, name)
    const approvedAt = mode === 'open' ? now : null
    await insertPasswordlessAccount(tx, {
      id,
      email: placeholderEmail(id),
      username,
      has_email: false,
      approvedAt,
      userMetadata: proven.data,
      now,
    })
    // Without a row in user_roles the account is a viewer.
    await insertProfile(tx, { accountId: id, fullName: '', systemAccess: false })
    const identity = await insertIdentity(tx, { ...proven, accountId: id, now })
    const after = { username, approved: mode === 'open', provider: proven.provider }
    const event = { action: 'account.signed_up', ...accountEntity({ id }), after } as const
    await writeAudit(tx, event, ownAuditContext({ id, username, full_name: '' }, device, now))
    return { account: await getAccount(tx, id), identityId: identity.id }
  }

  return async (tx, proven, device) => {
    const known = await findAdmitted(tx, proven)
    if (known) return known
    await lockAccountNames(tx)
    // Another request may have created the account while this one waited.
    return (await findAdmitted(tx, proven)) ?? create(tx, proven, device)
  }
}
