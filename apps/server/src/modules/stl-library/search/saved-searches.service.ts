import type { SavedSearch, SearchedList } from '@pegasus/contracts/stl-library/search'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type HttpResult, fingerprintOf, withIdempotency } from '../../../platform/http/idempotency.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  lockSavedSearches,
  replaceSavedSearch,
} from './saved-searches.queries.ts'

const MAX_SAVED_SEARCHES = 100

/** Saved searches of an account. The owner is always the caller. */
export interface SavedSearches {
  list(accountId: string, list: SearchedList): Promise<SavedSearch[]>
  /**
   * Saves a search (201), or replaces the search with the same name (200). Throws TOO_MANY_SAVED_SEARCHES or
   * IDEMPOTENCY_KEY_REUSED.
   */
  save(
    by: { accountId: string; idempotencyKey: string | null },
    search: { list: SearchedList; name: string; query: string },
  ): Promise<HttpResult<SavedSearch>>
  /** Deletes a saved search. Throws SAVED_SEARCH_NOT_FOUND if it does not exist or belongs to another person. */
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
    list: (accountId, list) => listSavedSearches(database.sql, accountId, list),

    save: ({ accountId, idempotencyKey: key }, { list, name, query }) =>
      database.transaction((tx) => {
        const fingerprint = fingerprintOf('saved-searches', list, name, query)
        return withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          await lockSavedSearches(tx, accountId)
          const replaced = await replaceSavedSearch(tx, { accountId, list, name, query })
          if (replaced) return { status: 200, body: replaced }
          const now = clock.now()
          const added = { id: uuidv7(), accountId, list, name, query, now, most: MAX_SAVED_SEARCHES }
          const body = await insertSavedSearch(tx, added)
          if (!body) throw new AppError('TOO_MANY_SAVED_SEARCHES')
          return { status: 201, body }
        })
      }),

    async forget(accountId, id) {
      if (!(await deleteSavedSearch(database.sql, accountId, id)))
        throw new AppError('SAVED_SEARCH_NOT_FOUND')
    },
  }
}
