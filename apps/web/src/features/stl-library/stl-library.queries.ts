import { getModel, type ListedModel, type Model } from '@pegasus/contracts/stl-library/models'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { callApi, type ListPage } from '@/lib/http/api.ts'

/**
 * Polling interval in ms, in case the event stream is lost. Events normally report when a model is measured.
 */
const FALLBACK_POLL_MS = 5000

/** Every query about models starts with this key, so that one invalidation refreshes them all. */
export const MODELS_KEY = ['stl-files'] as const
export const LISTS_KEY = [...MODELS_KEY, 'list'] as const

/** Returns one model. Once it is measured, every list that shows it is updated. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS_KEY, 'one', id] as const,
    queryFn: async ({ signal, client }) => {
      const model = await callApi(getModel, { params: { id }, signal })
      if (model.analysis_status !== 'pending') putIntoLists(client, model)
      return model
    },
    refetchInterval: ({ state }) => (state.data?.analysis_status === 'pending' ? FALLBACK_POLL_MS : false),
  })

/** Values for the fields that a list leaves out: all unknown. */
const NOT_LISTED = {
  encoding: null,
  metadata: null,
  print_estimate: null,
  sliced_piece: null,
  has_slicer_command: false,
  attribution: null,
  sale_verdict: 'unknown',
  sale_reason: '',
  fetched_at: null,
} satisfies Omit<Model, keyof ListedModel>

/** Returns a model from any cached list, to show it until its own query has a response. */
export function listedModel(client: QueryClient, id: string): Model | undefined {
  const listed = client
    .getQueriesData<ListPage<ListedModel>>({ queryKey: LISTS_KEY })
    .flatMap(([, page]) => page?.items ?? [])
    .find((item) => item.id === id)
  return listed && { ...NOT_LISTED, ...listed }
}

/**
 * Updates a model in the lists that show it, so that a card still has its measures after it was scrolled out
 * of view and back.
 */
function putIntoLists(client: QueryClient, model: Model) {
  client.setQueriesData<ListPage<ListedModel>>({ queryKey: LISTS_KEY }, (page) =>
    page?.items.some(({ id }) => id === model.id)
      ? { ...page, items: page.items.map((item) => (item.id === model.id ? model : item)) }
      : page,
  )
}
