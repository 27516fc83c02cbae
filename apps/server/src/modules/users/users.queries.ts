import { type CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { type Role, permissionsOf } from '@pegasus/contracts/roles'
import { type AccountStatus, type User, normalizeName } from '@pegasus/contracts/users/users'
import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Fragment, matchesEveryWord } from '../../platform/database/search-patterns.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'

/** The columns of `people` that an account sees about itself. */
type OwnColumn =
  | 'id'
  | 'email'
  | 'username'
  | 'full_name'
  | 'role'
  | 'permissions'
  | 'metadata'
  | 'system_access'
  | 'must_change_password'
  | 'last_sign_in_at'
  | 'revision'
  | 'new_email'
  | 'has_email'
  | 'is_sso_managed'

/** A row of the view `people`, with computed columns. */
export interface AccountSummaryRow
  extends Row<
    'people',
    | OwnColumn
    | 'is_enabled'
    | 'approved_at'
    | 'email_confirmed_at'
    | 'phone'
    | 'created_at'
    | 'invited_at'
    | 'status'
    | 'deleted_at'
    | 'is_anonymous'
    | 'is_first_owner'
  > {
  needs_second_step: boolean
  /** Whether the rules for sign-ins require a second factor for the account's role. */
  is_factor_demanded: boolean
  has_password: boolean
  /** Whether the account may be used, that is, it is enabled and approved. */
  is_active: Row<'people'>['is_active']
}

/**
 * Returns the SQL condition that a sign-in to an account requires a second step. Recovery codes alone do not require
 * one. The view's column `has_second_factor` is not enough, because it covers only authenticator apps.
 */
export const needsSecondStep = (sql: Queryable, accountId: Fragment): Fragment => sql`exists (
  select from factors f
  where f.account_id = ${accountId} and f.status = 'verified' and f.factor_type <> 'recovery_code')`

/** Returns the SQL condition that the rules for sign-ins require a second factor for a role. */
export const demandsFactor = (sql: Queryable, role: Fragment): Fragment =>
  sql`${role} = any(array(select unnest(second_factor_roles) from sign_in_rules))`

/** Returns the SQL condition that an account has a password. */
export const hasPassword = (sql: Queryable, accountId: Fragment): Fragment => sql`exists (
  select from accounts a where a.id = ${accountId} and a.password_hash is not null)`

/** Returns the SQL for the computed columns of `AccountSummaryRow`. Select them together with those of `people`. */
const computedColumns = (sql: Queryable): Fragment => sql`
  ${needsSecondStep(sql, sql`people.id`)} as needs_second_step,
  ${demandsFactor(sql, sql`people.role`)} as is_factor_demanded,
  ${hasPassword(sql, sql`people.id`)} as has_password`

export async function insertUser(
  tx: Queryable,
  person: { accountId: string; fullName: string; role: Role; systemAccess: boolean },
): Promise<void> {
  await insertProfile(tx, person)
  await insertRole(tx, person.accountId, person.role)
}

/** Inserts a profile without a role row. Such an account is a viewer. */
export async function insertProfile(
  tx: Queryable,
  profile: { accountId: string; fullName: string; systemAccess: boolean },
): Promise<void> {
  await tx`
    insert into profiles (account_id, full_name, system_access)
    values (${profile.accountId}, ${profile.fullName}, ${profile.systemAccess})`
}

async function insertRole(
  tx: Queryable,
  accountId: string,
  role: Role,
  permissions: Readonly<Record<string, boolean>> = permissionsOf(role),
): Promise<void> {
  await tx`
    insert into user_roles (id, user_id, role_name, permissions)
    values (${uuidv7()}, ${accountId}, ${role}, ${tx.json(permissions)})`
}

/**
 * Gives an account another role. Keeps the row of the former role as inactive history. `permissions` can differ from
 * those of the role, because a hosted project may set them.
 */
export async function replaceRole(
  tx: Queryable,
  accountId: string,
  role: Role,
  permissions?: Readonly<Record<string, boolean>>,
): Promise<void> {
  await tx`update user_roles set is_active = false, updated_at = now() where user_id = ${accountId} and is_active`
  await insertRole(tx, accountId, role, permissions)
}

export async function setSystemAccess(tx: Queryable, accountId: string, hasAccess: boolean): Promise<void> {
  await tx`
    insert into profiles (account_id, system_access) values (${accountId}, ${hasAccess})
    on conflict (account_id) do update set system_access = excluded.system_access, updated_at = now()`
}

