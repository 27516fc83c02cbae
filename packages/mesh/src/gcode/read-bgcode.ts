import { crc32, inflateRawSync, inflateSync } from 'node:zlib'
import { type ByteSource, readBytes, readRange } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import {
  BGCODE_HEADER_BYTES,
  BLOCK_TYPES,
  type BgcodeBlock,
  COMPRESSIONS,
  CUT_OFF,
  MAX_BLOCK_HEADER_BYTES,
  readBgcodeHeader,
  readBlockHeader,
} from './bgcode-blocks.ts'
import { unpackHeatshrink } from './heatshrink.ts'
import { toPlate } from './plate-figures.ts'
import type { SlicedPlate } from './sliced-file.ts'
import { SlicerComments } from './slicer-comments.ts'
import { keepLargest, MAX_PICTURE_BYTES } from './thumbnails.ts'

/** Maximum number of blocks. A block contains up to 64 KB of G-code, so no print needs that many blocks. */
const MAX_BLOCKS = 100_000
/** Maximum size of a metadata block. The settings of a slicer take only a few kilobytes. */
const MAX_METADATA_BYTES = 1024 * 1024
const MAX_METADATA_BLOCKS = 16
const FORMATS = ['png', 'jpg', 'qoi'] as const

const BROKEN = 'The metadata of the binary G-code cannot be unpacked. Export it again.'

/** Reads binary G-code and verifies the checksum of each block. Throws RejectionError. */
export async function readBgcode(source: ByteSource): Promise<SlicedPlate> {
  const { checksumBytes } = readBgcodeHeader(await readBytes(source, 0, BGCODE_HEADER_BYTES))
  const comments = new SlicerComments()
  let [blocks, metadataBlocks, gcodeBlocks] = [0, 0, 0]
  for (let at = BGCODE_HEADER_BYTES; at < source.sizeBytes; ) {
    const block = readBlockHeader(await readBytes(source, at, MAX_BLOCK_HEADER_BYTES))
    const dataAt = at + block.headerBytes + block.parameterBytes
    const end = dataAt + block.packedBytes
    if (end + checksumBytes > source.sizeBytes) throw new RejectionError('truncated', CUT_OFF)
    if (++blocks > MAX_BLOCKS)
      throw new RejectionError('too-large', 'The binary G-code has too many blocks. Export it again.')
    if (checksumBytes > 0) await proveChecksum(source, at, end)
    if (block.type === BLOCK_TYPES.gcode) gcodeBlocks++
    else if (block.type === BLOCK_TYPES.thumbnail) await readThumbnail(source, block, dataAt, comments)
    else if (++metadataBlocks <= MAX_METADATA_BLOCKS) await readMetadata(source, block, dataAt, comments)
    at = end + checksumBytes
  }
  if (gcodeBlocks === 0)
    throw new RejectionError(
      'truncated',
      'The binary G-code contains no commands for a printer. Export it again.',
    )
  return toPlate(comments)
}

async function proveChecksum(source: ByteSource, start: number, end: number): Promise<void> {
  let checksum = 0
  for await (const chunk of readRange(source, start, end)) checksum = crc32(chunk, checksum)
  const bytes = await readBytes(source, end, 4)
  const expected = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  if (checksum !== expected)
    throw new RejectionError(
      'bad-archive',
      'A checksum of the binary G-code is wrong, so the file is damaged. Export it again, and upload the complete file.',
    )
}

async function readThumbnail(
  source: ByteSource,
  block: BgcodeBlock,
  dataAt: number,
  comments: SlicerComments,
): Promise<void> {
  if (block.compression !== COMPRESSIONS.none || block.sizeBytes > MAX_PICTURE_BYTES || block.sizeBytes === 0)
    return
  const bytes = await readBytes(source, dataAt - block.parameterBytes, block.parameterBytes + block.sizeBytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = FORMATS[view.getUint16(0, true)]
  if (format === undefined) return
  const claimedPixels = view.getUint16(2, true) * view.getUint16(4, true)
  keepLargest(comments.thumbnails.found, {
    format,
    claimedPixels,
    bytes: bytes.subarray(block.parameterBytes),
  })
}

async function readMetadata(
  source: ByteSource,
  block: BgcodeBlock,
  dataAt: number,
  comments: SlicerComments,
): Promise<void> {
  if (block.sizeBytes > MAX_METADATA_BYTES || block.packedBytes > MAX_METADATA_BYTES)
    throw new RejectionError('too-large', 'The metadata of the binary G-code is too large. Export it again.')
  const packed = await readBytes(source, dataAt, block.packedBytes)
  const bytes = unpackBlock(packed, block)
  if (bytes === null || bytes.length !== block.sizeBytes) throw new RejectionError('bad-archive', BROKEN)
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) comments.set(line.slice(0, at), line.slice(at + 1))
  }
}

/** Unpacks the data of a block. Returns null if that fails. */
function unpackBlock(packed: Uint8Array, { compression, sizeBytes }: BgcodeBlock): Uint8Array | null {
  if (compression === COMPRESSIONS.none) return packed
  if (compression !== COMPRESSIONS.deflate)
    return unpackHeatshrink(packed, sizeBytes, {
      windowBits: compression === COMPRESSIONS.heatshrink11 ? 11 : 12,
      lookaheadBits: 4,
    })
  const options = { maxOutputLength: Math.max(1, sizeBytes) }
  try {
    // Prusa's library writes the data with a zlib header. Other programs leave the header out.
    return (packed[0]! & 0x0f) === 8 ? inflateSync(packed, options) : inflateRawSync(packed, options)
  } catch {
    return null
  }
}
