import { listModels } from '@pegasus/contracts/stl-library/search'
import { queryOptions } from '@tanstack/react-query'
import { callList } from './api.ts'

/** Models for pages outside the library: the command palette, a scan, the dashboard. */
export const modelsQuery = ({ search = '', limit }: { search?: string; limit: number }) =>
  queryOptions({
    // Has the library's prefix, so that a change of a model refreshes these too.
    queryKey: ['stl-files', 'brief', { search, limit }],
    queryFn: ({ signal }) => callList(listModels, { query: { limit, ...(search && { search }) }, signal }),
  })
