import {
  deleteSavedSearch,
  listModelTags,
  listSavedSearches,
  type SavedSearch,
  saveSearch,
} from '@pegasus/contracts/stl-library/search'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'

const TAGS_OFFERED = 8

/** Tags that start with or contain a text, most used first. */
export const tagsQuery = (search: string) =>
  queryOptions({
    queryKey: ['stl-tags', search],
    queryFn: ({ signal }) =>
      callApi(listModelTags, { query: { limit: TAGS_OFFERED, ...(search && { search }) }, signal }),
    placeholderData: keepPreviousData,
  })

const SAVED_KEY = ['saved-searches'] as const

export const savedSearchesQuery = queryOptions({
  queryKey: SAVED_KEY,
  queryFn: ({ signal }) => callApi(listSavedSearches, { signal }),
})

/** Mutations of saved searches; each rejects with the server's message. */
export function useSavedSearches() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: SAVED_KEY })
  const save = useMutation({
    mutationFn: (search: { name: string; query: string }) => callApi(saveSearch, { body: search }),
    onSettled: refresh,
  })
  const rename = useMutation({
    // Save the new name first: if that is refused, nothing is lost.
    mutationFn: async ({ search, name }: { search: SavedSearch; name: string }) => {
      const renamed = await callApi(saveSearch, { body: { name, query: search.query } })
      if (renamed.id !== search.id) await callApi(deleteSavedSearch, { params: { id: search.id } })
    },
    onSettled: refresh,
  })
  const forget = useMutation({
    mutationFn: ({ id }: SavedSearch) => callApi(deleteSavedSearch, { params: { id } }),
    onSettled: refresh,
  })
  return { save, rename, forget }
}
