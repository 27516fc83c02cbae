import { listModelTags } from '@pegasus/contracts/stl-library/search'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'

const TAGS_OFFERED = 8

/** Returns tags that start with or contain a text, most used first. */
export const tagsQuery = (search: string) =>
  queryOptions({
    queryKey: ['stl-tags', search],
    queryFn: ({ signal }) =>
      callApi(listModelTags, { query: { limit: TAGS_OFFERED, ...(search && { search }) }, signal }),
    placeholderData: keepPreviousData,
  })
