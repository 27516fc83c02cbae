import { type Role, hasRole, isRole, permissionsOf } from '@pegasus/contracts/roles'
import { type Language, isLanguage } from '@pegasus/contracts/texts/languages'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { insertProfile, replaceRole, setFullName, setSystemAccess } from '../../users/index.ts'
import { saveUserMetadata, setEnabled } from '../accounts/account-changes.queries.ts'
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
import { accountEntity } from '../audit/account-audit.ts'
import {
  findIdentity,
  hasIdentityOf,
  insertIdentity,
  insertPasswordlessAccount,
} from '../identities/identities.queries.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import type { ProjectPerson, ProjectRole } from './project-calls.ts'
import { admitShadow, saveShadowEmail } from './shadow-accounts.queries.ts'

/** The provider name of identities that belong to the hosted project. */
const PROVIDER = 'hosted-project'
/** The maximum length of the email column in the accounts table. */
const MAX_EMAIL_LENGTH = 320
/** Top-level domains that cannot have mailboxes, so nobody can have confirmed such an address. */
const NO_MAILBOX = /\.(?:invalid|local)$/i

interface Rights {
  role: Role
  permissions: Record<string, boolean>
}

/** The rights of a person without an active role that this system knows. */
const LEAST: Rights = { role: 'viewer', permissions: permissionsOf('viewer') }

/**
 * Returns the rights that the project gives a person. A person without an active role, or with an unknown role, gets
 * the rights of a viewer. Throws HOSTED_ROLE_MISSING for anonymous people.
 */
export function rightsOf(row: ProjectRole | null, { isAnonymous }: { isAnonymous: boolean }): Rights {
  if (isAnonymous) throw new AppError('HOSTED_ROLE_MISSING')
  if (!row?.is_active || !isRole(row.role_name)) return LEAST
  const flags = Object.entries(row.permissions ?? {}).filter(
    (flag): flag is [string, boolean] => typeof flag[1] === 'boolean',
  )
  return { role: row.role_name, permissions: Object.fromEntries(flags) }
}

/** Returns the account of a person of the project. Returns null if the person has never used this server. */
async function findShadow(tx: TransactionSql, person: Pick<ProjectPerson, 'id'>): Promise<AccountRow | null> {
  const identity = await findIdentity(tx, { provider: PROVIDER, subject: person.id })
  return identity && getAccount(tx, identity.account_id)
}

/** Returns the confirmed email address. Returns null if there is none, or if it is too long for the column. */
const confirmedEmail = ({ email, email_confirmed_at: confirmedAt }: ProjectPerson): string | null =>
  email && confirmedAt && email.length <= MAX_EMAIL_LENGTH ? email.toLowerCase() : null

/** Returns the part of the person's metadata that this server stores: the language, if it is a known one. */
function keptMetadata({ user_metadata: metadata }: ProjectPerson): { language?: Language } {
  const language = metadata?.['language']
  return isLanguage(language) ? { language } : {}
}

/**
 * Creates the account of a person, without a password. Instead links an existing account, with its history, if three
 * conditions hold: the person has confirmed its address in the project, the address was also verified here, and no
 * other person of the project has the account.
 */
async function createShadow(tx: TransactionSql, person: ProjectPerson, now: Date): Promise<AccountRow> {
  const email = confirmedEmail(person)
  const former = email === null ? null : await findAccountByEmail(tx, email)
  // An account can already belong to another person of the project, whose former address is now this person's.
  const mayLink =
    former !== null &&
    former.has_email &&
    former.email_proved_at !== null &&
    !NO_MAILBOX.test(former.email) &&
    !(await hasIdentityOf(tx, former.id, PROVIDER))
  const data = { sub: person.id, ...(email !== null && { email, email_verified: true }) }
  const identity = { provider: PROVIDER, subject: person.id, data, now }
  if (mayLink) {
    await insertIdentity(tx, { ...identity, accountId: former.id })
    const event = {
      action: 'identity.linked',
      ...accountEntity(former),
      after: { provider: PROVIDER, by: 'email' },
    } as const
    await writeAudit(tx, event, { actor: SYSTEM_ACTOR, now })
    return getAccount(tx, former.id)
  }
  const id = uuidv7()
  const username = await freeUsernameFor(tx, email ?? 'user')
  const isFree = email !== null && former === null
  await insertPasswordlessAccount(tx, {
    id,
    email: isFree ? email : placeholderEmail(id),
    username,
    has_email: isFree,
    approvedAt: now,
    userMetadata: keptMetadata(person),
    sso: null,
    now,
  })
  await insertProfile(tx, {
    accountId: id,
    fullName: fullNameIn(person.user_metadata ?? {}),
    systemAccess: false,
  })
  await insertIdentity(tx, { ...identity, accountId: id })
  const after = { email, username, provider: PROVIDER }
  const event = { action: 'account.signed_up', ...accountEntity({ id }), after } as const
  await writeAudit(tx, event, { actor: SYSTEM_ACTOR, now })
  return getAccount(tx, id)
}

