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

/** The rows of a list. While other filters load, the former rows stay. */
export function useList<Item>(options: ReturnType<typeof listQuery<Item>>) {
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const [firstPage] = list.data?.pages ?? []
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // An empty result of other filters does not apply to these.
  const isKnown = list.data !== undefined && !(list.isPlaceholderData && items.length === 0)
  return {
    list,
    items,
    /** The total of the list, as the server counts it; null while unknown. */
    count: isKnown && firstPage ? firstPage : null,
    isLoading: !isKnown && !list.isError,
    isEmpty: isKnown && items.length === 0,
    /** Props for the component that shows the rows. */
    paging: {
      isStale: list.isPlaceholderData,
      hasMore: list.hasNextPage && !list.isFetching && !list.isError,
      onMore: list.fetchNextPage,
    },
  }
}
