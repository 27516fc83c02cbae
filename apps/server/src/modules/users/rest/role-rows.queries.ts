import type { Queryable } from '../../../platform/database/database.ts'
import type { RolesQuery } from './read-request.ts'

export interface RoleRowsPage {
  /** Of all rows that match. */
  total: number
  returned: number
  /** The rows as a JSON array. */
  rows: string
  /** The first of them; null where there is none. */
  first: string | null
}

/**
 * The account's own rows in `user_roles` that match; those of others are not there, whatever was asked. The parts of
 * the query name columns of ours and hold no value. Throws the database's error where a value does not fit its column.
 */
export async function readRoleRows(
  sql: Pick<Queryable, 'unsafe'>,
  accountId: string,
  { row, condition, order, values, from, limit, leavesOutNulls }: RolesQuery,
): Promise<RoleRowsPage> {
  const json = leavesOutNulls ? `json_strip_nulls(${row})` : row
  // Not prepared, as each shape of it would be kept by the database for as long as its connection lives.
  const [page] = await sql.unsafe<RoleRowsPage[]>(
    `with own as (
       select id, user_id, role_name, permissions, is_active, created_at, updated_at
       from user_roles where user_id = $1::text::uuid
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
