import type { Endpoint, ResponseOf } from '@pegasus/contracts/endpoint'
import { ApiError, NETWORK_FAILURE } from '../api-error.ts'
import { callApi, type Call } from '../api.ts'
import { forgetUpload, recallUpload, rememberUpload } from './known-uploads.ts'
import type { UploadOptions } from './upload.ts'
import { getAccessToken, renewAccessToken } from '../../session/session.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const VERSION = { 'Tus-Resumable': '1.0.0' }
/** Pauses in seconds between attempts that made no progress. After the last pause, the upload fails. */
const PAUSES = [0, 1, 2, 4, 8, 15, 30, 30]
/**
 * Statuses for an upload whose size on the server has changed, or to which another request is still writing.
 */
const OUT_OF_STEP = [409, 423]
const GONE = [404, 410]

interface TusAnswer {
  status: number
  text: string
  header(name: string): string | null
}

interface TusRequest {
  method: 'POST' | 'HEAD' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: Blob
  signal: AbortSignal
  onProgress?: (sentBytes: number) => void
}

const failure = ({ status, text }: Pick<TusAnswer, 'status' | 'text'>): ApiError =>
  new ApiError({
    status,
    detail: text ? serverText(text) : null,
    otherwise:
      status === 0 ? NETWORK_FAILURE : t('The server responded with {status}. Please try again.', { status }),
  })

/**
 * Returns whether a later attempt may succeed: there was no response, a proxy did not reach the server, or
 * the server is busy.
 */
const isPassing = ({ status }: TusAnswer): boolean =>
  status === 0 || status === 429 || status >= 500 || OUT_OF_STEP.includes(status)

function sendOnce(request: TusRequest, token: string | null): Promise<TusAnswer> {
  const { method, path, headers, body, signal, onProgress } = request
  const call = new XMLHttpRequest()
  const cancel = () => call.abort()
  return new Promise<TusAnswer>((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel, { once: true })
    call.open(method, path)
    for (const [name, value] of Object.entries({ ...VERSION, ...headers })) call.setRequestHeader(name, value)
    if (token) call.setRequestHeader('Authorization', `Bearer ${token}`)
    call.upload.onprogress = ({ loaded }) => onProgress?.(loaded)
    const answer = (status: number) =>
      resolve({
        status,
        text: status === 0 ? '' : call.responseText,
        header: (name) => call.getResponseHeader(name),
      })
    call.onload = () => answer(call.status)
    call.onerror = () => answer(0)
    call.onabort = () => reject(signal.reason)
    call.send(body ?? null)
  }).finally(() => signal.removeEventListener('abort', cancel))
}

async function send(request: TusRequest): Promise<TusAnswer> {
  const token = await getAccessToken()
  const answer = await sendOnce(request, token)
  const renewed = answer.status === 401 && token ? await renewAccessToken(token) : null
  return renewed ? sendOnce(request, renewed) : answer
}

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

/** Waits for this time, or until the browser is online again. Rejects if the signal is aborted. */
const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })

interface ResumableOptions<E extends Endpoint> extends UploadOptions {
  file: File
  /** Path of all uploads of this kind. */
  uploadsPath: string
  /** The call that processes the complete upload. Its `:id` is the upload's id. */
  finish: E
}

/**
 * Uploads a large file with the TUS protocol, so that the upload continues after a lost connection. The
 * browser stores the upload's path, so that it can also continue after a reload. Throws an ApiError, or the
 * reason of an aborted signal.
 */
export async function uploadResumably<E extends Endpoint>(
  options: ResumableOptions<E>,
): Promise<ResponseOf<E>> {
  const { file, fields, idempotencyKey, signal, finish } = options
  const path = await sendAll(options)
  try {
    const call = {
      params: { id: path.split('/').at(-1) },
      body: fields,
      headers: { 'Idempotency-Key': idempotencyKey },
      signal,
    }
    // TypeScript cannot combine the parts of a generic call.
    const result = await callApi(finish, call as unknown as Call<E>)
    forgetUpload(file)
    return result
  } catch (error) {
    // The server ends the upload of a file that it refuses. The next attempt sends all bytes again.
    if (error instanceof ApiError && (error.status === 422 || GONE.includes(error.status))) forgetUpload(file)
    throw error
  }
}

/** Sends the missing bytes in as many attempts as necessary. Returns the path of the upload. */
async function sendAll(options: ResumableOptions<Endpoint>): Promise<string> {
  const { file, signal, onProgress } = options
  let path = recallUpload(file)
  let tries = 0
  let best = 0
  for (;;) {
    const offset = path === null ? 0 : await readOffset(path, signal)
    if (path !== null && typeof offset === 'number') {
      onProgress(offset)
      if (offset > best) tries = 0
      best = Math.max(best, offset)
      if (offset >= file.size) return path
      const answer = await send({
        method: 'PATCH',
        path,
        headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) },
        body: file.slice(offset),
        signal,
        onProgress: (sent) => onProgress(Math.min(file.size, offset + sent)),
      })
      if (answer.status === 204) continue
      if (!isPassing(answer)) throw failure(answer)
    } else if (path !== null && offset === 'gone') {
      forgetUpload(file)
      path = null
      continue
    } else if (path === null) {
      path = await begin(options)
      if (path !== null) continue
    }
    const seconds = PAUSES[tries]
    if (seconds === undefined) throw failure({ status: 0, text: '' })
    tries += 1
    await pause(seconds, signal)
  }
}

/**
 * Starts an upload and returns its path. Returns null if the server cannot be reached or is too busy, so that a later
 * attempt may succeed.
 */
async function begin({ file, signal, uploadsPath }: ResumableOptions<Endpoint>): Promise<string | null> {
  const answer = await send({
    method: 'POST',
    path: uploadsPath,
    headers: { 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${base64(file.name)}` },
    signal,
  })
  const path = answer.header('Location')
  if (answer.status === 201 && path !== null) {
    rememberUpload(file, path)
    return path
  }
  if (isPassing(answer) && answer.status !== 429) return null
  throw failure(answer)
}

async function readOffset(path: string, signal: AbortSignal): Promise<number | 'gone' | 'unknown'> {
  const answer = await send({ method: 'HEAD', path, headers: {}, signal })
  if (GONE.includes(answer.status)) return 'gone'
  if (answer.status === 200) return Number(answer.header('Upload-Offset'))
  if (isPassing(answer)) return 'unknown'
  throw failure(answer)
}
