import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { ListPage } from './api.ts'

const PAGE_SIZE = 100

interface PageQuery {
  limit: number
  cursor?: string
}

/** A list of the server, page by page. */
export const listQuery = <Item>(
  queryKey: QueryKey,
  fetchPage: (page: PageQuery, signal: AbortSignal) => Promise<ListPage<Item>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      fetchPage({ limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

/** What a room shows of a list: while other filters load, what was there before. */
export function useList<Item>(options: ReturnType<typeof listQuery<Item>>) {
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const [firstPage] = list.data?.pages ?? []
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // What other filters left empty says nothing of these.
  const isKnown = list.data !== undefined && !(list.isPlaceholderData && items.length === 0)
  return {
    list,
    items,
    /** Of the whole, as the server counts it; null while that is not known. */
    count: isKnown && firstPage ? firstPage : null,
    isLoading: !isKnown && !list.isError,
    isEmpty: isKnown && items.length === 0,
    /** For what shows the rows. */
    paging: {
      isStale: list.isPlaceholderData,
      hasMore: list.hasNextPage && !list.isFetching && !list.isError,
      onMore: list.fetchNextPage,
    },
  }
}
