import type { CallOf } from '@pegasus/contracts/endpoint'
import { listModels, type ModelSort } from '@pegasus/contracts/stl-library/search'
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import type { LibraryFilters } from '../library-address.ts'
import { FIRST_LINK, type PageChain, withPage } from './page-chain.ts'
import { LISTS_KEY } from '../stl-library.queries.ts'

/** Number of models on a page. It is a multiple of 2, 3, 4, 5 and 6, so that each row of cards is on one page. */
export const PAGE_SIZE = 60

/** Number of invisible pages that are kept for scrolling back. */
const PAGES_KEPT = 12

/** Filters of the list of models, without the limit or cursor. */
export type ModelListQuery = Omit<NonNullable<CallOf<typeof listModels>['query']>, 'limit' | 'cursor'>

export const listQueryOf = (filters: LibraryFilters, sort: ModelSort): ModelListQuery => ({
  ...(filters.search && { search: filters.search }),
  ...(filters.license && { license_type: filters.license }),
  ...(filters.tags.length > 0 && { tags: filters.tags.join(',') }),
  ...(filters.material && { material: filters.material }),
  ...(filters.fits && { fits: filters.fits }),
  ...(filters.isWatertight !== null && { is_watertight: String(filters.isWatertight) as 'true' | 'false' }),
  ...(filters.isProduct !== null && { is_product: String(filters.isProduct) as 'true' | 'false' }),
  ...(filters.sale && { sale: filters.sale }),
  ...(filters.format && { format: filters.format }),
  ...(filters.uploader && { uploaded_by: filters.uploader }),
  ...(filters.from && { created_from: filters.from }),
  ...(filters.to && { created_to: filters.to }),
  sort,
})

/**
 * Returns the query for the known part of a list. It never fetches, because the page queries write its data.
 */
export const pageChainQuery = (query: ModelListQuery) =>
  queryOptions<PageChain>({
    queryKey: ['stl-file-pages', query],
    queryFn: skipToken,
    initialData: FIRST_LINK,
    staleTime: Infinity,
  })

/** Returns one page of a list. Adds the start of the next page to the chain, and drops distant pages. */
export const modelPageQuery = (query: ModelListQuery, index: number, cursor: string | null) =>
  queryOptions({
    queryKey: [...LISTS_KEY, query, index, cursor] as const,
    queryFn: async ({ client, signal }) => {
      const page = await callList(listModels, {
        query: { ...query, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) },
        signal,
      })
      client.setQueryData(pageChainQuery(query).queryKey, (chain = FIRST_LINK) =>
        withPage(chain, index, { count: page.items.length, nextCursor: page.nextCursor }),
      )
      forgetFarPages(client)
      return page
    },
  })

function forgetFarPages(client: QueryClient): void {
  const unseen = client.getQueryCache().findAll({ queryKey: LISTS_KEY, type: 'inactive' })
  const oldestLast = unseen.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const page of oldestLast.slice(PAGES_KEPT)) client.getQueryCache().remove(page)
}
