import type { Role } from '@pegasus/contracts/roles'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { needsSecondStep } from '../../users/index.ts'

export type SignInRulesRow = Row<'sign_in_rules', 'second_factor_roles' | 'revision'>

export async function getSignInRulesRow(sql: Queryable): Promise<SignInRulesRow> {
  const [row] = await sql<[SignInRulesRow]>`select second_factor_roles, revision from sign_in_rules`
  return row
}

export async function lockSignInRules(tx: TransactionSql): Promise<SignInRulesRow> {
  const [row] = await tx<[SignInRulesRow]>`select second_factor_roles, revision from sign_in_rules for update`
  return row
}

export async function updateSignInRulesRow(tx: TransactionSql, roles: readonly Role[]): Promise<void> {
  await tx`update sign_in_rules set second_factor_roles = ${[...roles]}::text[], revision = revision + 1`
}

/** Counts the active people without a second factor, by role. Leaves out anonymous accounts. */
export async function countWithoutFactor(sql: Queryable): Promise<Record<string, number>> {
  const rows = await sql<{ role: string; people: number }[]>`
    select role, count(*)::int as people from people
    where is_active and not is_anonymous and not ${needsSecondStep(sql, sql`people.id`)}
    group by role`
  return Object.fromEntries(rows.map(({ role, people }) => [role, people]))
}
