/** A file with random access: needed for archives, whose directory is at their end. */
export type ByteSource = {
  readonly sizeBytes: number
  /** Fills `target` from `offset` on; returns the number of bytes, fewer than requested only at the end. */
  read(target: Uint8Array, offset: number): Promise<number>
}

const CHUNK_BYTES = 64 * 1024

/** Bytes in memory. */
export function createMemorySource(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read(target, offset) {
      const part = bytes.subarray(offset, offset + target.length)
      target.set(part)
      return Promise.resolve(part.length)
    },
  }
}

/** Up to `length` bytes from `offset`; fewer if the source ends earlier. */
export async function readBytes(
  source: ByteSource,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.max(0, Math.min(length, source.sizeBytes - offset)))
  let filled = 0
  while (filled < bytes.length) {
    const read = await source.read(bytes.subarray(filled), offset + filled)
    if (read === 0) return bytes.subarray(0, filled)
    filled += read
  }
  return bytes
}

/** The bytes from `start` to `end` in chunks. Each chunk is a buffer of its own, so that it can be passed on. */
export async function* readRange(
  source: ByteSource,
  start: number,
  end: number,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = start; at < end; ) {
    const chunk = await readBytes(source, at, Math.min(chunkBytes, end - at))
    if (chunk.length === 0) return
    yield chunk
    at += chunk.length
  }
}
