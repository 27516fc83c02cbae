/** A file with random access. Archives need this, because their directory is at the end. */
export type ByteSource = {
  readonly sizeBytes: number
  /**
   * Fills `target` with the bytes from `offset` on. Returns the number of bytes that were read, which is less
   * than requested only at the end of the file.
   */
  read(target: Uint8Array, offset: number): Promise<number>
}

const CHUNK_BYTES = 64 * 1024

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

/** Reads `length` bytes from `offset` on, or fewer if the source ends earlier. */
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

/** Reads the bytes from `start` to `end` in chunks. Each chunk has its own buffer, so that callers may pass it on. */
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
