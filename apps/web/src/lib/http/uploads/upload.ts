import type { Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { buildPath, isSessionRefusal } from '../api.ts'
import { ApiError, NETWORK_FAILURE, readApiError, STRANGE_ANSWER } from '../api-error.ts'
import { serverTextsLoaded } from '@/lib/i18n/server-texts.ts'
import { getAccessToken, renewAccessToken } from '../../session/session.ts'

export interface UploadOptions {
  /** The parameters of the endpoint's path, if it has any. */
  params?: Readonly<Record<string, string>>
  /** Text fields. They are sent before the file, so that the server can refuse them before it reads the bytes. */
  fields: Readonly<Record<string, string>>
  /** The file; null if the fields are enough, for example an address to download from. */
  file: File | null
  /**
   * The same key for all attempts of one submission, so that a retry after a lost response does not store the
   * file twice.
   */
  idempotencyKey: string
  signal: AbortSignal
  /** Called with the number of uploaded bytes of the file. */
  onProgress: (sentBytes: number) => void
}

/**
 * Uploads a form with its file. Reports the progress, which `fetch` cannot. Throws an ApiError, or the reason of an
 * aborted signal.
 */
export async function uploadWithProgress<E extends Endpoint>(
  endpoint: E,
  options: UploadOptions,
): Promise<ResponseOf<E>> {
  const token = await getAccessToken()
  try {
    return await sendOnce(endpoint, options, token)
  } catch (error) {
    const isRefused = error instanceof ApiError && isSessionRefusal(error)
    const renewed = isRefused && token ? await renewAccessToken(token) : null
    if (!renewed) throw error
    return sendOnce(endpoint, options, renewed)
  }
}

/**
 * Returns a unique key for a submission. `randomUUID` is missing on pages that are loaded over plain HTTP
 * from another machine.
 */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** Returns how many bytes of the file are uploaded when `loaded` of `total` bytes of the request are uploaded. */
export const fileBytesSent = (loaded: number, total: number, fileBytes: number): number =>
  Math.min(fileBytes, Math.max(0, loaded - Math.max(0, total - fileBytes)))

function sendOnce<E extends Endpoint>(
  endpoint: E,
  { params, fields, file, idempotencyKey, signal, onProgress }: UploadOptions,
  token: string | null,
): Promise<ResponseOf<E>> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (file) body.append('file', file, file.name)

  const request = new XMLHttpRequest()
  const cancel = () => request.abort()
  return new Promise<ResponseOf<E>>((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel, { once: true })
    request.open(endpoint.method, buildPath(endpoint, { params }))
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Idempotency-Key', idempotencyKey)
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(fileBytesSent(loaded, total, file?.size ?? 0))
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        const header = (name: string) => request.getResponseHeader(name)
        return void serverTextsLoaded.then(() =>
          reject(readApiError(request.status, request.responseText, header)),
        )
      }
      try {
        // The server serializes responses with the schema that this type comes from.
        resolve(JSON.parse(request.responseText) as ResponseOf<E>)
      } catch (cause) {
        reject(new ApiError({ status: request.status, detail: null, otherwise: STRANGE_ANSWER, cause }))
      }
    }
    // This also happens if a server refuses a request before it has read the whole body, and closes the
    // connection. Browsers then report no status.
    request.onerror = () => reject(new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE }))
    request.onabort = () => reject(signal.reason)
    request.send(body)
  }).finally(() => signal.removeEventListener('abort', cancel))
}
