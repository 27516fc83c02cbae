import { ROLES, type Role, hasRole } from '@pegasus/contracts/roles'
import type { StatusTone } from '@pegasus/contracts/statuses'
import type { AccountStatus, User } from '@pegasus/contracts/users/users'
import { t } from '@/lib/i18n/messages.ts'

export const PERSON_LOOKS: Readonly<Record<AccountStatus, { label: string; tone: StatusTone }>> = {
  active: { label: t('Active'), tone: 'green' },
  waiting: { label: t('Waiting for approval'), tone: 'yellow' },
  invited: { label: t('Invited'), tone: 'blue' },
  deactivated: { label: t('Deactivated'), tone: 'grey' },
}

/**
 * Returns the label of an account's status. An approved account that still waits has not confirmed its
 * address or number yet. A deactivated account that was never approved was declined.
 */
export function statusLabel({ status, approved }: Pick<User, 'status' | 'approved'>): string {
  if (status === 'waiting' && approved) return t('Address not confirmed')
  if (status === 'deactivated' && !approved) return t('Declined')
  return PERSON_LOOKS[status].label
}

/** Returns whether an account has signed up and waits for approval. */
export const isToApprove = ({ status, approved }: Pick<User, 'status' | 'approved'>): boolean =>
  status === 'waiting' && !approved

/** Descriptions of the roles, shown to the person who assigns one. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: t('can view everything except people, API keys and the audit'),
  employee: t('can change models, stock, the print queue and products'),
  staff: t('has the same permissions as an employee'),
  admin: t('can do what staff can, manage people and API keys, and read the audit'),
  owner: t('can do what admins can, and manage admins and owners'),
}

/** Returns the roles that a person may assign. Only an owner creates or changes owners and admins. */
export const rolesToGive = (ownRole: string): readonly Role[] =>
  ROLES.filter((role) => hasRole(ownRole, 'owner') || !hasRole(role, 'admin'))

/**
 * Returns the email address of an account, or its phone number if it has no address; empty if it has neither.
 */
export const contactOf = ({ email, phone }: Pick<User, 'email' | 'phone'>): string =>
  email || (phone === null ? '' : `+${phone}`)

/** Returns whether a person with `ownRole` may change this account. */
export const mayManage = (ownRole: string, person: Pick<User, 'role'>): boolean =>
  hasRole(ownRole, 'owner') || !hasRole(person.role, 'admin')

export const nameOf = ({ full_name: fullName, username }: Pick<User, 'full_name' | 'username'>): string =>
  fullName || username
