import type { Endpoint } from '@pegasus/contracts/endpoint'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { type Call, callApi, callList } from './api.ts'
import { listQuery } from './use-list.ts'

type Input<E extends Endpoint> = Omit<Call<E>, 'signal'>

/** Returns the options of a query that sends one call. */
export const apiQuery = <E extends Endpoint>(queryKey: QueryKey, endpoint: E, input?: Input<E>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callApi(endpoint, { ...input, signal } as Call<E>) })

/**
 * Returns a function that makes queries for one object by its id, under the key of a feature:
 * `byId('history', listOrderHistory)` for `…/:id/history`.
 */
export const queriesById =
  (key: string) =>
  <E extends Endpoint>(name: string, endpoint: E) =>
  (id: string) =>
    // All endpoints that are passed here have `:id` in their paths.
    apiQuery([key, name, id], endpoint, { params: { id } } as Input<E>)

/** Like `apiQuery`, for one page of a list with the totals from the headers. */
export const apiPageQuery = <E extends Endpoint>(queryKey: QueryKey, endpoint: E, input?: Input<E>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callList(endpoint, { ...input, signal } as Call<E>) })

/** Returns the options of a query that loads a list page by page, for `useList`. */
export const apiListQuery = <E extends Endpoint>(queryKey: QueryKey, endpoint: E, input?: Input<E>) =>
  listQuery(queryKey, (page, signal) => {
    const { query } = { query: {}, ...(input as { query?: object } | undefined) }
    return callList(endpoint, { ...input, query: { ...page, ...query }, signal } as Call<E>)
  })
