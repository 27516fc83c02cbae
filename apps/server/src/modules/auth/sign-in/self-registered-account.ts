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
import { insertPhoneAccount } from '../accounts/phone-accounts.queries.ts'
import { usernameOfPhone } from '../accounts/phone-field.ts'
import { fullNameIn } from '../accounts/user-metadata.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'

export interface SelfMade {
  email: string
  /** Null if the account has no password and signs in only by email. */
  passwordHash: string | null
  /** Data that people enter about themselves. It grants no rights. */
  data: Record<string, unknown>
  /** Whether the address is marked as confirmed from the beginning. */
  confirms: boolean
  approves: boolean
  device: Device
}

/**
 * Creates an account for a person who signs up by email. Call this under `lockAccountNames`, and only if no account has
 * the address.
 */
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
  await insertViewer(tx, account, { ...fields, contact: { email: account.email } }, now)
  return account
}

/** Inserts the profile of a new account and audits the sign-up. */
async function insertViewer(
  tx: TransactionSql,
  account: AccountRow,
  {
    contact,
    data,
    approves,
    device,
  }: Omit<SelfMade, 'email' | 'passwordHash' | 'confirms'> & { contact: object },
  now: Date,
): Promise<void> {
  // An account without a row in `user_roles` is a viewer, even if the request contained a role.
  const fullName = fullNameIn(data)
  await insertProfile(tx, { accountId: account.id, fullName, systemAccess: false })
  const after = { ...contact, username: account.username, full_name: fullName, approved: approves }
  const event = { action: 'account.signed_up', ...accountEntity(account), after } as const
  await writeAudit(tx, event, ownAuditContext({ ...account, full_name: fullName }, device, now))
}

/**
 * Creates an account for a person who signs up by phone. Call this under `lockAccountNames`, and only if no account has
 * the number.
 */
export async function insertSelfMadeByPhone(
  tx: TransactionSql,
  fields: Omit<SelfMade, 'email'> & { phone: string },
  now: Date,
): Promise<AccountRow> {
  const { phone, data, confirms, approves, device } = fields
  const id = uuidv7()
  const account = await insertPhoneAccount(tx, {
    id,
    phone,
    username: await freeUsernameFor(tx, usernameOfPhone(phone)),
    passwordHash: fields.passwordHash,
    confirmedAt: confirms ? now : null,
    provedAt: null,
    approvedAt: approves ? now : null,
    userMetadata: { ...data, sub: id, email_verified: false, phone_verified: confirms },
    appMetadata: {},
    now,
  })
  await insertViewer(tx, account, { contact: { phone }, data, approves, device }, now)
  return account
}

/** Returns a placeholder address that cannot receive email, because the email column must not be empty. */
const anonymousEmail = (id: string): string => `anonymous-${id}@anonymous.invalid`

/**
 * Creates an anonymous account, which has no name and no address. Until it gets an address, its sessions give access
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
