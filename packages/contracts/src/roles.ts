import type { KeyAccess } from './api-keys/scopes.ts'

/** Roles and what they may do. The server decides by rank alone; `permissions` is what people are shown. */

export const ROLES = ['viewer', 'employee', 'staff', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** What a person must be to make a call, from signed in up. `staff` admits employees: the two names share a rank. */
export type AccountAccess = 'signed-in' | 'staff' | 'admin' | 'owner'

/**
 * Who may make a call: anybody, people from a rank up, or API keys of a scope. People's sessions open no key's call.
 * `nobody`: a call of the hosted service's protocol that is refused to all, in its words.
 */
export type Access = 'public' | 'nobody' | AccountAccess | KeyAccess

const ROLE_RANK: Readonly<Record<Role, number>> = { viewer: 1, employee: 2, staff: 2, admin: 3, owner: 4 }

/** Narrows a role name of the database; names that we don't know are not roles. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

/** Rank of a role: 1 viewer, 2 employee and staff, 3 admin, 4 owner. A name we don't know ranks as viewer. */
export const roleRank = (role: string): number => (isRole(role) ? ROLE_RANK[role] : ROLE_RANK.viewer)

/** Whether a role passes a check for `required`. Without a role (nobody is signed in) every check fails. */
export const hasRole = (role: string | null | undefined, required: Role): boolean =>
  role != null && roleRank(role) >= ROLE_RANK[required]

export const isAdmin = (role: string | null | undefined): boolean => hasRole(role, 'admin')
export const isEmployeeOrHigher = (role: string | null | undefined): boolean => hasRole(role, 'employee')

export type Permission =
  | 'can_manage_users'
  | 'can_manage_products'
  | 'can_manage_orders'
  | 'can_manage_inventory'
  | 'can_view_reports'
  | 'can_manage_settings'
  | 'can_access_admin'
  | 'can_view_orders'

const STAFF_PERMISSIONS: readonly Permission[] = [
  'can_manage_products',
  'can_manage_orders',
  'can_manage_inventory',
  'can_access_admin',
  'can_view_orders',
]
const ADMIN_PERMISSIONS: readonly Permission[] = [
  ...STAFF_PERMISSIONS,
  'can_manage_users',
  'can_view_reports',
]

const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['can_view_orders'],
  employee: STAFF_PERMISSIONS,
  staff: STAFF_PERMISSIONS,
  admin: ADMIN_PERMISSIONS,
  owner: [...ADMIN_PERMISSIONS, 'can_manage_settings'],
}

/** The permission flags that a new account of this role is given, as they are stored and shown. */
export const permissionsOf = (role: Role): Record<string, boolean> =>
  Object.fromEntries(ROLE_PERMISSIONS[role].map((permission) => [permission, true]))
