import type { Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { type Call, type ListPage, callList } from './api.ts'

type RowOf<E extends Endpoint> =
  ResponseOf<E> extends readonly (infer Row extends { id: string })[] ? Row : never

/** Returns the options of a query that loads all rows of a list. Use it only for lists that are short as a rule. */
export const allPagesQuery = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input?: Omit<Call<E>, 'signal'>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      // A row that moves to a later page while the pages load is in both pages, so rows are collected by id.
      const rows = new Map<string, RowOf<E>>()
      let cursor: string | null = null
      do {
        const query: object = { limit: MAX_PAGE_SIZE, ...(cursor !== null && { cursor }) }
        const page: ListPage<RowOf<E>> = (await callList(endpoint, {
          ...input,
          query,
          signal,
        } as Call<E>)) as ListPage<RowOf<E>>
        for (const row of page.items) rows.set(row.id, row)
        cursor = page.nextCursor
      } while (cursor !== null)
      return [...rows.values()]
    },
  })
