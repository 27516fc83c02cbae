import { hasRole } from '@pegasus/contracts/roles'
import type { SavedSearch, SearchedList } from '@pegasus/contracts/stl-library/search'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type HttpResult, fingerprintOf, withIdempotency } from '../../../platform/http/idempotency.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  lockSavedSearches,
  replaceSavedSearch,
} from './saved-searches.queries.ts'

const MAX_SAVED_SEARCHES = 100

/** Saved searches. Everybody sees the shared ones; only the owner changes them. */
export interface SavedSearches {
  list(accountId: string, list: SearchedList): Promise<SavedSearch[]>
  /**
   * Saves a search (201), or replaces the search with the same name (200). Throws FORBIDDEN if a viewer shares it,
   * TOO_MANY_SAVED_SEARCHES or IDEMPOTENCY_KEY_REUSED.
   */
  save(
    by: { accountId: string; role: string; idempotencyKey: string | null },
    search: { list: SearchedList; name: string; query: string; is_shared?: boolean | undefined },
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

    save: ({ accountId, role, idempotencyKey: key }, { list, name, query, is_shared: isShared = null }) =>
      database.transaction((tx) => {
        // A shared search changes what other people see, and viewers may not change anything that others see.
        if (isShared === true && !hasRole(role, 'staff')) throw new AppError('FORBIDDEN')
        const fingerprint = fingerprintOf('saved-searches', list, name, query, String(isShared))
        return withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          await lockSavedSearches(tx, accountId)
          const search = { accountId, list, name, query, isShared }
          const replaced = await replaceSavedSearch(tx, search)
          const saved =
            replaced ??
            (await insertSavedSearch(tx, {
              ...search,
              id: uuidv7(),
              now: clock.now(),
              most: MAX_SAVED_SEARCHES,
            }))
          const body = saved && (await findSavedSearch(tx, accountId, saved.id))
          if (!body) throw new AppError('TOO_MANY_SAVED_SEARCHES')
          return { status: replaced ? 200 : 201, body }
        })
      }),

    async forget(accountId, id) {
      if (!(await deleteSavedSearch(database.sql, accountId, id)))
        throw new AppError('SAVED_SEARCH_NOT_FOUND')
    },
  }
}
