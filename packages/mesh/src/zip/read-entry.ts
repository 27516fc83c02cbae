import { pipeline, Readable } from 'node:stream'
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { readBytes, readRange } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { DAMAGED } from './central-directory.ts'
import { printableName } from './entry-name.ts'
import type { OpenEntry, ZipArchive } from './open-zip.ts'

const INFLATE_CHUNK_BYTES = 64 * 1024
const PEEKED_PACKED_BYTES = 4096
/** Deflate expands one byte to at most 1,032 bytes. */
const PEEK_MOST_BYTES = 1100 * PEEKED_PACKED_BYTES

/**
 * Returns the unpacked bytes of an entry in pieces, with constant memory. Throws RejectionError as soon as there are
 * more bytes than the archive declares, or at the end if there are fewer or the checksum is wrong. Until the end, the
 * bytes are not verified.
 */
export async function* readEntryBytes(archive: ZipArchive, entry: OpenEntry): AsyncGenerator<Uint8Array> {
  let checksum = 0
  let received = 0
  for await (const chunk of unpack(archive, entry)) {
    received += chunk.length
    if (received > entry.sizeBytes) {
      throw new RejectionError(
        'unsafe-archive',
        `"${printableName(entry.name)}" unpacks to more than the archive says. ${DAMAGED}`,
      )
    }
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (received !== entry.sizeBytes || checksum !== entry.crc32) throw damaged(entry)
}

/** Reads a small entry as a whole. Throws RejectionError if it is larger than `maxBytes`. */
export async function readWholeEntry(
  archive: ZipArchive,
  entry: OpenEntry,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (entry.sizeBytes > maxBytes) {
    throw new RejectionError(
      'too-large',
      `"${printableName(entry.name)}" is too large. Export the model again.`,
    )
  }
  const bytes = new Uint8Array(entry.sizeBytes)
  let length = 0
  for await (const chunk of readEntryBytes(archive, entry)) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes
}

/** Reads the first bytes of an entry, up to `length`, to detect its format. Does not verify the checksum. */
export async function peekEntry(archive: ZipArchive, entry: OpenEntry, length: number): Promise<Uint8Array> {
  const packed = await readBytes(
    archive.source,
    entry.dataOffset,
    Math.min(entry.packedBytes, entry.method === 0 ? length : PEEKED_PACKED_BYTES),
  )
  if (entry.method === 0) return packed
  if (entry.method !== 8) throw unknownMethod(entry)
  try {
    return inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: PEEK_MOST_BYTES,
    }).subarray(0, length)
  } catch (cause) {
    throw asDamage(cause, entry)
  }
}

async function* unpack({ source }: ZipArchive, entry: OpenEntry): AsyncGenerator<Uint8Array> {
  const packed = readRange(source, entry.dataOffset, entry.dataOffset + entry.packedBytes)
  if (entry.method === 0) {
    yield* packed
    return
  }
  if (entry.method !== 8) throw unknownMethod(entry)
  const inflate = createInflateRaw({ chunkSize: INFLATE_CHUNK_BYTES })
  // The loop below throws the error of this pipeline. The empty callback prevents that it is thrown a second time.
  pipeline(Readable.from(packed), inflate, () => {})
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array
  } catch (cause) {
    throw asDamage(cause, entry)
  }
  // Refuse bytes after the end of the packed data, because some programs would see them and others would not.
  if (inflate.bytesWritten !== entry.packedBytes) throw damaged(entry)
}

/**
 * Converts zlib's errors for invalid data to a RejectionError. Other errors are not the file's fault and are
 * returned unchanged.
 */
function asDamage(cause: unknown, entry: OpenEntry): unknown {
  const isZlib = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
  return isZlib ? damaged(entry) : cause
}

function damaged(entry: OpenEntry): RejectionError {
  return new RejectionError(
    'bad-archive',
    `"${printableName(entry.name)}" in the archive is damaged. Pack or upload it again.`,
  )
}

function unknownMethod(entry: OpenEntry): RejectionError {
  const remedy = 'Pack it again as a plain ZIP.'
  return new RejectionError(
    'bad-archive',
    `"${printableName(entry.name)}" is packed in a way that is not supported. ${remedy}`,
  )
}
