import { searchEverything } from '@pegasus/contracts/search'
import { apiQuery } from './api-queries.ts'

/** What all modules find for these words. */
export const searchQuery = (search: string) =>
  apiQuery(['search', search], searchEverything, { query: { search } })
