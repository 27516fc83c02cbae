import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../../../platform/clock.ts'
import { fieldOf } from '../main-site-answer.ts'
import { NO_PRODUCT } from '../shop-adapter.ts'
import { failed, failureOf, MAX_LIST_BYTES, type SiteCalls, type SiteFailure } from '../site-calls.ts'

/** Shopify supports each API version for a year. After that, it responds with its oldest supported version. */
const PATH = '/admin/api/2026-07/graphql.json'

const NO_WORDS = 'The shop refused the request without a reason.'
const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : NO_WORDS)
/**
 * Returns the messages of the errors in a response. The errors are a list of objects with a message, or one text if the
 * call failed early.
 */
const messagesOf = (errors: unknown): string =>
  Array.isArray(errors) ? errors.map((error) => textOf(fieldOf(error, 'message'))).join(' ') : textOf(errors)

/**
 * Returns how long to wait after a throttled query, in milliseconds, from the shop's rate limit. Returns null for other
 * errors.
 */
function throttledMs(body: unknown): number | null {
  const errors = fieldOf(body, 'errors')
  const isThrottled =
    Array.isArray(errors) &&
    errors.some((error) => fieldOf(fieldOf(error, 'extensions'), 'code') === 'THROTTLED')
  if (!isThrottled) return null
  const cost = fieldOf(fieldOf(body, 'extensions'), 'cost')
  const status = fieldOf(cost, 'throttleStatus')
  const lacking = Number(fieldOf(cost, 'requestedQueryCost')) - Number(fieldOf(status, 'currentlyAvailable'))
  const waitMs = (lacking / Number(fieldOf(status, 'restoreRate'))) * SECOND_MS
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.ceil(waitMs) : SECOND_MS
}

/** Returns the position of the next page of a connection, or null after the last page. */
export function nextOf(connection: unknown): string | null {
  const info = fieldOf(connection, 'pageInfo')
  return fieldOf(info, 'hasNextPage') === true ? String(fieldOf(info, 'endCursor')) : null
}

/** Returns the nodes of all pages of a connection. `more` reads the page after a position. */
export async function nodesOfAllPages(
  first: unknown,
  more: (after: string) => Promise<{ ok: true; page: unknown } | SiteFailure>,
): Promise<{ ok: true; nodes: unknown[] } | SiteFailure> {
  const nodesOf = (page: unknown): unknown => fieldOf(page, 'nodes')
  const shown = nodesOf(first)
  const nodes: unknown[] = Array.isArray(shown) ? [...(shown as unknown[])] : []
  for (let after = nextOf(first); after !== null; ) {
    const answer = await more(after)
    if (!answer.ok) return answer
    const next = nodesOf(answer.page)
    if (!Array.isArray(next)) return failed(null, 'The response of the shop does not contain order lines.')
    nodes.push(...(next as unknown[]))
    const position = nextOf(answer.page)
    after = position === after ? null : position
  }
  return { ok: true, nodes }
}

type Answered<T> = ({ ok: true; status: number } & T) | SiteFailure

/**
 * Sends queries and mutations to a Shopify shop. Repeats a throttled call after a pause, if the time limit allows that.
 */
export interface ShopifyGraphql {
  /** Sends a query. Returns the data of the response, unless the response contains errors. */
  ask(query: string, variables: object, leftMs: () => number): Promise<Answered<{ data: unknown }>>
  /** Sends a mutation. Returns its result, which the mutation must name `set`, unless the response contains errors. */
  change(query: string, variables: object, leftMs: () => number): Promise<Answered<{ set: unknown }>>
}

/** Sends a query. The caller has already set its time limit. */
export type ShopifyAsk = (query: string, variables: object) => ReturnType<ShopifyGraphql['ask']>

export function createShopifyGraphql({ call, hide }: SiteCalls): ShopifyGraphql {
  const ask = async (
    query: string,
    variables: object,
    leftMs: () => number,
  ): Promise<Answered<{ data: unknown }>> => {
    for (;;) {
      const request = {
        method: 'POST',
        path: PATH,
        body: { query, variables },
        maxBytes: MAX_LIST_BYTES,
      } as const
      const outcome = await call(request, leftMs())
      const body = outcome.answer?.body
      const throttleMs = throttledMs(body)
      if (throttleMs !== null && throttleMs < leftMs()) {
        await wait(throttleMs)
        continue
      }
      const errors = fieldOf(body, 'errors')
      if (errors !== undefined && errors !== null) {
        const status = throttleMs === null ? (outcome.status ?? null) : 429
        return failed(status, hide(messagesOf(errors)))
      }
      if (!outcome.ok) return failureOf(outcome)
      const data = fieldOf(outcome.body, 'data')
      return data === undefined || data === null
        ? failed(outcome.status, NO_PRODUCT)
        : { ok: true, status: outcome.status, data }
    }
  }

  const change = async (
    query: string,
    variables: object,
    leftMs: () => number,
  ): Promise<Answered<{ set: unknown }>> => {
    const outcome = await ask(query, variables, leftMs)
    if (!outcome.ok) return outcome
    const set = fieldOf(outcome.data, 'set')
    const userErrors = fieldOf(set, 'userErrors')
    if (!Array.isArray(userErrors)) return failed(outcome.status, NO_PRODUCT)
    if (userErrors.length > 0) return failed(422, hide(messagesOf(userErrors)))
    return { ok: true, status: outcome.status, set }
  }
  return { ask, change }
}
