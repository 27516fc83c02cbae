import { v7 as uuidv7 } from 'uuid'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { insertProfile } from '../../users/index.ts'
import {
  type AccountRow,
  freeUsernameFor,
  insertAccount,
  insertAnonymousAccount,
} from '../accounts/accounts.queries.ts'
import { fullNameIn } from '../accounts/user-metadata.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'

export interface SelfMade {
  email: string
  /** Null if the account signs in only by mail. */
  passwordHash: string | null
  /** Data that people enter about themselves. It grants no rights. */
  data: Record<string, unknown>
  /** True if the address counts as confirmed from the beginning. */
  confirms: boolean
  approves: boolean
  device: Device
}

/** Creates an account by sign-up. Call it under `lockAccountNames`, and only if no account has the address. */
export async function insertSelfMade(tx: TransactionSql, fields: SelfMade, now: Date): Promise<AccountRow> {
  const account = await insertAccount(tx, {
    id: uuidv7(),
    email: fields.email,
    username: await freeUsernameFor(tx, fields.email),
    passwordHash: fields.passwordHash,
    mustChangePassword: false,
    emailConfirmedAt: fields.confirms ? now : null,
    isVouchedFor: false,
    approvedAt: fields.approves ? now : null,
    userMetadata: fields.data,
    now,
  })
  // An account without a row in user_roles is a viewer, whatever the request contained.
  const fullName = fullNameIn(fields.data)
  await insertProfile(tx, { accountId: account.id, fullName, systemAccess: false })
  const { email, username } = account
  const after = { email, username, full_name: fullName, approved: fields.approves }
  const event = { action: 'account.signed_up', ...accountEntity(account), after } as const
  await writeAudit(tx, event, ownAuditContext({ ...account, full_name: fullName }, fields.device, now))
  return account
}

/** Returns a placeholder for the email column, which cannot be empty. No mail can reach it. */
const anonymousEmail = (id: string): string => `anonymous-${id}@anonymous.invalid`

/**
 * Creates an account without a name or an address. It can have sessions. Until it gets an address, they give access
 * only to the account itself.
 */
export async function insertAnonymous(
  tx: TransactionSql,
  { data, device }: Pick<SelfMade, 'data' | 'device'>,
  now: Date,
): Promise<AccountRow> {
  const id = uuidv7()
  const account = await insertAnonymousAccount(tx, {
    id,
    email: anonymousEmail(id),
    username: `anonymous-${id}`,
    userMetadata: data,
    now,
  })
  await insertProfile(tx, { accountId: id, fullName: '', systemAccess: false })
  const event = {
    action: 'account.signed_up',
    ...accountEntity(account),
    after: { anonymous: true },
  } as const
  await writeAudit(tx, event, ownAuditContext({ ...account, full_name: '' }, device, now))
  return account
}
