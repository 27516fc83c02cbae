import type { TestApp } from '../support/build-test-app.ts'

export const RESUMABLE = '/storage/v1/upload/resumable'
const TUS = { 'tus-resumable': '1.0.0' }

type Headers = Record<string, string>

/** Returns these values as an `Upload-Metadata` header. */
export const metadataOf = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Returns functions for raw requests of the protocol, for cases that the official client never sends. */
export function tusCalls(app: Pick<TestApp, 'http'>, caller: Headers, path = RESUMABLE) {
  const send = (
    method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    headers: Headers,
    payload?: Buffer,
  ) =>
    app.http.inject({ method, url, headers: { ...TUS, ...caller, ...headers }, ...(payload && { payload }) })
  const chunk = { 'content-type': 'application/offset+octet-stream' }
  return {
    create: (
      length: number | string,
      values: Record<string, string>,
      headers: Headers = {},
      payload?: Buffer,
    ) =>
      send(
        'POST',
        path,
        { 'upload-length': String(length), 'upload-metadata': metadataOf(values), ...headers },
        payload,
      ),
    head: (url: string, headers: Headers = {}) => send('HEAD', url, headers),
    write: (url: string, offset: number | string, bytes: Buffer, headers: Headers = {}) =>
      send('PATCH', url, { ...chunk, 'upload-offset': String(offset), ...headers }, bytes),
    remove: (url: string, headers: Headers = {}) => send('DELETE', url, headers),
    options: () => send('OPTIONS', path, {}),
  }
}

/** Returns the number of bytes of an upload that the server has, or the status if the response is not 200. */
export async function offsetOf(calls: ReturnType<typeof tusCalls>, url: string): Promise<number> {
  const answer = await calls.head(url)
  return answer.statusCode === 200 ? Number(answer.headers['upload-offset']) : answer.statusCode
}
