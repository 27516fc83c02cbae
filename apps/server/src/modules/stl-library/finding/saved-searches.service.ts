import type { SavedSearch } from '@pegasus/contracts/stl-search'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  lockSavedSearches,
  replaceSavedSearch,
} from './saved-searches.queries.ts'

const MAX_SAVED_SEARCHES = 100

/** Searches that people keep, each for themselves: whose they are is never asked of the client. */
export interface SavedSearches {
  list(accountId: string): Promise<SavedSearch[]>
  /** The same name again replaces it. Throws TOO_MANY_SAVED_SEARCHES. */
  save(
    accountId: string,
    search: { name: string; query: string },
  ): Promise<{ search: SavedSearch; isNew: boolean }>
  /** Throws SAVED_SEARCH_NOT_FOUND for one that is not there or somebody else's. */
  forget(accountId: string, id: string): Promise<void>
}

export function createSavedSearches({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): SavedSearches {
  return {
    list: (accountId) => listSavedSearches(database.sql, accountId),

    save: (accountId, { name, query }) =>
      database.transaction(async (tx) => {
        await lockSavedSearches(tx, accountId)
        const replaced = await replaceSavedSearch(tx, { accountId, name, query })
        if (replaced) return { search: replaced, isNew: false }
        const added = { id: uuidv7(), accountId, name, query, now: clock.now(), most: MAX_SAVED_SEARCHES }
        const search = await insertSavedSearch(tx, added)
        if (!search) throw new AppError('TOO_MANY_SAVED_SEARCHES')
        return { search, isNew: true }
      }),

    async forget(accountId, id) {
      if (!(await deleteSavedSearch(database.sql, accountId, id)))
        throw new AppError('SAVED_SEARCH_NOT_FOUND')
    },
  }
}
