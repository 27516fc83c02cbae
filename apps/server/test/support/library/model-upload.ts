import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect } from 'vitest'
import type { TestApp } from '../build-test-app.ts'

type Headers = Record<string, string>
type UploadFields = Record<string, string>

export interface UploadPart {
  name: string
  bytes: Uint8Array
  /** The name of the form field. The default is `file`. */
  field?: string
}

/** Builds a multipart body with the given text fields and files, in that order. */
export async function multipart(
  fields: UploadFields,
  files: readonly UploadPart[],
): Promise<{ payload: Buffer; headers: Headers }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { field = 'file', name, bytes } of files) form.append(field, new Blob([bytes.slice()]), name)
  const encoded = new Response(form)
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}

/** Uploads one file to the library. */
export async function upload(
  app: TestApp,
  authorization: Headers,
  file: UploadPart | null,
  fields: UploadFields = {},
  headers: Headers = {},
) {
  const form = await multipart({ upload_method: 'file', ...fields }, file ? [file] : [])
  return app.http.inject({
    method: 'POST',
    url: '/api/stl-files/upload',
    headers: { ...authorization, ...form.headers, ...headers },
    payload: form.payload,
  })
}

/** Uploads another version of a model. Without bytes, the form has no file. */
export async function addVersion(
  app: TestApp,
  headers: Headers,
  id: string,
  {
    bytes,
    name = 'm.stl',
    fields = {},
  }: { bytes?: Uint8Array; name?: string; fields?: Record<string, string> },
) {
  const form = await multipart(fields, bytes ? [{ name, bytes }] : [])
  const url = `/api/stl-files/${id}/versions`
  return app.http.inject({
    method: 'POST',
    url,
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  })
}

/** Waits until the worker has analyzed a model, and returns it. */
export async function analyzed(app: TestApp, authorization: Headers, id: string): Promise<Model> {
  let model: Model | null = null
  await expect
    .poll(
      async () => {
        model = (await app.http.inject({ url: `/api/stl-files/${id}`, headers: authorization })).json<Model>()
        return model.analysis_status
      },
      { timeout: 60_000, interval: 50 },
    )
    .not.toBe('pending')
  if (!model) throw new Error('no model')
  return model
}
