import { searchEverything } from '@pegasus/contracts/search'
import { apiQuery } from './api-queries.ts'

/** Returns the query that searches all modules for these words. */
export const searchQuery = (search: string) =>
  apiQuery(['search', search], searchEverything, { query: { search } })
