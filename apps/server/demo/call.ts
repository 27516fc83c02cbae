import type { Shop } from './shop.ts'

interface Call {
  method: 'POST' | 'GET' | 'PUT'
  url: string
  payload?: object
  headers?: Record<string, string>
}

/** Calls the server like a browser. Throws the response unless it is a success. */
export async function call<T>(shop: Shop, { method, url, payload, headers = {} }: Call): Promise<T> {
  const answer = await shop.app.http.inject({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return (answer.body === '' ? null : answer.json()) as T
}

/** Signs in at the time of the clock, runs `work`, and signs out. */
export async function signedInAs<T>(
  shop: Shop,
  person: { username: string; password: string },
  work: (headers: { authorization: string }) => Promise<T>,
): Promise<T> {
  const session = await call<{ access_token: string }>(shop, {
    method: 'POST',
    url: '/auth/login',
    payload: { username: person.username, password: person.password },
  })
  const headers = { authorization: `Bearer ${session.access_token}` }
  const result = await work(headers)
  await call(shop, { method: 'POST', url: '/auth/v1/logout', headers })
  return result
}
