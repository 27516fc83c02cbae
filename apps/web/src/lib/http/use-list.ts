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

/** Returns the options of a query that loads a list page by page. */
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

/** Returns the rows of all pages. A row that moved to a later page between two reads is in both, and is returned once. */
function distinct<Item extends { id: string }>(pages: readonly ListPage<Item>[]): Item[] {
  const rows = pages.flatMap(({ items }) => items)
  return pages.length < 2 ? rows : [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** Returns the rows of a list. While a list with other filters loads, the previous rows stay. */
export function useList<Item extends { id: string }>(options: ReturnType<typeof listQuery<Item>>) {
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const [firstPage] = list.data?.pages ?? []
  const items = distinct(list.data?.pages ?? [])
  // If the previous filters matched nothing, the result for these filters is still unknown.
  const isKnown = list.data !== undefined && !(list.isPlaceholderData && items.length === 0)
  return {
    list,
    items,
    /** The first page, which contains the server's count; null while the count is unknown. */
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