export async function setFullName(tx: Queryable, accountId: string, fullName: string): Promise<void> {
  await tx`
    insert into profiles (account_id, full_name) values (${accountId}, ${fullName})
    on conflict (account_id) do update set full_name = excluded.full_name, updated_at = now()`
}

export const findAccountSummary = (sql: Queryable, accountId: string) =>
  firstRow(sql<AccountSummaryRow[]>`
    select people.*, ${computedColumns(sql)} from people where id = ${accountId}`)

export async function countActiveOwners(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ owners: number }]>`
    select count(*)::int as owners from people where role = 'owner' and is_active`
  return row.owners
}

export interface AccountFilter {
  search: string | undefined
  isApproved: boolean | null
  role: string | null
  status: AccountStatus | null
}

const isNamedLike = (sql: Queryable, pattern: string) => sql`
  (lower(username) like ${pattern} or lower(email) like ${pattern} or phone like ${pattern} or lower(normalize(full_name, NFKC)) like ${pattern})`

/**
 * Lists accounts, newest first. The search for a name ignores case, and treats compatible Unicode characters as equal.
 */
export async function listAccountSummaries(
  sql: Queryable,
  filter: AccountFilter,
  page: PageRequest,
): Promise<Page<AccountSummaryRow>> {
  const isNamed = matchesEveryWord(sql, filter.search && normalizeName(filter.search), (pattern) =>
    isNamedLike(sql, pattern),
  )
  const matches = sql`
    deleted_at is null and not is_anonymous and
    -- Declined accounts no longer wait.
    (${filter.isApproved}::boolean is null or (approved_at is not null) = ${filter.isApproved})
    and (${filter.isApproved}::boolean is distinct from false or is_enabled)
    and (${filter.role}::text is null or role = ${filter.role})
    and (${filter.status}::text is null or status = ${filter.status}) ${isNamed}`
  const rows = await sql<AccountSummaryRow[]>`
    select people.*, ${computedColumns(sql)}
    from people where ${matches} ${newestFirst(sql, page, sql`created_at`, sql`id`)}`
  return toPage([...rows], page.limit, await countUpToCap(sql, sql`select 1 from people where ${matches}`))
}

/** Finds accounts for the search over all modules, newest first. */
export const findAccountHits = (
  sql: Queryable,
  search: string,
  limit: number,
): Promise<{ id: string; name: string; username: string }[]> =>
  sql<{ id: string; name: string; username: string }[]>`
    select id, coalesce(nullif(full_name, ''), username) as name, username from people
    where deleted_at is null and not is_anonymous
      ${matchesEveryWord(sql, normalizeName(search), (pattern) => isNamedLike(sql, pattern))}
    order by created_at desc, id desc limit ${sql.literal(limit)}`

/** The columns of an account that it sees about itself. */
export type CurrentUserRow = Pick<
  AccountSummaryRow,
  OwnColumn | 'is_active' | 'needs_second_step' | 'is_factor_demanded' | 'has_password'
>

/** Returns the email address. Returns an empty text if the stored address is only a placeholder. */
const shownEmail = ({
  has_email: hasEmail,
  is_sso_managed: isSsoManaged,
  email,
}: Pick<AccountSummaryRow, 'has_email' | 'is_sso_managed' | 'email'>): string =>
  hasEmail || isSsoManaged ? email : ''

/** Converts an account to the format in which it sees itself. */
export const presentCurrentUser = (row: CurrentUserRow): CurrentUser => ({
  id: row.id,
  email: shownEmail(row),
  username: row.username,
  full_name: row.full_name,
  role: row.role,
  permissions: row.permissions,
  metadata: row.metadata,
  isActive: row.is_active,
  system_access: row.system_access,
  last_login: row.last_sign_in_at,
  password_change_required: row.must_change_password,
  second_factor: row.needs_second_step,
  second_factor_setup_required: row.is_factor_demanded && !row.needs_second_step,
  has_password: row.has_password,
  sso_managed: row.is_sso_managed,
  new_email: row.new_email,
  revision: row.revision,
})

/** Converts an account to the format in which admins see it. */
export const presentUser = (row: AccountSummaryRow): User => ({
  id: row.id,
  username: row.username,
  full_name: row.full_name,
  email: shownEmail(row),
  phone: row.phone,
  role: row.role,
  system_access: row.system_access,
  is_active: row.is_enabled,
  approved: row.approved_at !== null,
  approved_at: row.approved_at,
  email_confirmed: row.email_confirmed_at !== null,
  has_second_factor: row.needs_second_step,
  status: row.status,
  invited_at: row.invited_at,
  last_login: row.last_sign_in_at,
  created_at: row.created_at,
  is_first_owner: row.is_first_owner,
  revision: row.revision,
})
