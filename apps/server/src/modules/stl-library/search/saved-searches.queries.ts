import type { SavedSearch, SearchedList } from '@pegasus/contracts/stl-library/search'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'

/** Selects saved searches, with `is_mine` for this account. */
const selectSearches = (sql: Queryable, accountId: string) => sql`
  select s.id, s.list, s.name, s.query, s.is_shared, s.account_id = ${accountId}::uuid as is_mine,
         coalesce(nullif(p.full_name, ''), a.username) as owner_name, s.created_at
  from saved_searches s join accounts a on a.id = s.account_id left join profiles p on p.account_id = s.account_id`

/** Lists the account's own searches, and those that active people share. */
export const listSavedSearches = (
  sql: Queryable,
  accountId: string,
  list: SearchedList,
): Promise<SavedSearch[]> =>
  sql<SavedSearch[]>`
    ${selectSearches(sql, accountId)}
    where s.list = ${list} and (s.account_id = ${accountId} or (s.is_shared and a.is_active))
    order by lower(s.name), s.name, s.id`

/** Returns a saved search of the account, or null if it does not exist or belongs to another account. */
export const findSavedSearch = (sql: Queryable, accountId: string, id: string) =>
  firstRow(sql<SavedSearch[]>`
    ${selectSearches(sql, accountId)} where s.id = ${id} and s.account_id = ${accountId}`)

/** Makes concurrent changes of the same account wait until the transaction ends. */
export async function lockSavedSearches(tx: Queryable, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`saved-searches:${accountId}`}, 0))`
}

/** A search to save. If `isShared` is null, that setting stays unchanged. */
export interface SearchToSave {
  accountId: string
  list: SearchedList
  name: string
  query: string
  isShared: boolean | null
}

/** Replaces the account's saved search with this name and returns its id. Returns null if there is none. */
export const replaceSavedSearch = (tx: Queryable, search: SearchToSave) =>
  firstRow(tx<{ id: string }[]>`
    update saved_searches set query = ${search.query}, is_shared = coalesce(${search.isShared}::boolean, is_shared)
    where account_id = ${search.accountId} and list = ${search.list} and name = ${search.name}
    returning id`)

/**
 * Inserts a saved search and returns its id. Returns null if the account already has `most` saved searches.
 */
export const insertSavedSearch = (
  tx: Queryable,
  search: SearchToSave & { id: string; now: Date; most: number },
) =>
  firstRow(tx<{ id: string }[]>`
    insert into saved_searches (id, account_id, list, name, query, is_shared, created_at)
    select ${search.id}, ${search.accountId}, ${search.list}, ${search.name}, ${search.query},
           coalesce(${search.isShared}::boolean, false), ${search.now}
    where (
      select count(*) from saved_searches where account_id = ${search.accountId} and list = ${search.list}
    ) < ${search.most}::int
    returning id`)

/** Deletes a saved search. Returns false if it does not exist or belongs to another account. */
export async function deleteSavedSearch(sql: Queryable, accountId: string, id: string): Promise<boolean> {
  const gone =
    await sql`delete from saved_searches where id = ${id} and account_id = ${accountId} returning 1`
  return gone.length > 0
}
