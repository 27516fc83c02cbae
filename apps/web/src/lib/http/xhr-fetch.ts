import { NETWORK_FAILURE } from './api-error.ts'

interface Watching {
  /** Share of the body that has left, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** A fetch that tells how far its body is, which the browser's own cannot; for clients that take one. */
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
      // Also where a server refuses before it has read everything and closes: browsers then tell no status.
      request.onerror = () => reject(new Error(NETWORK_FAILURE))
      request.onabort = () => reject(signal.reason)
      request.onloadend = () => signal.removeEventListener('abort', cancel)
      // The clients that this is for send forms and JSON texts; a stream would need a reader of its own.
      request.send(init.body as XMLHttpRequestBodyInit | null | undefined)
    })
