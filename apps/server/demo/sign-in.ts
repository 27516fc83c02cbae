import { DEMO_PASSWORD } from './people.ts'

/** Calls the server's API with the session of the demo's admin. The body is sent as JSON or as a form. */
export type Ask = <T>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object | FormData,
  revision?: number,
) => Promise<T>

/** Signs in as the demo's admin. The returned function throws an error if the response is not a success. */
export async function signInToDemo({
  opsUrl,
  signal,
}: {
  opsUrl: string
  signal: AbortSignal
}): Promise<Ask> {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${opsUrl}${path}`, {
      method,
      signal,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const login = await send('POST', '/auth/login', {}, { username: 'admin', password: DEMO_PASSWORD })
  const { access_token: token } = (await login.json()) as { access_token: string }
  return async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, revision?: number) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    }
    const text = await (await send(method, path, headers, body)).text()
    return (text === '' ? null : JSON.parse(text)) as T
  }
}
