import { hasRole } from '@pegasus/contracts/roles'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findAccountSummary } from '../../users/index.ts'

/**
 * Throws unless the actor's current role may manage accounts of all these roles: FORBIDDEN below admin, OWNERS_ONLY
 * for an admin who manages an admin or owner.
 */
export async function assertMayKeep(
  tx: TransactionSql,
  actorId: string,
  roles: readonly string[],
): Promise<void> {
  const actor = await findAccountSummary(tx, actorId)
  if (!actor?.is_active || !hasRole(actor.role, 'admin')) throw new AppError('FORBIDDEN')
  const touchesAdmins = roles.some((role) => hasRole(role, 'admin'))
  if (touchesAdmins && !hasRole(actor.role, 'owner')) throw new AppError('OWNERS_ONLY')
}

/**
 * Roles change one at a time, so that two owners cannot remove each other in parallel, and no role changes while
 * another change relies on it.
 */
export const lockRoles = (tx: TransactionSql) =>
  tx`select pg_advisory_xact_lock(hashtextextended('account-roles', 0))`
