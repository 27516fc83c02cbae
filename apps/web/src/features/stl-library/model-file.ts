import { getStlFileBytes, type StlFile } from '@pegasus/contracts/stl-files'
import { buildPath, isSessionRefusal } from '@/lib/api.ts'
import { ApiError, NETWORK_FAILURE, readApiError } from '@/lib/api-error.ts'
import { saveFile } from '@/lib/save-file.ts'
import { getAccessToken, renewAccessToken } from '@/lib/session.ts'

/** Opens the uploaded file for reading. Throws an ApiError, or the AbortError of the signal. */
export async function openModelFile(id: string, signal?: AbortSignal): Promise<Response> {
  const token = await getAccessToken()
  try {
    return await openOnce(id, token, signal)
  } catch (error) {
    const isRefused = error instanceof ApiError && isSessionRefusal(error)
    const renewed = isRefused && token ? await renewAccessToken(token) : null
    if (!renewed) throw error
    return openOnce(id, renewed, signal)
  }
}

async function openOnce(id: string, token: string | null, signal?: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(buildPath(getStlFileBytes, { params: { id } }), {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      signal: signal ?? null,
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE, cause })
  }
  if (response.ok) return response
  throw readApiError(response.status, await response.text(), (name) => response.headers.get(name))
}

/** Saves the uploaded file under the name it came with. */
export async function downloadModel({ id, file_name }: Pick<StlFile, 'id' | 'file_name'>): Promise<void> {
  const response = await openModelFile(id)
  saveFile(await response.blob(), file_name)
}
