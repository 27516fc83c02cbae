import { getStlFile, type StlFile } from '@pegasus/contracts/stl-files'
import { listStlFiles } from '@pegasus/contracts/stl-search'
import { uploadStlFile } from '@pegasus/contracts/stl-upload'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { callApi, callList } from '@/lib/api.ts'
import { type UploadOptions, uploadWithProgress } from '@/lib/upload.ts'
import type { LibraryFilters } from './library-address.ts'

/** A multiple of 2, 3, 4, 5 and 6, so that a page ends with a full row of cards. */
const PAGE_SIZE = 60

/** How often a model that is being measured is asked for. */
const MEASURING_POLL_MS = 1000

/** Every query about models begins with it, in the library and outside. */
const MODELS_KEY = ['stl-files'] as const
const LISTS_KEY = [...MODELS_KEY, 'list'] as const

export const modelListQuery = ({ search, license }: LibraryFilters) =>
  infiniteQueryOptions({
    queryKey: [...LISTS_KEY, { search, license }] as const,
    queryFn: ({ pageParam, signal }) =>
      callList(listStlFiles, {
        query: {
          limit: PAGE_SIZE,
          ...(pageParam && { cursor: pageParam }),
          ...(search && { search }),
          ...(license && { license_type: license }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export type ModelList = Awaited<ReturnType<typeof callList<typeof listStlFiles>>>

/** One model. While it is being measured it is asked for every second, and every list that holds it learns the answer. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS_KEY, 'one', id] as const,
    queryFn: async ({ signal, client }) => {
      const model = await callApi(getStlFile, { params: { id }, signal })
      if (model.analysis_status !== 'pending') putIntoLists(client, model)
      return model
    },
    refetchInterval: ({ state }) => (state.data?.analysis_status === 'pending' ? MEASURING_POLL_MS : false),
  })

/** Replaces a model in the lists that show it, so that a card keeps its measures when it is scrolled away and back. */
function putIntoLists(client: QueryClient, model: StlFile) {
  client.setQueriesData<InfiniteData<ModelList, string | null>>(
    { queryKey: LISTS_KEY },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (item.id === model.id ? model : item)),
        })),
      },
  )
}

/** Adds a model; the lists fetch it as their first card. */
export function useUploadModel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: UploadOptions) => uploadWithProgress(uploadStlFile, options),
    // Not waited for: who uploads goes on while the lists catch up.
    onSuccess: () => void client.invalidateQueries({ queryKey: MODELS_KEY }),
  })
}
