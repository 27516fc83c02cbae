import { hasRole } from '@pegasus/contracts/roles'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AccountSummaryRow } from '../users/index.ts'

/**
 * Throws unless the keeper, as they are now, may hand out keys of this owner: a key acts with its owner's rights, so
 * an admin who could make one for an owner would hold more than they have.
 */
export function assertMayIssue(
  keeper: AccountSummaryRow | null,
  owner: Pick<AccountSummaryRow, 'id' | 'role'>,
): void {
  if (!keeper?.is_active || !hasRole(keeper.role, 'admin')) throw new AppError('FORBIDDEN')
  const isAbove = hasRole(owner.role, 'admin') && owner.id !== keeper.id
  if (isAbove && !hasRole(keeper.role, 'owner')) throw new AppError('KEY_OWNERS_ONLY')
}

/** Throws for somebody whose keys would open nothing. */
export function assertMayOwn(owner: AccountSummaryRow): void {
  if (!owner.is_active) throw new AppError('KEY_OWNER_NOT_IN_FORCE')
  if (!owner.system_access) throw new AppError('KEY_OWNER_WITHOUT_ACCESS')
}
