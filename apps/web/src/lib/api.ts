import type { CallOf, Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { ApiError, NETWORK_FAILURE, readApiError } from './api-error.ts'

/** Where calls get their token from, and whom they tell when it is no longer good. */
interface TokenSource {
  getAccessToken: () => Promise<string | null>
  /** Another token in place of one that was refused; null once the session is over. */
  renewAccessToken: (refused: string) => Promise<string | null>
}

let tokenSource: TokenSource | null = null

/** The session registers itself here, so that calls need not know it. */
export function connectTokenSource(source: TokenSource): void {
  tokenSource = source
}

interface CallExtras {
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
}

type Call<E extends Endpoint> = CallOf<E> & CallExtras

/** One declared call. Throws an ApiError, or the AbortError of its signal. */
export async function callApi<E extends Endpoint>(endpoint: E, call: Call<E> = {}): Promise<ResponseOf<E>> {
  return readBody<ResponseOf<E>>(await send(endpoint, call))
}

/** A page of a list, with what the headers say of the whole. */
export interface ListPage<Item> {
  items: Item[]
  total: number
  /** True where there are more than `total`: the count stops at 1,000. */
  isTotalCapped: boolean
  nextCursor: string | null
}

type ItemOf<E extends Endpoint> = ResponseOf<E> extends readonly (infer Item)[] ? Item : never

export async function callList<E extends Endpoint>(
  endpoint: E,
  call: Call<E> = {},
): Promise<ListPage<ItemOf<E>>> {
  const response = await send(endpoint, call)
  const items = await readBody<ItemOf<E>[]>(response)
  return {
    items,
    total: Number(response.headers.get('X-Total-Count') ?? items.length),
    isTotalCapped: response.headers.get('X-Total-Count-Capped') === 'true',
    nextCursor: findNextCursor(response.headers.get('Link')),
  }
}

/** What schemas of parameters and queries hold: nothing but what can stand in an address. */
type AddressParts = Record<string, string | number | boolean | null | undefined>

/** The address of a call on this origin: parameters filled in, query appended, what is undefined left out. */
export function buildPath(
  endpoint: Endpoint,
  { params, query }: { params?: unknown; query?: unknown } = {},
): string {
  const values = { ...(params as AddressParts | undefined) }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...(query as AddressParts | undefined) })) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** `cursor` of the address that a Link header names as next. */
export function findNextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;[^,]*rel="?next"?/)?.[1]
  return next ? new URL(next, 'http://localhost').searchParams.get('cursor') : null
}

async function send<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Response> {
  const source = endpoint.access === 'public' ? null : tokenSource
  const token = (await source?.getAccessToken()) ?? null
  const response = await fetchOnce(endpoint, call, token)
  if (response.ok) return response
  const error = readApiError(response.status, await response.text(), (name) => response.headers.get(name))
  if (!source || !token || !isSessionRefusal(error)) throw error
  const renewed = await source.renewAccessToken(token)
  if (!renewed) throw error
  const retried = await fetchOnce(endpoint, call, renewed)
  if (retried.ok) return retried
  throw readApiError(retried.status, await retried.text(), (name) => retried.headers.get(name))
}

/** A wrong current password is told apart by its code: it says nothing of the session. */
export const isSessionRefusal = (error: ApiError): boolean =>
  error.status === 401 && error.code !== 'current_password_wrong'

async function fetchOnce<E extends Endpoint>(
  endpoint: E,
  call: Call<E>,
  token: string | null,
): Promise<Response> {
  const { body, signal, headers } = call
  try {
    return await fetch(buildPath(endpoint, call), {
      method: endpoint.method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE, cause })
  }
}

async function readBody<Body>(response: Response): Promise<Body> {
  const text = await response.text()
  // The server serialises by the same schema from which the type is taken.
  return (text === '' ? undefined : JSON.parse(text)) as Body
}
