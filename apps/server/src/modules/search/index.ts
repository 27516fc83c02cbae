import { searchEverything } from '@pegasus/contracts/search'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { createSearchEverything } from './search.service.ts'

/** Adds the search over all modules for the command palette. */
export function addSearch(endpoints: Endpoints, deps: { database: Database; signer: PathSigner }): void {
  const find = createSearchEverything(deps)
  endpoints.add(searchEverything, async ({ query, user }) => ({
    hits: await find(query.search, user.user.role),
  }))
}
