import {
  deleteSavedSearch,
  listSavedSearches,
  type SavedSearch,
  type SearchedList,
  saveSearch,
} from '@pegasus/contracts/stl-library/search'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { callApi } from '@/lib/http/api.ts'

const SAVED_KEY = 'saved-searches'

export const savedSearchesQuery = (list: SearchedList) =>
  apiQuery([SAVED_KEY, list], listSavedSearches, { query: { list } })

/** Mutations of saved searches. Each rejects with the server's message. */
export function useSavedSearches(list: SearchedList) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: [SAVED_KEY] })
  const save = useMutation({
    mutationFn: ({ isShared, ...search }: { name: string; query: string; isShared?: boolean }) =>
      callApi(saveSearch, {
        body: { ...search, list, ...(isShared !== undefined && { is_shared: isShared }) },
      }),
    onSettled: refresh,
  })
  const rename = useMutation({
    // Save the new name first, so that nothing is lost if the server refuses it.
    mutationFn: async ({ search, name }: { search: SavedSearch; name: string }) => {
      const renamed = await callApi(saveSearch, {
        body: { list, name, query: search.query, is_shared: search.is_shared },
      })
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
