import type { SavedSearch, SearchedList } from '@pegasus/contracts/stl-library/search'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'

const columns = (sql: Queryable) => sql`id, list, name, query, created_at`

export const listSavedSearches = (
  sql: Queryable,
  accountId: string,
  list: SearchedList,
): Promise<SavedSearch[]> =>
  sql<SavedSearch[]>`
    select ${columns(sql)} from saved_searches where account_id = ${accountId} and list = ${list}
    order by lower(name), name`

/** Makes concurrent changes of the same account wait until the transaction ends. */
export async function lockSavedSearches(tx: Queryable, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`saved-searches:${accountId}`}, 0))`
}

/** Replaces the query of a saved search with this name. Returns null if there is none. */
export const replaceSavedSearch = (
  tx: Queryable,
  search: { accountId: string; list: SearchedList; name: string; query: string },
) =>
  firstRow(tx<SavedSearch[]>`
    update saved_searches set query = ${search.query}
    where account_id = ${search.accountId} and list = ${search.list} and name = ${search.name}
    returning ${columns(tx)}`)

/** Inserts a saved search. Returns null if the account already has `most` of them. */
export const insertSavedSearch = (
  tx: Queryable,
  search: {
    id: string
    accountId: string
    list: SearchedList
    name: string
    query: string
    now: Date
    most: number
  },
) =>
  firstRow(tx<SavedSearch[]>`
    insert into saved_searches (id, account_id, list, name, query, created_at)
    select ${search.id}, ${search.accountId}, ${search.list}, ${search.name}, ${search.query}, ${search.now}
    where (
      select count(*) from saved_searches where account_id = ${search.accountId} and list = ${search.list}
    ) < ${search.most}::int
    returning ${columns(tx)}`)

/** Deletes a saved search. Returns false if it does not exist or belongs to another account. */
export async function deleteSavedSearch(sql: Queryable, accountId: string, id: string): Promise<boolean> {
  const gone =
    await sql`delete from saved_searches where id = ${id} and account_id = ${accountId} returning 1`
  return gone.length > 0
}
