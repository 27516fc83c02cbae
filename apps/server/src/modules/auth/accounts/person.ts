import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type PersonRow, findPerson } from '../../users/index.ts'

/** Throws ACCOUNT_NOT_FOUND. */
export async function getPerson(sql: Queryable, id: string): Promise<PersonRow> {
  const person = await findPerson(sql, id)
  if (!person) throw new AppError('ACCOUNT_NOT_FOUND')
  return person
}
