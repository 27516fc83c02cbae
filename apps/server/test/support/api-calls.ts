import type { ErrorBody } from '@pegasus/contracts/fields'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { TestApp } from './build-test-app.ts'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Answer {
  status: number
  etag: string | undefined
  headers: Readonly<Record<string, unknown>>
  text: string
  json<T>(): T
  /** Returns the message in an error response. */
  detail(): string
}

/** Returns a function that calls the app as an account. */
export const callsOf =
  (app: TestApp, who: Headers) =>
  async (route: `${Method} /${string}`, payload?: object, headers: Headers = {}): Promise<Answer> => {
    const [method, url] = route.split(' ') as [Method, string]
    const answer = await app.http.inject({
      method,
      url,
      headers: { ...who, ...headers },
      ...(payload && { payload }),
    })
    return {
      status: answer.statusCode,
      etag: answer.headers.etag as string | undefined,
      headers: answer.headers,
      text: answer.body,
      json: <T>() => answer.json<T>(),
      detail: () => answer.json<ErrorBody>().detail,
    }
  }

export type Calls = ReturnType<typeof callsOf>

/** Adds an item through the API and returns it. */
export async function addedItem(calls: Calls, item: object = {}): Promise<InventoryItem> {
  const answer = await calls('POST /api/inventory', { name: 'Wall hook', quantity: 10, ...item })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json<InventoryItem>()
}
