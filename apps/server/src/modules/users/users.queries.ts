import { type CurrentUser } from '@pegasus/contracts/auth'
import { type Role, permissionsOf } from '@pegasus/contracts/roles'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../platform/database/database.ts'

/** A row of the view `people`. */
export interface PersonRow {
  id: string
  email: string
  username: string
  full_name: string
  role: string
  permissions: Record<string, boolean>
  metadata: Record<string, unknown>
  is_active: boolean
  system_access: boolean
  must_change_password: boolean
  last_sign_in_at: string | null
}

export async function insertPerson(
  tx: Queryable,
  person: { accountId: string; fullName: string; role: Role; systemAccess: boolean },
): Promise<void> {
  await tx`
    insert into profiles (account_id, full_name, system_access)
    values (${person.accountId}, ${person.fullName}, ${person.systemAccess})`
  await tx`
    insert into user_roles (id, user_id, role_name, permissions)
    values (${uuidv7()}, ${person.accountId}, ${person.role}, ${tx.json(permissionsOf(person.role))})`
}

export async function findPerson(sql: Queryable, accountId: string): Promise<PersonRow | null> {
  const [row] = await sql<PersonRow[]>`select * from people where id = ${accountId}`
  return row ?? null
}

/** A person in the words of the wire. */
export const presentCurrentUser = (row: PersonRow): CurrentUser => ({
  id: row.id,
  email: row.email,
  username: row.username,
  full_name: row.full_name,
  role: row.role,
  permissions: row.permissions,
  metadata: row.metadata,
  isActive: row.is_active,
  system_access: row.system_access,
  last_login: row.last_sign_in_at,
  password_change_required: row.must_change_password,
})
