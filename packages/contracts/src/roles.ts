/**
 * Roles and their permissions. The server checks only the rank of a role; `permissions` are only shown to
 * people.
 */

export const ROLES = ['viewer', 'employee', 'staff', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/**
 * The lowest role that may make a call. `staff` includes employees, because both roles have the same rank.
 */
type AccountAccess = 'signed-in' | 'staff' | 'admin' | 'owner'

/**
 * Purposes of API keys. `integration` allows sending orders, and reading stock and products. `print-jobs`
 * allows claiming, reporting and finishing print jobs. A key may make only the calls of its scopes, and never
 * more calls than its owner.
 */
export const API_KEY_SCOPES = ['integration', 'print-jobs'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/** Access for API keys: the scope of the key, and the lowest role of its owner. */
export interface KeyAccess {
  scope: ApiKeyScope
  owner: Role
  /** The lowest role of people who may also make the call in a session. By default, only keys may make it. */
  people?: AccountAccess
  /**
   * Whether Basic authentication also works, with the key as the password and any user name. Programs that cannot send
   * a key in a header put it into their server's address in this way.
   */
  isBasicToo?: boolean
}

/**
 * The callers of an endpoint: everyone, people with at least a certain role, or API keys with a scope. A
 * person's session cannot make a call that is only for keys. `service-role` means only a secret key of the
 * hosted service's protocol. `nobody` means a call of a hosted protocol that is always refused, with that
 * protocol's error.
 */
export type Access = 'public' | 'nobody' | 'service-role' | AccountAccess | KeyAccess

const ROLE_RANK: Readonly<Record<Role, number>> = { viewer: 1, employee: 2, staff: 2, admin: 3, owner: 4 }

/** Returns whether a name from the database is one of our roles. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

/**
 * Returns the rank of a role: 1 for viewer, 2 for employee and staff, 3 for admin, 4 for owner. An unknown
 * name ranks as viewer.
 */
const roleRank = (role: string): number => (isRole(role) ? ROLE_RANK[role] : ROLE_RANK.viewer)

/** Returns whether a role is at least `required`. Without a role (not signed in), the result is false. */
export const hasRole = (role: string | null | undefined, required: Role): boolean =>
  role != null && roleRank(role) >= ROLE_RANK[required]

export const isAdmin = (role: string | null | undefined): boolean => hasRole(role, 'admin')
export const isEmployeeOrHigher = (role: string | null | undefined): boolean => hasRole(role, 'employee')

type Permission =
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

/** Returns the permission flags of a new account with this role, as they are stored and shown. */
export const permissionsOf = (role: Role): Record<string, boolean> =>
  Object.fromEntries(ROLE_PERMISSIONS[role].map((permission) => [permission, true]))
