import { NETWORK_FAILURE } from './api-error.ts'

interface Watching {
  /** The uploaded share of the body, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** A fetch that reports its upload progress, for clients that accept a custom fetch. */
export const fetchWithProgress =
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
      // Also if a server refuses before it has read everything and closes the connection: browsers then report no
      // status.
      request.onerror = () => reject(new Error(NETWORK_FAILURE))
      request.onabort = () => reject(signal.reason)
      request.onloadend = () => signal.removeEventListener('abort', cancel)
      // These clients send forms and JSON texts. A stream would need a reader of its own.
      request.send(init.body as XMLHttpRequestBodyInit | null | undefined)
    })
