import {
  isPictureName,
  MAX_PICTURE_BYTES,
  MAX_VIDEO_BYTES,
  MEDIA_BUCKET,
  MEDIA_CACHE_SECONDS,
  MEDIA_FOLDER,
  mediaPath,
} from '@pegasus/contracts/media/media-files'
import { NETWORK_FAILURE, withReadableMessage } from '../api-error.ts'
import { logWarning } from '../../browser/log.ts'
import { findHostedProject } from '../config.ts'
import { getAccessToken, renewAccessToken } from '../../session/session.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The result of an upload. The names come from the specification. */
export interface StoredMedia {
  fileName: string
  path: string
  /** Public URL of the stored file. */
  publicUrl: string
}

/**
 * Opens the bucket of product media, on this server or in the hosted project, with the hosted service's own client,
 * which is loaded at its first use.
 */
async function openBucket(send: typeof fetch) {
  const [{ StorageClient }, project] = await Promise.all([
    import('@supabase/storage-js'),
    findHostedProject(),
  ])
  const headers: Record<string, string> = project ? { apikey: project.key } : {}
  const address = `${project?.url ?? location.origin}/storage/v1`
  return new StorageClient(address, headers, signedIn(send)).from(MEDIA_BUCKET)
}

/**
 * Returns a `fetch` that adds the session's token as the bearer token. If the server refuses it, the request
 * is repeated with a renewed token. Every refusal that it returns has a message that can be shown.
 */
const signedIn =
  (send: typeof fetch): typeof fetch =>
  async (input, init = {}) => {
    const sendAs = (token: string | null) => {
      const headers = new Headers(init.headers)
      if (token) headers.set('Authorization', `Bearer ${token}`)
      return send(input, { ...init, headers })
    }
    const token = await getAccessToken()
    const answer = await sendAs(token)
    const renewed = answer.status === 401 ? await renewAccessToken(token) : null
    return withReadableMessage(renewed ? await sendAs(renewed) : answer)
  }

interface UploadOptions {
  file: File
  /** The name to store the file under. A stored file with the same name is replaced. */
  name: string
  signal: AbortSignal
  onProgress: (share: number) => void
}

/**
 * Stores a file in the product media bucket. Throws an error whose message can be shown, or the signal's
 * reason.
 */
export async function uploadMedia({ file, name, signal, onProgress }: UploadOptions): Promise<StoredMedia> {
  const problem = sizeProblem(file)
  if (problem) throw new Error(problem)
  const bucket = await openBucket(fetchWithProgress({ signal, onProgress })).catch((cause: unknown) => {
    throw new Error(NETWORK_FAILURE, { cause })
  })
  const path = mediaPath(name)
  const content = await toStore(file)
  const { error } = await bucket.upload(path, content, {
    upsert: true,
    cacheControl: String(MEDIA_CACHE_SECONDS),
    // If the browser does not recognize the type, it is empty. The server detects the type from the bytes anyway.
    contentType: content.type || 'application/octet-stream',
  })
  signal.throwIfAborted()
  // The server's message for an upload without a session is meant for programs.
  if (error?.status === 401) throw new Error(serverText('Sign in to continue.'), { cause: error })
  if (error) throw new Error(serverText(error.message), { cause: error })
  return { fileName: name, path, publicUrl: bucket.getPublicUrl(path).data.publicUrl }
}

/**
 * Returns the file as it is uploaded. This server cleans pictures itself. A hosted project does not, so pictures lose
 * their metadata here, and a picture that cannot be cleaned is refused. Throws an error whose message can be shown.
 */
async function toStore(file: File): Promise<Blob> {
  if (!isPictureName(file.name) || !(await findHostedProject())) return file
  const { cleanPicture } = await import('./clean-picture.ts')
  const cleaned = await cleanPicture(file)
  if (!cleaned)
    throw new Error(
      t(
        'The location cannot be removed from this picture. Save it as JPEG, PNG or WebP, and upload it again.',
      ),
    )
  return cleaned
}

/** Returns the reason why a file cannot be uploaded; null if it can. */
function sizeProblem({ name, size }: File): string | null {
  const limit = isPictureName(name) ? MAX_PICTURE_BYTES : MAX_VIDEO_BYTES
  if (size === 0) return t('This file is empty.')
  return size > limit ? t('This file is larger than {limit} MB.', { limit: limit / 1024 / 1024 }) : null
}

/** A stored file. `version` is the time of its last change. */
export interface KnownMedia {
  name: string
  /** The public address: a path on this server, or a URL of the hosted project. */
  address: string
  version: string
}

/** The maximum number of listed files. */
const MAX_LISTED = 1000

/**
 * Returns the stored files whose names contain a text. If the server cannot be reached, returns an empty list and logs
 * a warning.
 */
export async function findMedia(search: string): Promise<KnownMedia[]> {
  try {
    const bucket = await openBucket(fetch)
    const { data, error } = await bucket.list(MEDIA_FOLDER.replace(/\/$/, ''), { search, limit: MAX_LISTED })
    if (error) throw error
    return data.map(({ name, updated_at: updatedAt }) => ({
      name,
      address: toOwnPath(bucket.getPublicUrl(mediaPath(name)).data.publicUrl),
      version: String(updatedAt ?? ''),
    }))
  } catch (error) {
    logWarning('The list of product media could not be loaded.', error)
    return []
  }
}

/**
 * Returns only the path of a URL on this server, because the path is valid under every host name of the
 * server.
 */
export function toOwnPath(publicUrl: string): string {
  const url = new URL(publicUrl, location.origin)
  return url.origin === location.origin ? url.pathname : publicUrl
}

interface Watching {
  /** Called with the uploaded share of the body, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** A `fetch` that reports its upload progress, for clients that accept a custom `fetch`. */
const fetchWithProgress =
  ({ onProgress, signal }: Watching): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const request = new XMLHttpRequest()
      const cancel = () => request.abort()
      signal.addEventListener('abort', cancel, { once: true })
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : String(input))
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () =>
        resolve(
          new Response(request.responseText, { status: request.status, statusText: request.statusText }),
        )
      // This also happens if a server refuses a request before it has read the whole body, and closes the connection.
      // Browsers then report no status.
      request.onerror = () => reject(new Error(NETWORK_FAILURE))
      request.onabort = () => reject(signal.reason)
      request.onloadend = () => signal.removeEventListener('abort', cancel)
      // These clients send only forms and JSON strings. Streams are not supported.
      request.send(init.body as XMLHttpRequestBodyInit | null | undefined)
    })
