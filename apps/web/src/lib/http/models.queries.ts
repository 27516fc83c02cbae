import { listModels } from '@pegasus/contracts/stl-library/search'
import { queryOptions } from '@tanstack/react-query'
import { callList } from './api.ts'

/** Returns a query of models for pages outside the library: the command palette, a scan, the dashboard. */
export const modelsQuery = ({ search = '', limit }: { search?: string; limit: number }) =>
  queryOptions({
    // The key has the library's prefix, so that a change of a model refreshes these queries too.
    queryKey: ['stl-files', 'brief', { search, limit }],
    queryFn: ({ signal }) => callList(listModels, { query: { limit, ...(search && { search }) }, signal }),
  })
