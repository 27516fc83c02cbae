import type { Queryable } from '../../../platform/database/database.ts'
import type { RolesQuery } from './read-request.ts'

export interface RoleRowsPage {
  /** The number of all matching rows. */
  total: number
  returned: number
  /** The requested rows as the text of a JSON array. */
  rows: string
  /** The first row as JSON. Null if there is none. */
  first: string | null
}

/**
 * Reads matching rows of an account in `user_roles`. If the account is null, reads the rows of all accounts. The parts
 * of the statement contain only our own column names, never values. Throws the database's error if a value does not fit
 * its column.
 */
export async function readRoleRows(
  sql: Pick<Queryable, 'unsafe'>,
  accountId: string | null,
  { row, condition, order, values, from, limit, leavesOutNulls }: RolesQuery,
): Promise<RoleRowsPage> {
  const json = leavesOutNulls ? `json_strip_nulls(${row})` : row
  // Do not prepare this statement. The database would keep every variant of it until the connection closes.
  const [page] = await sql.unsafe<RoleRowsPage[]>(
    `with own as (
       select id, user_id, role_name, permissions, is_active, created_at, updated_at
       from user_roles where $1::text is null or user_id = $1::text::uuid
     ), matching as (select * from own where ${condition}),
     page as (select * from matching order by ${order} limit ${limit} offset ${from}),
     made as (select ${json} as made from page)
     select (select count(*)::int from matching) as total,
            (select count(*)::int from page) as returned,
            coalesce(json_agg(made), '[]')::text as rows,
            (json_agg(made) -> 0)::text as first
     from made`,
    [accountId, ...values],
  )
  if (!page) throw new Error('counting rows answered none')
  return page
}
