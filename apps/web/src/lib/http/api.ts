import type { CallOf, Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { ApiError, NETWORK_FAILURE, readApiError, STRANGE_ANSWER } from './api-error.ts'
import { takeEarlyAnswer } from './early-calls.ts'
import { withRecentSignIn } from '../session/reauthentication.ts'
import { serverTextsLoaded } from '@/lib/i18n/server-texts.ts'

/** The source of access tokens for calls, which also handles refused tokens. */
interface TokenSource {
  getAccessToken: () => Promise<string | null>
  /** Returns another token for a refused or missing one; null once the session is over. */
  renewAccessToken: (refused: string | null) => Promise<string | null>
  /** Called when the session must prove the account's second factor before any other call. */
  onSecondFactorWanted: () => void
}

let tokenSource: TokenSource | null = null

/** Registers the source of access tokens. The session module calls this, so that this module does not depend on it. */
export function connectTokenSource(source: TokenSource): void {
  tokenSource = source
}

interface CallExtras {
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
}

export type Call<E extends Endpoint> = CallOf<E> & CallExtras

/**
 * Sends one declared call. If the server requires a recent sign-in, the person is asked and the call is repeated.
 * Throws an ApiError for every failure, or the AbortError of its signal.
 */
export async function callApi<E extends Endpoint>(endpoint: E, call: Call<E> = {}): Promise<ResponseOf<E>> {
  return readBody<ResponseOf<E>>(await send(endpoint, call))
}

/** Like `callApi`, but returns the response itself, for calls that return bytes. */
export const callForBytes = <E extends Endpoint>(endpoint: E, call: Call<E> = {}): Promise<Response> =>
  send(endpoint, call)

/** One page of a list, with the totals from the headers. */
export interface ListPage<Item> {
  items: Item[]
  total: number
  /** True if the list has more than `total` items, because the server stops counting at 1,000. */
  isTotalCapped: boolean
  nextCursor: string | null
}

/**
 * Returns the header for a change to the object at this revision. The server refuses the change if somebody
 * else has changed the object since then.
 */
export const ifMatch = (revision: number) => ({ 'If-Match': `"${revision}"` })

/**
 * Returns the two calls of an edit: `save` changes the object at the revision that the edit started from, and
 * `reread` loads its current state. `params` identify the object.
 */
export function editCalls<R extends Endpoint, U extends Endpoint>(
  read: R,
  update: U,
  params: CallOf<R>['params'] & CallOf<U>['params'],
) {
  return {
    save: ({ body, revision }: { body: NonNullable<CallOf<U>['body']>; revision: number }) =>
      // TypeScript cannot combine the parts of a generic call.
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

/** The values of path parameters and of queries. */
type AddressParts = Record<string, string | number | boolean | null | undefined>

/**
 * Builds the path of a call on this origin. Fills in parameters, appends the query, and leaves out undefined values.
 */
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

/** Returns the `cursor` in the `next` link of a Link header. */
export function findNextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;[^,]*rel="?next"?/)?.[1]
  return next ? new URL(next, 'http://localhost').searchParams.get('cursor') : null
}

/**
 * Error codes for a session that has not proved its second factor, and for an account that must still set one
 * up.
 */
const WANTS_SECOND_FACTOR: ReadonlySet<string> = new Set(['insufficient_aal', 'second_factor_setup_required'])

const send = <E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Response> =>
  withRecentSignIn(() => sendSignedIn(endpoint, call))

async function sendSignedIn<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Response> {
  const source = endpoint.access === 'public' ? null : tokenSource
  const token = (await source?.getAccessToken()) ?? null
  try {
    return await sendOnce(endpoint, call, token)
  } catch (error) {
    if (!source || !(error instanceof ApiError)) throw error
    if (WANTS_SECOND_FACTOR.has(error.code ?? '')) source.onSecondFactorWanted()
    const renewed = isSessionRefusal(error) ? await source.renewAccessToken(token) : null
    if (!renewed) throw error
    return sendOnce(endpoint, call, renewed)
  }
}

/**
 * Returns whether an error means that the session is no longer accepted. A wrong current password is also a 401, but
 * the session stays valid.
 */
export const isSessionRefusal = (error: ApiError): boolean =>
  error.status === 401 && error.code !== 'current_password_wrong'

async function sendOnce<E extends Endpoint>(
  endpoint: E,
  call: Call<E>,
  token: string | null,
): Promise<Response> {
  const response = await fetchOnce(endpoint, call, token)
  if (response.ok) return response
  const body = await readText(response)
  await serverTextsLoaded
  throw readApiError(response.status, body, (name) => response.headers.get(name))
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
    // The server serializes responses with the schema that this type comes from.
    return (text === '' ? undefined : JSON.parse(text)) as Body
  } catch (cause) {
    throw new ApiError({ status: response.status, detail: null, otherwise: STRANGE_ANSWER, cause })
  }
}

/** Reads the body of a response. The connection may break in the meantime. */
async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw lostAnswer(cause)
  }
}

/** Returns the caller's abort error for an aborted call, otherwise an error for the lost connection. */
const lostAnswer = (cause: unknown): unknown =>
  cause instanceof Error && cause.name === 'AbortError'
    ? cause
    : new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE, cause })
