/** A file that can be read anywhere: what archives need, whose table of contents stands at their end. */
export type ByteSource = {
  readonly sizeBytes: number
  /** Fills `target` from `offset` on; answers how many bytes it got, fewer than asked only at the end. */
  read(target: Uint8Array, offset: number): Promise<number>
}

const CHUNK_BYTES = 64 * 1024

/** Bytes that are in memory already. */
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

/** Up to `length` bytes from `offset`; fewer where the source ends before. */
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

/** The bytes from `start` to `end` in pieces. Each piece is a buffer of its own, so that it can be handed on. */
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
