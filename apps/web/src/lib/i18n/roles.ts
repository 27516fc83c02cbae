import { isRole, type Role } from '@pegasus/contracts/roles'
import { t } from './messages.ts'

/** The name of every role. */
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  viewer: t('viewer'),
  employee: t('employee'),
  staff: t('staff'),
  admin: t('admin'),
  owner: t('owner'),
}

/** Returns the name of a role. A role that this page has no name for keeps the server's name. */
export const roleLabel = (role: string): string => (isRole(role) ? ROLE_LABELS[role] : role)
