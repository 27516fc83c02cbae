import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type AccountSummaryRow, findAccountSummary } from '../../users/index.ts'

/** Returns an account. Throws ACCOUNT_NOT_FOUND if it does not exist or was deleted. */
export async function getAccountSummary(sql: Queryable, id: string): Promise<AccountSummaryRow> {
  const person = await findAccountSummary(sql, id)
  if (!person || person.deleted_at !== null) throw new AppError('ACCOUNT_NOT_FOUND')
  return person
}
