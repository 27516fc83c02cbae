import type { TestApp } from '../support/build-test-app.ts'

export const OBJECT = '/storage/v1/object'
export const PUBLIC = `${OBJECT}/public/product-images`

export type Headers = Record<string, string>

/**
 * Sends the request that the official client sends for a Blob: a form with text fields and one file part
 * without a name.
 */
export async function sendForm(
  app: TestApp,
  headers: Headers,
  file: {
    path: string
    bytes: Uint8Array
    type?: string
    upsert?: boolean
    fields?: Record<string, string>
    name?: string
  },
  method: 'POST' | 'PUT' = 'POST',
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(file.fields ?? { cacheControl: '3600' }))
    form.append(name, value)
  form.append(file.name ?? '', new Blob([new Uint8Array(file.bytes)], { type: file.type ?? 'image/jpeg' }))
  const encoded = new Response(form)
  return app.http.inject({
    method,
    url: `${OBJECT}/product-images/${file.path}`,
    headers: {
      apikey: 'any',
      'x-client-info': 'storage-js/2.119.0',
      ...(method === 'POST' && { 'x-upsert': String(file.upsert ?? true) }),
      'content-type': encoded.headers.get('content-type') ?? '',
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}

/** Sends the request that the official client sends for a buffer: the bytes, with the metadata in headers. */
export const sendRaw = (
  app: TestApp,
  headers: Headers,
  path: string,
  bytes: Uint8Array,
  method: 'POST' | 'PUT' = 'POST',
) =>
  app.http.inject({
    method,
    url: `${OBJECT}/product-images/${path}`,
    headers: { 'cache-control': 'max-age=3600', ...headers },
    payload: Buffer.from(bytes),
  })

export const read = (app: TestApp, path: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.http.inject({ method, url: `${PUBLIC}/${path}`, headers })
