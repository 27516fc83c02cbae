import { hasRole } from '@pegasus/contracts/roles'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AccountSummaryRow } from '../users/index.ts'

/**
 * Throws unless the caller's current role may issue keys for this owner. A key has the rights of its owner. An admin
 * with a key of an owner account would therefore gain rights that admins do not have.
 */
export function assertMayIssue(
  keeper: AccountSummaryRow | null,
  owner: Pick<AccountSummaryRow, 'id' | 'role'>,
): void {
  if (!keeper?.is_active || !hasRole(keeper.role, 'admin')) throw new AppError('FORBIDDEN')
  const isAbove = hasRole(owner.role, 'admin') && owner.id !== keeper.id
  if (isAbove && !hasRole(keeper.role, 'owner')) throw new AppError('KEY_OWNERS_ONLY')
}

/** Throws for an account whose keys could not call any endpoint. */
export function assertMayOwn(owner: AccountSummaryRow): void {
  if (!owner.is_active) throw new AppError('KEY_OWNER_NOT_IN_FORCE')
  if (!owner.system_access) throw new AppError('KEY_OWNER_WITHOUT_ACCESS')
}
