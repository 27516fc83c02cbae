import type { SliceFormat } from '@pegasus/contracts/slices/slices'
import { createMemorySource } from '@pegasus/mesh/byte-source'
import {
  BGCODE_HEADER_BYTES,
  BLOCK_TYPES,
  COMPRESSIONS,
  readBgcodeHeader,
  readBlockHeader,
} from '@pegasus/mesh/gcode/bgcode-blocks'
import { unpackHeatshrink } from '@pegasus/mesh/gcode/heatshrink'
import { createMeatpackReader } from '@pegasus/mesh/gcode/meatpack'
import { openZip } from '@pegasus/mesh/zip/open-zip'

const CHUNK_BYTES = 256 * 1024
/** Maximum size of a block of binary G-code, to limit the memory. Real blocks have 64 KB. */
const MAX_BLOCK_BYTES = 1024 * 1024

/** Yields the G-code of one plate as text, in pieces. Throws an Error with a message to show. */
export async function* gcodeChunks(
  bytes: Uint8Array<ArrayBuffer>,
  format: SliceFormat,
  plate: number,
): AsyncGenerator<Uint8Array> {
  if (format === 'bgcode') return yield* bgcodeChunks(bytes)
  if (format === 'gcode.3mf') return yield* plateChunks(bytes, plate)
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

async function* plateChunks(bytes: Uint8Array<ArrayBuffer>, plate: number): AsyncGenerator<Uint8Array> {
  const archive = await openZip(createMemorySource(bytes))
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === `metadata/plate_${plate}.gcode`)
  if (!entry) throw new Error('The file has no such plate.')
  const packed = bytes.subarray(entry.dataOffset, entry.dataOffset + entry.packedBytes)
  if (entry.method === 0) yield packed
  else yield* inflated(packed, 'deflate-raw')
}

async function* inflated(
  packed: Uint8Array<ArrayBuffer>,
  kind: 'deflate' | 'deflate-raw',
): AsyncGenerator<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(kind)).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

async function* bgcodeChunks(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const { checksumBytes } = readBgcodeHeader(bytes)
  const meatpack = createMeatpackReader()
  for (let at = BGCODE_HEADER_BYTES; at < bytes.length; ) {
    const block = readBlockHeader(bytes.subarray(at, at + 12))
    const dataAt = at + block.headerBytes + block.parameterBytes
    const packed = bytes.subarray(dataAt, dataAt + block.packedBytes)
    at = dataAt + block.packedBytes + checksumBytes
    if (block.type !== BLOCK_TYPES.gcode) continue
    if (block.sizeBytes > MAX_BLOCK_BYTES) throw new Error('A block of the file is too large.')
    // The encoding precedes the data: 0 is plain text, and all other values are MeatPack.
    const isPlain = bytes[dataAt - 2] === 0
    for await (const chunk of unpacked(packed, block)) yield isPlain ? chunk : meatpack.push(chunk)
  }
}

async function* unpacked(
  packed: Uint8Array<ArrayBuffer>,
  { compression, sizeBytes }: { compression: number; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  if (compression === COMPRESSIONS.none) return yield packed
  if (compression === COMPRESSIONS.deflate) return yield* inflated(packed, 'deflate')
  const windowBits = compression === COMPRESSIONS.heatshrink11 ? 11 : 12
  const bytes = unpackHeatshrink(packed, sizeBytes, { windowBits, lookaheadBits: 4 })
  if (bytes === null) throw new Error('A block of the file is damaged.')
  yield bytes
}
