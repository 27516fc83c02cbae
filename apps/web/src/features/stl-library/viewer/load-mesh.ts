import type { MeshAnswer, MeshRequest, ReadableFormat, ReadyMesh } from './mesh-message.ts'

/**
 * Reads a body to its end into one buffer, and reports the number of bytes received so far. `expectedBytes` is the
 * initial size of the buffer.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array>,
  expectedBytes: number,
  onProgress: (receivedBytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(Math.max(expectedBytes, 1))
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (length + value.length > bytes.length) {
      const grown = new Uint8Array(Math.max(length + value.length, bytes.length * 2))
      grown.set(bytes.subarray(0, length))
      bytes = grown
    }
    bytes.set(value, length)
    length += value.length
    onProgress(length)
  }
  return bytes.subarray(0, length)
}

/** Parses the bytes of a model in a worker. Throws an Error with a message to show. */
export function parseInWorker(
  bytes: Uint8Array<ArrayBuffer>,
  format: ReadableFormat,
  signal: AbortSignal,
): Promise<ReadyMesh> {
  const worker = new Worker(new URL('./mesh.worker.ts', import.meta.url), { type: 'module', name: 'mesh' })
  return new Promise<ReadyMesh>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.onerror = (event) => reject(new Error(event.message || 'The model could not be read.'))
    worker.onmessage = ({ data }: MessageEvent<MeshAnswer>) =>
      data.ok ? resolve(data) : reject(new Error(data.reason))
    worker.postMessage({ bytes, format } satisfies MeshRequest, [bytes.buffer])
  }).finally(() => worker.terminate())
}
