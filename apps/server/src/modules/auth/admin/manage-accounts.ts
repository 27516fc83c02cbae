import { hasRole } from '@pegasus/contracts/roles'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findAccountSummary } from '../../users/index.ts'

/**
 * Throws unless the actor's current role may manage accounts with all of these roles. Throws FORBIDDEN if the
 * actor's role is below admin, and OWNERS_ONLY if an admin tries to manage an admin or owner.
 */
export async function assertMayManage(
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
 * Makes role changes run one at a time. Otherwise two owners could remove each other in parallel, or a role could
 * change while another change relies on it.
 */
export const lockRoles = (tx: TransactionSql) =>
  tx`select pg_advisory_xact_lock(hashtextextended('account-roles', 0))`