/** Updates the address, name and language of an account to those in the project. Writes only what has changed. */
async function update(
  tx: TransactionSql,
  account: AccountRow,
  { person, now }: { person: ProjectPerson; now: Date },
): Promise<void> {
  await admitShadow(tx, account.id, now)
  const email = confirmedEmail(person)
  if (
    email !== null &&
    email !== account.email.toLowerCase() &&
    (await findAccountByEmail(tx, email)) === null
  )
    await saveShadowEmail(tx, account, { email, hasEmail: true, now })
  const { full_name: before } = await getAccountSummary(tx, account.id)
  const fullName = fullNameIn(person.user_metadata ?? {})
  if (fullName !== '' && fullName !== before) await setFullName(tx, account.id, fullName)
  const { language = account.user_metadata['language'] } = keptMetadata(person)
  if (language !== account.user_metadata['language'])
    await saveUserMetadata(tx, account.id, { ...account.user_metadata, language }, now)
}

/** Updates the rights of an account to those in the project. Writes and audits only changes. */
export async function setRights(
  tx: TransactionSql,
  account: Pick<AccountRow, 'id'>,
  { role, permissions }: Rights,
  now: Date,
): Promise<void> {
  // Lock the account: otherwise requests of two sessions could both replace the role.
  await lockAccount(tx, account.id)
  const before = await getAccountSummary(tx, account.id)
  const hasRoleAlready = before.role === role
  if (hasRoleAlready && isSame(before.permissions, permissions)) return
  await replaceRole(tx, account.id, role, permissions)
  const hasAccess = hasRole(role, 'staff')
  if (hasRoleAlready) return
  await setSystemAccess(tx, account.id, hasAccess)
  const change = {
    before: { role: before.role, system_access: before.system_access },
    after: { role, system_access: hasAccess, provider: PROVIDER },
  }
  await writeAudit(
    tx,
    { action: 'account.updated', ...accountEntity(account), ...change },
    { actor: SYSTEM_ACTOR, now },
  )
}

function isSame(one: Record<string, boolean>, other: Record<string, boolean>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

/** Returns the account of a person of the project, with the project's rights. Creates it on the first visit. */
export async function admitPerson(
  tx: TransactionSql,
  person: ProjectPerson,
  rights: Rights,
  now: Date,
): Promise<string> {
  let account = await findShadow(tx, person)
  if (!account) {
    await lockAccountNames(tx)
    // Another request may have created the account while this one was waiting.
    account = (await findShadow(tx, person)) ?? (await createShadow(tx, person, now))
  }
  await lockAccount(tx, account.id)
  await update(tx, account, { person, now })
  await setRights(tx, account, rights, now)
  return account.id
}

/**
 * Closes the account of a person who may no longer use this server. Its sessions end, and its API keys stop working.
 */
export async function closeShadow(
  tx: TransactionSql,
  person: Pick<ProjectPerson, 'id'>,
  now: Date,
): Promise<void> {
  const account = await findShadow(tx, person)
  if (!account?.is_active) return
  await setEnabled(tx, account.id, false)
  const ended = await endSignIns(tx, account.id)
  const after = { is_active: false, ended_sessions: ended, provider: PROVIDER }
  const event = {
    action: 'account.deactivated',
    ...accountEntity(account),
    before: { is_active: true },
    after,
  } as const
  await writeAudit(tx, event, { actor: SYSTEM_ACTOR, now })
}
