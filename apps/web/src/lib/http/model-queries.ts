import { listModels } from '@pegasus/contracts/stl-library/search'
import { queryOptions } from '@tanstack/react-query'
import { callList } from './api.ts'

/** Models for places outside the library: the palette, a scan, the dashboard. */
export const modelsQuery = ({ search = '', limit }: { search?: string; limit: number }) =>
  queryOptions({
    // Begins like the library's own keys, so that whatever changes a model refreshes these too.
    queryKey: ['stl-files', 'brief', { search, limit }],
    queryFn: ({ signal }) => callList(listModels, { query: { limit, ...(search && { search }) }, signal }),
  })
