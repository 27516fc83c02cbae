import type { Slice, UploadedSlice } from '@pegasus/contracts/slices/slices'
import type { TestApp } from '../build-test-app.ts'
import { multipart, type UploadPart } from './model-upload.ts'

type Headers = Record<string, string>

/** Uploads sliced files to a model. */
export async function uploadSlices(
  app: TestApp,
  headers: Headers,
  modelId: string,
  files: readonly UploadPart[],
  fields: Record<string, string> = {},
) {
  const form = await multipart(fields, files)
  return app.http.inject({
    method: 'POST',
    url: `/api/stl-files/${modelId}/slices`,
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  })
}

/** Uploads one sliced file and returns its slices. */
export async function uploadedSlices(
  app: TestApp,
  headers: Headers,
  modelId: string,
  file: UploadPart,
  fields: Record<string, string> = {},
): Promise<Slice[]> {
  const response = await uploadSlices(app, headers, modelId, [file], fields)
  if (response.statusCode !== 201) throw new Error(`uploadedSlices: ${response.statusCode} ${response.body}`)
  return response.json<UploadedSlice>().slices
}

export const listSlices = async (
  app: TestApp,
  headers: Headers,
  modelId: string,
  query = '',
): Promise<Slice[]> =>
  (await app.http.inject({ url: `/api/stl-files/${modelId}/slices${query}`, headers })).json<Slice[]>()
