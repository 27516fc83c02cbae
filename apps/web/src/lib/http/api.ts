import type { CallOf, Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { ApiError, NETWORK_FAILURE, readApiError, STRANGE_ANSWER } from './api-error.ts'
import { takeEarlyAnswer } from './early-calls.ts'
import { withRecentSignIn } from '../session/reauthentication.ts'

/** Provides the token for calls, and learns when it is refused. */
interface TokenSource {
  getAccessToken: () => Promise<string | null>
  /** Another token for a refused or missing one; null once the session is over. */
  renewAccessToken: (refused: string | null) => Promise<string | null>
  /** The session must prove its account's second factor before anything else. */
  onSecondFactorWanted: () => void
}

let tokenSource: TokenSource | null = null

/** The session registers itself here, so that calls do not depend on it. */
export function connectTokenSource(source: TokenSource): void {
  tokenSource = source
}

interface CallExtras {
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
}

export type Call<E extends Endpoint> = CallOf<E> & CallExtras

/**
 * Sends one declared call. If the server needs a recent sign-in, the person is asked and the call repeated. Throws an
 * ApiError for every failure, or the AbortError of its signal.
 */
export async function callApi<E extends Endpoint>(endpoint: E, call: Call<E> = {}): Promise<ResponseOf<E>> {
  return readBody<ResponseOf<E>>(await send(endpoint, call))
}

/** Like callApi, for a call whose response is bytes. */
export const callForBytes = <E extends Endpoint>(endpoint: E, call: Call<E> = {}): Promise<Response> =>
  send(endpoint, call)

/** A page of a list, with the totals from the headers. */
export interface ListPage<Item> {
  items: Item[]
  total: number
  /** True if there are more than `total`: the count stops at 1,000. */
  isTotalCapped: boolean
  nextCursor: string | null
}

/** Headers of a change to the object with this revision. The server refuses it if somebody else has changed it since. */
export const ifMatch = (revision: number) => ({ 'If-Match': `"${revision}"` })

/**
 * The calls of an edit: `save` changes the object at the revision that was read, `reread` loads what it is now. `params`
 * name the object.
 */
export function editCalls<R extends Endpoint, U extends Endpoint>(
  read: R,
  update: U,
  params: CallOf<R>['params'] & CallOf<U>['params'],
) {
  return {
    save: ({ body, revision }: { body: NonNullable<CallOf<U>['body']>; revision: number }) =>
      // TypeScript does not put the parts of a generic call together.
      callApi(update, { params, body, headers: ifMatch(revision) } as Call<U>),
    reread: () => callApi(read, { params } as Call<R>),
  }
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

/** The values of parameters and queries. */
type AddressParts = Record<string, string | number | boolean | null | undefined>

/** The address of a call on this origin: parameters filled in, query appended, undefined values left out. */
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

/** The `cursor` in the address of the Link header's `next`. */
export function findNextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;[^,]*rel="?next"?/)?.[1]
  return next ? new URL(next, 'http://localhost').searchParams.get('cursor') : null
}

const send = <E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Response> =>
  withRecentSignIn(() => sendSignedIn(endpoint, call))

async function sendSignedIn<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Response> {
  const source = endpoint.access === 'public' ? null : tokenSource
  const token = (await source?.getAccessToken()) ?? null
  try {
    return await sendOnce(endpoint, call, token)
  } catch (error) {
    if (!source || !(error instanceof ApiError)) throw error
    if (error.code === 'insufficient_aal') source.onSecondFactorWanted()
    const renewed = isSessionRefusal(error) ? await source.renewAccessToken(token) : null
    if (!renewed) throw error
    return sendOnce(endpoint, call, renewed)
  }
}

/** A wrong current password has its own code and does not concern the session. */
export const isSessionRefusal = (error: ApiError): boolean =>
  error.status === 401 && error.code !== 'current_password_wrong'

async function sendOnce<E extends Endpoint>(
  endpoint: E,
  call: Call<E>,
  token: string | null,
): Promise<Response> {
  const response = await fetchOnce(endpoint, call, token)
  if (response.ok) return response
  throw readApiError(response.status, await readText(response), (name) => response.headers.get(name))
}

async function fetchOnce<E extends Endpoint>(
  endpoint: E,
  call: Call<E>,
  token: string | null,
): Promise<Response> {
  const { body, signal, headers } = call
  const path = buildPath(endpoint, call)
  const early = endpoint.method === 'GET' && !headers ? await takeEarlyAnswer(path, token) : null
  if (early) return early
  try {
    return await fetch(path, {
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
    throw lostAnswer(cause)
  }
}

async function readBody<Body>(response: Response): Promise<Body> {
  const text = await readText(response)
  try {
    // The server serialises with the schema that the type comes from.
    return (text === '' ? undefined : JSON.parse(text)) as Body
  } catch (cause) {
    throw new ApiError({ status: response.status, detail: null, otherwise: STRANGE_ANSWER, cause })
  }
}

/** The connection may break during the response. */
async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw lostAnswer(cause)
  }
}

/** An aborted call throws the abort error of its caller. */
const lostAnswer = (cause: unknown): unknown =>
  cause instanceof Error && cause.name === 'AbortError'
    ? cause
    : new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE, cause })
