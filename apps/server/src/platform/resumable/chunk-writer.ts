import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ObjectStorage, PendingObject } from '../storage/object-storage.ts'
import { addChunk } from './resumable-uploads.queries.ts'

/** The size of a chunk. If the process is killed, a request loses at most this many bytes. */
const CHUNK_BYTES = 16 * 1024 * 1024

interface ChunkTarget {
  uploadId: string
  writer: string
  /** The position of the first byte in the upload. */
  offset: number
  /** The length of the whole upload. */
  lengthBytes: number
  /** Returns the key of the chunk that begins at this position. */
  keyOf(startBytes: number): string
}

/** The connection was lost before the end of the body. */
class CutOffError extends Error {
  override name = 'CutOffError'
}

async function* untilCut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new CutOffError('The body was interrupted.', { cause })
  }
}

/** Writes the body of one request as chunks of an upload. */
export class ChunkWriter {
  readonly #deps: { database: Database; storage: ObjectStorage; expiry(): Date }
  readonly #target: ChunkTarget
  #at: number
  #pending: PendingObject | null = null
  #size = 0

  constructor(deps: { database: Database; storage: ObjectStorage; expiry(): Date }, target: ChunkTarget) {
    this.#deps = deps
    this.#target = target
    this.#at = target.offset
  }

  /** Writes the whole body. Returns the offset after the last byte. */
  async writeAll(body: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      for await (const bytes of untilCut(body)) await this.#write(bytes)
      await this.#finishChunk()
      return this.#at
    } catch (error) {
      if (!(error instanceof CutOffError)) throw error
      await this.#finishChunk()
      throw new AppError('MALFORMED_REQUEST', {
        text: 'The upload was interrupted. It continues from the last byte that arrived.',
        cause: error,
      })
    } finally {
      await this.#pending?.abort()
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#at + this.#size + bytes.byteLength > this.#target.lengthBytes)
      throw new AppError('PAYLOAD_TOO_LARGE', { text: 'The upload has more bytes than Upload-Length says.' })
    for (let from = 0; from < bytes.byteLength; ) {
      // Chunks count as the server's own bytes, so they are not scanned. The complete file is scanned later.
      this.#pending ??= await this.#deps.storage.begin('own')
      const part = bytes.subarray(from, from + CHUNK_BYTES - this.#size)
      await this.#pending.write(part)
      this.#size += part.byteLength
      from += part.byteLength
      if (this.#size === CHUNK_BYTES) await this.#finishChunk()
    }
  }

  /** Stores the current chunk: first its bytes, and then its row together with the new offset, in one transaction. */
  async #finishChunk(): Promise<void> {
    const pending = this.#pending
    if (!pending) return
    const { uploadId, writer } = this.#target
    const [startBytes, sizeBytes] = [this.#at, this.#size]
    const objectKey = this.#target.keyOf(startBytes)
    await pending.seal(objectKey)
    let isPlaced = false
    await this.#deps.database.transaction(async (tx) => {
      const chunk = { uploadId, writer, startBytes, sizeBytes, objectKey, expiresAt: this.#deps.expiry() }
      if (!(await addChunk(tx, chunk))) throw new AppError('UPLOAD_TAKEN_OVER')
      if (!isPlaced) await pending.commit(objectKey)
      // The database may run the transaction again, but the bytes must be committed only once.
      isPlaced = true
    })
    this.#pending = null
    this.#at += sizeBytes
    this.#size = 0
  }
}
