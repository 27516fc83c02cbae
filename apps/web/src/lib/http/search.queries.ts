import { searchEverything } from '@pegasus/contracts/search'
import { apiQuery } from './api-queries.ts'

/**
 * Returns the query that searches all modules for these words. It is sent each time that the palette opens, because the
 * actions of a hit change with every step.
 */
export const searchQuery = (search: string) => ({
  ...apiQuery(['search', search], searchEverything, { query: { search } }),
  staleTime: 0,
})
